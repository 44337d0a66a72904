internal import DataSources
internal import JobQueue

/// Bounds the calls to each data source in a minute: those that one user sets off, and those of this broker.
///
/// Sources limit the operator's account, so that without a bound one user could use up the calls of all.
final class SourceCallLimiter: Sendable {
    private struct Key: Hashable {
        var source: DataSource
        /// `nil` counts all users together.
        var user: UserID?
    }

    private let plans: CurrentPlans
    private let calls: MinuteCounter<Key>

    init(plans: CurrentPlans, now: @escaping @Sendable () -> Timestamp) {
        (self.plans, calls) = (plans, MinuteCounter(now: now))
    }

    /// Counts a call; a call beyond a limit does not count.
    ///
    /// - Returns: The time until calls are possible again; `nil` when this one is.
    func refusal(of source: DataSource, for user: UserID) -> Duration? {
        let plans = plans.value
        return calls.count([
            (Key(source: source, user: user), plans.standard.sourceCallsPerMinute),
            (Key(source: source, user: nil), plans.service.sourceCallsPerMinute),
        ])
    }
}
