internal import Synchronization

/// What the router has learnt about one provider, and the places for calls to it.
final class ProviderState: Sendable {
    private struct Health {
        var breaker: CircuitBreaker
        var limit: AdaptiveLimit
    }

    let gate: AsyncSemaphore
    private let health: Mutex<Health>

    init(highestLimit: Int, reserve: Int, breaker: CircuitBreaker.Settings) {
        gate = AsyncSemaphore(limit: highestLimit, reserve: reserve)
        health = Mutex(
            Health(breaker: CircuitBreaker(breaker), limit: AdaptiveLimit(highest: highestLimit)))
    }

    /// Why the provider should not be asked now.
    enum Obstacle {
        case blocked(Duration)
        case resting(Duration)
    }

    /// Looks without taking a probe: whether waiting for a place makes sense.
    func obstacle(at now: Duration) -> Obstacle? {
        health.withLock { health in
            if let pause = health.limit.blocked(at: now) { return .blocked(pause) }
            return health.breaker.rest(at: now).map(Obstacle.resting)
        }
    }

    /// Lets a call begin; whatever it gives back must be reported with `finished`.
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

    /// Learns from how a call ended; `error` is `nil` for an answer.
    func finished(_ error: ModelError?, isProbe: Bool, from start: Duration, at now: Duration) {
        let limit = health.withLock { health in
            health.breaker.report(Self.finding(error), isProbe: isProbe, at: now)
            switch error?.kind {
            case nil: health.limit.succeeded()
            case .rateLimited:
                health.limit.wasRateLimited(callFrom: start, at: now, retryAfter: error?.retryAfter)
            case .overloaded, .serverError, .timeout:
                if let pause = error?.retryAfter { health.limit.block(for: pause, at: now) }
            default: break
            }
            return health.limit.current
        }
        gate.setLimit(limit)
    }

    private static func finding(_ error: ModelError?) -> CircuitBreaker.Finding {
        switch error?.kind {
        case .overloaded, .serverError, .timeout, .connection, .malformedAnswer: .failed
        case .cancelled, .unsupportedSchema, .notConfigured: .nothing
        default: .alive
        }
    }
}
