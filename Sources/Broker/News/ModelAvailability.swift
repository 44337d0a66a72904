internal import DossierAPI
internal import Synchronization

/// Whether summaries and chat are likely to work now, judged without calling a model: recent jobs
/// did not fail because no model could be reached.
final class ModelAvailability: Sendable {
    /// The time after a failure of the models during which they count as unavailable.
    private static let pause: Duration = .seconds(60)

    /// The number of jobs in a row that pass their deadline before the models count as unavailable.
    private static let maxLateJobs = 2

    private struct State {
        var failedAt: ContinuousClock.Instant?
        /// Jobs past their deadline since the last success.
        var lateJobs = 0
    }

    private let areConfigured: Bool?
    private let state = Mutex(State())

    /// - Parameter areConfigured: Whether the workers have a model; `nil` when this process does not know.
    init(areConfigured: Bool?) { self.areConfigured = areConfigured }

    /// The reason why they are unavailable; `nil` when they are available.
    var problem: String? {
        if areConfigured == false { return "no_model" }
        let failed = state.withLock(\.failedAt)
        return failed.map { .now - $0 < Self.pause } == true ? "models_failing" : nil
    }

    /// Records the end of a job that needed a model: `nil` for success.
    func record(_ error: APIError?) {
        state.withLock { state in
            switch error?.code {
            case nil: state = State()
            case .claude, .gemini: state.failedAt = .now
            case .deadlinePassed:
                state.lateJobs += 1
                if state.lateJobs >= Self.maxLateJobs { state.failedAt = .now }
            default: break
            }
        }
    }
}
