internal import DossierAPI
internal import Synchronization

/// Whether summaries and answers can be expected now, as far as a broker can tell without asking a model: a worker
/// lives, and what was asked lately did not fail because no model could be reached.
final class ModelAvailability: Sendable {
    /// After a failure of the models for so long, nothing is promised.
    private static let pause: Duration = .seconds(60)

    /// One answer that comes too late says little of the next; so many in a row do.
    private static let lateInARow = 2

    private struct State {
        var failedAt: ContinuousClock.Instant?
        /// Since the last job that ended well.
        var late = 0
    }

    private let areConfigured: Bool?
    private let state = Mutex(State())

    /// - Parameter areConfigured: Whether the workers have a model to ask; `nil` when this process does not know.
    init(areConfigured: Bool?) { self.areConfigured = areConfigured }

    /// Why none can be expected; `nil` when they can.
    var problem: String? {
        if areConfigured == false { return "no_model" }
        let failed = state.withLock(\.failedAt)
        return failed.map { .now - $0 < Self.pause } == true ? "models_failing" : nil
    }

    /// Takes in how a job ended that asked a model: `nil` for well.
    func note(_ error: APIError?) {
        state.withLock { state in
            switch error?.code {
            case nil: state = State()
            case .claude, .gemini: state.failedAt = .now
            case .deadlinePassed:
                state.late += 1
                if state.late >= Self.lateInARow { state.failedAt = .now }
            default: break
            }
        }
    }
}
