import Basics

@testable import LanguageModels

extension LanguageModel {
    /// Makes a call without time limits.
    func respond(
        to request: ModelRequest, onText: (@Sendable (String) -> Void)?
    ) async throws(ModelError) -> ModelResponse {
        try await respond(to: request, activity: CallActivity(.system) { _ in }, onText: onText)
    }
}
