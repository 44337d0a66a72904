import Basics
import JobQueue
import TestSupport
import Testing

@testable import LanguageModels

/// What calls whose prompts should be read from a cache are charged with.
@Suite struct ExpectedReadTests {
    private static let budget = ModelBudget(name: "b")
    private let store = ScriptedBudgetStore()
    private let limiter: BudgetLimiter

    init() { limiter = BudgetLimiter(store, clock: .system) }

    private func acquire(_ model: String = "m") async throws -> CallPermit {
        try await limiter.acquire(
            CallNeed(input: 12_000, output: 500), reading: ExpectedRead(model: model, tokens: 10_000),
            from: Self.budget, CallContext())
    }

    private func call(_ model: String = "m", read: Int64) async throws -> Int64 {
        let permit = try await acquire(model)
        let usage = TokenUsage(input: 12_000 - read, output: 5, cacheRead: read)
        permit.counted(usage)
        permit.settle(.answered(usage), at: .zero)
        return permit.need.input
    }

    @Test func aPromptIsChargedWholeUntilItsReadsHaveCome() async throws {
        #expect(try await call(read: 10_000) == 12_000)
        for _ in 0..<60 { _ = try await call(read: 10_000) }
        #expect((2000..<3000).contains(try await call(read: 10_000)))
        #expect(try await call("another", read: 10_000) == 12_000)
    }

    @Test func oneMissMakesTheNextCallsCareful() async throws {
        for _ in 0..<100 { _ = try await call(read: 10_000) }
        _ = try await call(read: 0)
        #expect(try await call(read: 0) > 7000)
        #expect(try await call(read: 0) > 9000)
    }

    @Test func aRefusalMakesTheNextCallsCareful() async throws {
        for _ in 0..<100 { _ = try await call(read: 10_000) }
        try await acquire().settle(.refused(after: nil), at: .zero)
        #expect(try await call(read: 10_000) > 7000)
    }

    @Test func anAnswerWithoutAFirstEventIsLearnedFromAtItsEnd() async throws {
        for _ in 0..<60 {
            try await acquire().settle(.answered(TokenUsage(input: 2000, output: 5, cacheRead: 10_000)), at: .zero)
        }
        #expect(try await call(read: 10_000) < 3000)
    }

    @Test func aCallThatWaitsIsChargedByWhatCameMeanwhile() async throws {
        for _ in 0..<100 { _ = try await call(read: 10_000) }
        let earlier = try await acquire()
        store.wait(.milliseconds(1), for: Self.budget.name)
        let count = store.requests.count
        let waiting = Task { try await acquire() }
        while !store.requests.dropFirst(count).contains(where: { !$0.calls.isEmpty }) { await Task.yield() }
        earlier.counted(TokenUsage(input: 12_000, output: 0))
        store.wait(.zero, for: Self.budget.name, times: 0)
        let permit = try await waiting.value
        let asked = store.requests.dropFirst(count).filter { !$0.calls.isEmpty }.map { $0.calls[0].input }
        #expect(try #require(asked.first) < 3000)
        #expect(permit.need.input > 7000)
    }
}
