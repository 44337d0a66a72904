internal import Synchronization

/// The health of one provider and the permits for calls to it.
final class ProviderState: Sendable {
    private struct Health {
        var breaker: CircuitBreaker
        var limit: AdaptiveLimit
    }

    let calls: AsyncSemaphore
    private let health: Mutex<Health>

    init(highestLimit: Int, reserved: Int, breaker: CircuitBreaker.Settings) {
        calls = AsyncSemaphore(permits: highestLimit, reserved: reserved)
        health = Mutex(
            Health(breaker: CircuitBreaker(breaker), limit: AdaptiveLimit(highest: highestLimit)))
    }

    /// The reason not to ask the provider now, with the time until it may be asked.
    enum Obstacle {
        /// After a 429 or another response with a pause.
        case blocked(Duration)
        /// The circuit breaker is open.
        case resting(Duration)
    }

    /// Whether waiting for a permit makes sense; starts no probe.
    func obstacle(at now: Duration) -> Obstacle? {
        health.withLock { health in
            if let pause = health.limit.blocked(at: now) { return .blocked(pause) }
            return health.breaker.rest(at: now).map(Obstacle.resting)
        }
    }

    /// Begins a call, whose end must be reported with `finished`. Returns whether the call is a probe.
    func begin(at now: Duration) -> Result<Bool, Refusal> {
        health.withLock { health in
            if let pause = health.limit.blocked(at: now) { return .failure(Refusal(obstacle: .blocked(pause))) }
            switch health.breaker.admit(at: now) {
            case .go(let isProbe): return .success(isProbe)
            case .rest(let pause): return .failure(Refusal(obstacle: .resting(pause)))
            }
        }
    }

    struct Refusal: Error {
        let obstacle: Obstacle
    }

    /// Applies the outcome of a call; `error` is `nil` for an answer. The policy of each error is in `ErrorPolicy`.
    func finished(_ error: ModelError?, isProbe: Bool, from start: Duration, at now: Duration) {
        let policy = error?.kind.policy
        let limit = health.withLock { health in
            health.breaker.report(policy?.health ?? .alive, isProbe: isProbe, at: now)
            switch policy?.throttling {
            case nil: health.limit.succeeded()
            case .shrink: health.limit.wasRateLimited(callFrom: start, at: now, retryAfter: error?.retryAfter)
            case .pause:
                if let pause = error?.retryAfter { health.limit.block(for: pause, at: now) }
            case .unchanged: break
            }
            return health.limit.current
        }
        calls.setPermits(limit)
    }
}

/// The number of concurrent calls to one provider: halves on a 429, and grows by one for each limit's worth of
/// successes. Failures of the provider itself do not depend on the rate and change nothing.
struct AdaptiveLimit {
    private let highest: Double
    private var limit: Double
    private var lastShrink: Duration?
    private var blockedUntil: Duration?
    /// The pause after a 429 without a hint.
    private static let defaultPause: Duration = .seconds(1)

    init(highest: Int) {
        self.highest = Double(max(1, highest))
        limit = self.highest
    }

    var current: Int { max(1, Int(limit)) }

    /// The rest of the pause that the provider asked for; `nil` when it may be called.
    func blocked(at now: Duration) -> Duration? {
        guard let blockedUntil, blockedUntil > now else { return nil }
        return blockedUntil - now
    }

    mutating func succeeded() { limit = min(highest, limit + 1 / limit) }

    /// Applies a 429. Calls that ran when the limit shrank get a 429 as well; only a call that began (`start`) after
    /// that shrinks it again.
    mutating func wasRateLimited(callFrom start: Duration, at now: Duration, retryAfter: Duration?) {
        block(for: retryAfter ?? Self.defaultPause, at: now)
        if let lastShrink, start <= lastShrink { return }
        limit = max(1, limit / 2)
        lastShrink = now
    }

    /// Blocks calls for the pause that the provider asked for.
    mutating func block(for pause: Duration, at now: Duration) {
        blockedUntil = max(blockedUntil ?? now, now + pause)
    }
}

/// Stops calls to a provider that keeps failing, and probes it with one call at a time.
///
///     closed ──N failures in a row──▶ open ──cool-down over──▶ one probe ──alive──▶ closed
///                                      ▲                           │
///                                      └──────────failed───────────┘
struct CircuitBreaker {
    struct Settings: Sendable {
        /// The number of consecutive transient failures that open the breaker.
        var failures = 5
        var coolDown: Duration = .seconds(30)
    }

    enum Admission: Equatable {
        case go(isProbe: Bool)
        /// Try again after this pause.
        case rest(Duration)
    }

    /// The result of a call for the provider's health.
    enum Finding {
        /// The provider answered, perhaps with a refusal.
        case alive
        case failed
        /// The call ended before it could show anything.
        case nothing
    }

    private enum State {
        case closed(failures: Int)
        case open(until: Duration)
        case probing
    }

    private let settings: Settings
    private var state: State = .closed(failures: 0)
    /// The pause for other calls during a probe.
    private static let probePause: Duration = .seconds(1)

    init(_ settings: Settings) { self.settings = settings }

    /// The pause before the next call; `nil` when it may be made.
    func rest(at now: Duration) -> Duration? {
        switch state {
        case .closed: nil
        case .open(let until): until > now ? until - now : nil
        case .probing: Self.probePause
        }
    }

    /// Admits a call or not. A probe must report its finding.
    mutating func admit(at now: Duration) -> Admission {
        if let pause = rest(at: now) { return .rest(pause) }
        guard case .open = state else { return .go(isProbe: false) }
        state = .probing
        return .go(isProbe: true)
    }

    mutating func report(_ finding: Finding, isProbe: Bool, at now: Duration) {
        switch (state, finding) {
        case (.probing, .alive) where isProbe: state = .closed(failures: 0)
        case (.probing, .failed) where isProbe: state = .open(until: now + settings.coolDown)
        // The probe was inconclusive: the next call may probe immediately.
        case (.probing, .nothing) where isProbe: state = .open(until: now)
        case (.closed, .alive): state = .closed(failures: 0)
        case (.closed(let failures), .failed):
            state =
                failures + 1 >= settings.failures
                ? .open(until: now + settings.coolDown) : .closed(failures: failures + 1)
        // Late results of calls from before the breaker opened change nothing.
        default: break
        }
    }
}
