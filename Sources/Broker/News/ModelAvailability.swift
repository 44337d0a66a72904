internal import DossierAPI
internal import Synchronization

/// Whether summaries and answers can be expected now, as far as a broker can tell without asking a model: a worker
/// lives, and what was asked lately did not fail because no model could be reached.
final class ModelAvailability: Sendable {
    /// After a failure of the models for so long, nothing is promised.
    private static let pause: Duration = .seconds(60)

    private let areConfigured: Bool?
    private let failedAt = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter areConfigured: Whether the workers have a model to ask; `nil` when this process does not know.
    init(areConfigured: Bool?) { self.areConfigured = areConfigured }

    /// Why none can be expected; `nil` when they can.
    var problem: String? {
        if areConfigured == false { return "no_model" }
        let failed = failedAt.withLock(\.self)
        return failed.map { .now - $0 < Self.pause } == true ? "models_failing" : nil
    }

    /// Takes in how a job ended that asked a model: `nil` for well.
    func note(_ error: APIError?) {
        switch error?.code {
        case nil: failedAt.withLock { $0 = nil }
        case .claude, .gemini: failedAt.withLock { $0 = .now }
        default: break
        }
    }
}
