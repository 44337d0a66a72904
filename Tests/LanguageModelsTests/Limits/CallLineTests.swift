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

    /// Requests are written in the books before they are sent, and the disk may be slow.
    @Test func whereABucketHoldsOneCallTheStoreHearsOfACallThatIsSentLate() async throws {
        for (limit, isHeard) in [(Int64(60), true), (6000, false)] {
            let store = ReportedBudgets()
            let limiter = BudgetLimiter(store, clock: clock.waitingSource)
            let budget = ModelBudget(name: "b", limits: BudgetLimits())
            let need = CallNeed(input: 100, output: 10, isInteractive: true)
            let permit = try await limiter.acquire(need, from: budget, CallContext(isInteractive: true))
            let reading = LimitReading([.requests: .init(limit: limit, remaining: limit / 60 - 1, fullIn: .seconds(1))])
            permit.told(reading)
            while !store.isTold.value { await pass() }
            // By now the line has a reply that tells the bucket.
            _ = await limiter.line(of: budget).room()
            permit.sent(at: permit.beganAt + .milliseconds(3))
            permit.sent(at: permit.beganAt + .milliseconds(63))
            // Reports come in their order, so this one comes last.
            let last = LimitReading([.requests: .init(limit: limit, remaining: 0, fullIn: .seconds(2))])
            permit.told(last)
            while !store.reports.value.contains(.head(last, permit.mark)) { await pass() }
            permit.settle(.unused, at: clock.source.uptime())
            #expect(store.reports.value.contains(.late(.milliseconds(60))) == isHeard)
            #expect(!store.reports.value.contains(.late(.milliseconds(3))))
        }
    }

    private func pass() async {
        clock.advance(by: .milliseconds(100))
        await Task.yield()
    }
}

/// Budgets that keep what they were told.
private struct ReportedBudgets: BudgetStore {
    let reports = Kept<[BudgetReport]>([])
    let isTold = Kept(false)
    private let budgets = MemoryBudgets { Timestamp(milliseconds: 1_800_000_000_000) }

    func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        reports.change { $0 += requests.flatMap(\.reports) }
        let replies = try await budgets.exchange(requests)
        if replies.contains(where: { !$0.buckets.isEmpty }) { isTold.change { $0 = true } }
        return replies
    }
}
