import Testing

@testable import LanguageModels

@Suite struct CircuitBreakerTests {
    private let settings = CircuitBreaker.Settings(failures: 2, coolDown: .seconds(10))

    @Test func onlyConsecutiveFailuresOpenTheBreaker() {
        var breaker = CircuitBreaker(settings)
        for finding in [CircuitBreaker.Finding.failed, .alive, .failed, .nothing] {
            breaker.report(finding, isProbe: false, at: .zero)
        }
        #expect(breaker.admit(at: .zero) == .go(isProbe: false))
        breaker.report(.failed, isProbe: false, at: .zero)
        #expect(breaker.admit(at: .seconds(4)) == .rest(.seconds(6)))
    }

    @Test func afterTheCoolDownExactlyOneMayProbe() {
        var breaker = CircuitBreaker(settings)
        breaker.report(.failed, isProbe: false, at: .zero)
        breaker.report(.failed, isProbe: false, at: .zero)
        #expect(breaker.admit(at: .seconds(10)) == .go(isProbe: true))
        #expect(breaker.admit(at: .seconds(10)) == .rest(.seconds(1)))
        breaker.report(.alive, isProbe: true, at: .seconds(11))
        #expect(breaker.admit(at: .seconds(11)) == .go(isProbe: false))
    }

    @Test func anInconclusiveProbeLetsTheNextCallProbe() {
        var breaker = CircuitBreaker(settings)
        breaker.report(.failed, isProbe: false, at: .zero)
        breaker.report(.failed, isProbe: false, at: .zero)
        _ = breaker.admit(at: .seconds(10))
        breaker.report(.nothing, isProbe: true, at: .seconds(12))
        #expect(breaker.admit(at: .seconds(12)) == .go(isProbe: true))
        breaker.report(.failed, isProbe: true, at: .seconds(12))
        #expect(breaker.admit(at: .seconds(13)) == .rest(.seconds(9)))
    }

    @Test func lateResultsOfEarlierCallsChangeNothing() {
        var breaker = CircuitBreaker(settings)
        breaker.report(.failed, isProbe: false, at: .zero)
        breaker.report(.failed, isProbe: false, at: .zero)
        breaker.report(.alive, isProbe: false, at: .seconds(1))
        breaker.report(.failed, isProbe: false, at: .seconds(9))
        #expect(breaker.rest(at: .seconds(9)) == .seconds(1))
    }
}

@Suite struct AdaptiveLimitTests {
    @Test func aBurstOf429sShrinksTheLimitOnce() {
        var limit = AdaptiveLimit(highest: 32)
        for _ in 0..<10 { limit.wasRateLimited(callFrom: .seconds(1), at: .seconds(2), retryAfter: .seconds(3)) }
        #expect(limit.current == 16)
        #expect(limit.blocked(at: .seconds(4)) == .seconds(1))
        #expect(limit.blocked(at: .seconds(5)) == nil)
        limit.wasRateLimited(callFrom: .seconds(5), at: .seconds(6), retryAfter: nil)
        #expect(limit.current == 8)
        #expect(limit.blocked(at: .seconds(6)) == .seconds(1))
    }

    @Test func theLimitNeverFallsBelowOneAndGrowsBackSlowly() {
        var limit = AdaptiveLimit(highest: 4)
        for second in 1...10 {
            limit.wasRateLimited(callFrom: .seconds(second), at: .seconds(second), retryAfter: .zero)
            // Calls begun at the very moment of a shrink belong to the burst.
            limit.wasRateLimited(callFrom: .seconds(second), at: .seconds(second), retryAfter: .zero)
        }
        #expect(limit.current == 1)
        limit.succeeded()
        #expect(limit.current == 2)
        limit.succeeded()
        #expect(limit.current == 2)
        for _ in 0..<100 { limit.succeeded() }
        #expect(limit.current == 4)
    }

    @Test func aShorterPauseDoesNotEndALongerOne() {
        var limit = AdaptiveLimit(highest: 4)
        limit.block(for: .seconds(60), at: .zero)
        limit.block(for: .seconds(1), at: .seconds(1))
        #expect(limit.blocked(at: .seconds(10)) == .seconds(50))
    }

    @Test func onlyA429TakesPermitsAway() {
        let state = ProviderState(highestLimit: 4, reserved: 0, breaker: .init())
        state.finished(ModelError(.serverError), isProbe: false, from: .zero, at: .seconds(1))
        #expect(state.calls.permits == 4)
        state.finished(ModelError(.rateLimited), isProbe: false, from: .zero, at: .seconds(1))
        #expect(state.calls.permits == 2)
    }

    @Test func anOverloadedProviderIsNotAskedBeforeTheTimeThatItNames() {
        let state = ProviderState(highestLimit: 4, reserved: 0, breaker: .init())
        state.finished(
            ModelError(.overloaded, retryAfter: .seconds(7)), isProbe: false, from: .zero, at: .seconds(1))
        guard case .blocked(let pause)? = state.obstacle(at: .seconds(2)) else {
            Issue.record("not blocked")
            return
        }
        #expect(pause == .seconds(6))
    }
}
