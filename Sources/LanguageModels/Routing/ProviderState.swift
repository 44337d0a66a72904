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

/// How many calls of one provider may be in flight: halves when the provider says "too many", grows by one for each
/// limit's worth of successes. Failures of the provider's own say nothing about our rate and change nothing.
struct AdaptiveLimit {
    private let highest: Double
    private var limit: Double
    private var lastShrink: Duration?
    private var blockedUntil: Duration?
    /// The pause after "too many" without a hint.
    private static let defaultPause: Duration = .seconds(1)

    init(highest: Int) {
        self.highest = Double(max(1, highest))
        limit = self.highest
    }

    var current: Int { max(1, Int(limit)) }

    /// How long the provider wants to be left alone; `nil` when it may be asked.
    func blocked(at now: Duration) -> Duration? {
        guard let blockedUntil, blockedUntil > now else { return nil }
        return blockedUntil - now
    }

    mutating func succeeded() { limit = min(highest, limit + 1 / limit) }

    /// Learns of a "too many". Calls that were under way when the limit shrank are answered in the same way; only a call
    /// begun (`start`) after that shrinks it again.
    mutating func wasRateLimited(callFrom start: Duration, at now: Duration, retryAfter: Duration?) {
        block(for: retryAfter ?? Self.defaultPause, at: now)
        if let lastShrink, start <= lastShrink { return }
        limit = max(1, limit / 2)
        lastShrink = now
    }

    /// Leaves the provider alone, as it asks.
    mutating func block(for pause: Duration, at now: Duration) {
        blockedUntil = max(blockedUntil ?? now, now + pause)
    }
}

/// Stops asking a provider that keeps failing, and lets one call at a time find out whether it is back.
///
///     closed ──N failures in a row──▶ open ──cool-down over──▶ one probe ──alive──▶ closed
///                                      ▲                           │
///                                      └──────────failed───────────┘
struct CircuitBreaker {
    struct Settings: Sendable {
        /// Transient failures in a row that open it.
        var failures = 5
        var coolDown: Duration = .seconds(30)
    }

    enum Admission: Equatable {
        case go(isProbe: Bool)
        /// Ask again after this pause.
        case rest(Duration)
    }

    /// What a call said about its provider.
    enum Finding {
        /// It answered, if only to refuse.
        case alive
        case failed
        /// The call ended before it could tell.
        case nothing
    }

    private enum State {
        case closed(failures: Int)
        case open(until: Duration)
        case probing
    }

    private let settings: Settings
    private var state: State = .closed(failures: 0)
    /// How long others are told to wait while a probe is under way.
    private static let probePause: Duration = .seconds(1)

    init(_ settings: Settings) { self.settings = settings }

    /// How long a call would have to wait now; `nil` when it may go.
    func rest(at now: Duration) -> Duration? {
        switch state {
        case .closed: nil
        case .open(let until): until > now ? until - now : nil
        case .probing: Self.probePause
        }
    }

    /// Lets a call go or not; whoever gets a probe must report what it found.
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
        // Nothing learnt: the next call may probe at once.
        case (.probing, .nothing) where isProbe: state = .open(until: now)
        case (.closed, .alive): state = .closed(failures: 0)
        case (.closed(let failures), .failed):
            state =
                failures + 1 >= settings.failures
                ? .open(until: now + settings.coolDown) : .closed(failures: failures + 1)
        // Calls from before it opened come home late; they change nothing.
        default: break
        }
    }
}
