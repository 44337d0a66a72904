import Basics
import JobQueue
import TestSupport
import Testing

@testable import LanguageModels

/// Timers that begin late, as those of a busy machine do.
@Suite(.timeLimit(.minutes(1))) struct LateTimerTests {
    private static let budget = ModelBudget(name: "b")
    private let clock = ManualClock()

    private func acquire(_ limiter: BudgetLimiter) async throws -> CallPermit {
        try await limiter.acquire(CallNeed(input: 1000, output: 500), from: Self.budget, CallContext())
    }

    @Test func aCallDoesNotWaitForATimerThatIsLate() async throws {
        var source = clock.waitingSource
        // The time at which the timer should end passes before it begins.
        source.sleep = { [clock] pause in
            clock.advance(by: pause * 2)
            try await clock.sleep(for: pause)
        }
        let store = ScriptedBudgetStore()
        let limiter = BudgetLimiter(store, clock: source)
        let first = try await acquire(limiter)
        while clock.deadlines.isEmpty { await Task.yield() }
        let second = try await acquire(limiter)
        #expect(store.requests.count { !$0.calls.isEmpty } == 2)
        for permit in [first, second] { permit.settle(.unused, at: clock.source.uptime()) }
        clock.advance(by: .seconds(60))
    }
}
