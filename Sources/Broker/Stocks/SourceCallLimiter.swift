internal import DataSources
internal import JobQueue
internal import Synchronization

/// Bounds the calls to each data source in a minute: those that one user sets off, and those of this broker.
///
/// Sources limit the operator's account, so that without a bound one user could use up the calls of all.
final class SourceCallLimiter: Sendable {
    private struct Key: Hashable {
        var source: DataSource
        /// `nil` counts all users together.
        var user: UserID?
    }

    private struct State {
        var minute: Int64 = 0
        var calls: [Key: Int] = [:]
    }

    private let plans: CurrentPlans
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    init(plans: CurrentPlans, now: @escaping @Sendable () -> Timestamp) {
        (self.plans, self.now) = (plans, now)
    }

    /// Counts a call; a call beyond a limit does not count.
    ///
    /// - Returns: The time until calls are possible again; `nil` when this one is.
    func refusal(of source: DataSource, for user: UserID) -> Duration? {
        let plans = plans.value
        let limits = [
            (Key(source: source, user: user), plans.standard.sourceCallsPerMinute),
            (Key(source: source, user: nil), plans.service.sourceCallsPerMinute),
        ]
        let milliseconds = now().milliseconds
        let isFull = state.withLock { state in
            if state.minute != milliseconds / 60_000 { state = State(minute: milliseconds / 60_000) }
            for case (let key, let limit?) in limits where state.calls[key, default: 0] >= limit { return true }
            for (key, _) in limits { state.calls[key, default: 0] += 1 }
            return false
        }
        return isFull ? .milliseconds(60_000 - milliseconds % 60_000) : nil
    }
}
