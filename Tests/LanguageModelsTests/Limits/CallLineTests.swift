import Basics
import JobQueue
import TestSupport
import Testing

@testable import LanguageModels

@Suite(.timeLimit(.minutes(1))) struct CallLineTests {
    private static let budget = ModelBudget(
        name: "b", limits: BudgetLimits(requestsPerMinute: 60, requestsAtOnce: 1))
    private let clock = ManualClock()

    /// A worker asks what it could claim while a person's call waits in it. Another worker's background call must still
    /// leave the next place to the person.
    @Test func aLookAtTheRoomDoesNotLoseThePlaceOfAPersonsCall() async throws {
        let time = Kept(Timestamp(milliseconds: 1_800_000_000_000))
        let store = MemoryBudgets { time.value }
        let limiter = BudgetLimiter(store, clock: clock.waitingSource)
        let need = CallNeed(input: 100, output: 10, isInteractive: true)
        let first = try await limiter.acquire(need, from: Self.budget, CallContext(isInteractive: true))
        let second = Task { try await limiter.acquire(need, from: Self.budget, CallContext(isInteractive: true)) }
        let line = limiter.line(of: Self.budget)
        // Its question was answered: it sleeps until there is room.
        while line.counts.waiting == 0 || clock.deadlines.isEmpty { await Task.yield() }
        _ = await line.room()
        time.change { $0 = $0 + .milliseconds(1500) }
        let other = BudgetRequest(
            budget: "b", limits: Self.budget.limits, holder: BudgetHolder(id: "other"),
            calls: [CallNeed(input: 100, output: 10, isInteractive: false)])
        #expect(try await store.exchange([other]).first?.granted == 0)
        clock.advance(by: .milliseconds(1500))
        try await second.value.settle(.unused, at: clock.source.uptime())
        first.settle(.unused, at: clock.source.uptime())
        clock.advance(by: .seconds(60))
    }
}
