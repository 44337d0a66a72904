import Testing

@testable import Agents

/// Expects `AgentError.interrupted`.
func expectInterrupted(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch AgentError.interrupted {
    } catch {
        Issue.record("\(error) was thrown", sourceLocation: sourceLocation)
    }
}
