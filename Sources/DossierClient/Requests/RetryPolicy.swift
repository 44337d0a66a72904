/// How often and after which pauses a failed request is sent again.
///
/// ```swift
/// var configuration = Dossier.Configuration()
/// configuration.retryPolicy = .aggressive
/// ```
public struct RetryPolicy: Hashable, Sendable {
    /// All attempts together, the first one included.
    public var maximumAttempts: Int
    /// The longest pause before the second attempt.
    public var initialDelay: Duration
    /// The longest pause before any attempt.
    public var maximumDelay: Duration
    /// By which the pause grows.
    public var multiplier: Double
    /// The share of a pause that is random, 0 to 1: with 0.5 a pause of 2 s takes 1 to 2 s.
    public var jitter: Double

    /// Makes a policy.
    public init(
        maximumAttempts: Int, initialDelay: Duration, maximumDelay: Duration, multiplier: Double, jitter: Double = 0.5
    ) {
        self.maximumAttempts = maximumAttempts
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.multiplier = multiplier
        self.jitter = jitter
    }

    /// 3 attempts, 1 s, 10 s, × 2.
    public static let `default` = RetryPolicy(
        maximumAttempts: 3, initialDelay: .seconds(1), maximumDelay: .seconds(10), multiplier: 2)
    /// 2 attempts, 2 s, 15 s, × 2.5: for what is expensive.
    public static let conservative = RetryPolicy(
        maximumAttempts: 2, initialDelay: .seconds(2), maximumDelay: .seconds(15), multiplier: 2.5)
    /// 5 attempts, 0.5 s, 8 s, × 1.8: for what the user waits for.
    public static let aggressive = RetryPolicy(
        maximumAttempts: 5, initialDelay: .milliseconds(500), maximumDelay: .seconds(8), multiplier: 1.8)
    /// A single attempt.
    public static let never = RetryPolicy(
        maximumAttempts: 1, initialDelay: .zero, maximumDelay: .zero, multiplier: 1)

    /// The longest pause before an attempt (the first one is 1); `nil` when there is none left. Jitter shortens it.
    public func delay(beforeAttempt attempt: Int) -> Duration? {
        guard attempt <= maximumAttempts else { return nil }
        guard attempt > 1 else { return .zero }
        var delay = initialDelay
        for _ in 2..<attempt {
            delay = delay * multiplier
            if delay >= maximumDelay { break }
        }
        return min(delay, maximumDelay)
    }

    /// The pause before an attempt, of which a random share may be missing, never shorter than the server asks for.
    func pause(beforeAttempt attempt: Int, retryAfter: Duration?, random: Double) -> Duration? {
        guard let delay = delay(beforeAttempt: attempt) else { return nil }
        return max(delay * (1 - min(max(jitter, 0), 1) * random), retryAfter ?? .zero)
    }
}

/// A shared allowance of retries, so that many calls do not add to an outage. Empty, it makes the first failure final.
///
/// ```swift
/// configuration.retryBudget = RetryBudget(limit: 10, per: .seconds(60))
/// ```
public final class RetryBudget: Sendable {
    private let limit: Double
    private let perSecond: Double
    private let now: @Sendable () -> Duration
    private let state: Locked<(left: Double, at: Duration)>

    /// Makes a full budget.
    ///
    /// - Parameters:
    ///   - limit: Retries in hand at first and at most.
    ///   - interval: The time in which as many come back, evenly.
    public convenience init(limit: Int = 30, per interval: Duration = .seconds(60)) {
        self.init(limit: limit, per: interval, now: Pacing.standard.now)
    }

    init(limit: Int, per interval: Duration, now: @escaping @Sendable () -> Duration) {
        self.limit = Double(max(0, limit))
        perSecond = self.limit / max(interval.inSeconds, 0.000_001)
        self.now = now
        state = Locked((self.limit, now()))
    }

    /// A budget that never ends.
    public static var unlimited: RetryBudget { RetryBudget(limit: .max) }

    /// Takes one retry, if there is one.
    func take() -> Bool {
        let now = now()
        return state.withLock { state in
            state.left = min(limit, state.left + max(0, (now - state.at).inSeconds) * perSecond)
            state.at = now
            guard state.left >= 1 else { return false }
            state.left -= 1
            return true
        }
    }
}
