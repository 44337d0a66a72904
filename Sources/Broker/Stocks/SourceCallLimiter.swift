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

    /// Counts each call that a user sets off; a call beyond a limit does not count and does not leave.
    func limiter(for user: UserID) -> SourceCalls.Limiter {
        SourceCalls.Limiter { source throws(DataSourceError) in
            guard let refusal = self.refusal(of: source, for: user) else { return }
            throw .callLimit(
                source, CallLimit(calls: refusal.limit, user: refusal.key.user, retryAfter: refusal.pause))
        }
    }

    private func refusal(of source: DataSource, for user: UserID) -> MinuteCounter<Key>.Refusal? {
        calls.count([
            (Key(source: source, user: user), plans.plan(of: user).sourceCallsPerMinute),
            (Key(source: source, user: nil), plans.value.service.sourceCallsPerMinute),
        ])
    }
}
