import Basics
import JobQueue
import Synchronization
import TestSupport
import Testing

@testable import LanguageModels

/// A call whose usual answer takes longer than its caller has left is not made: it would be paid for and thrown away.
@Suite(.timeLimit(.minutes(5))) struct TimeForAnswerTests {
    private let clock = ManualClock()
    private let book = KeptBook()

    private struct Setting {
        let router: ModelRouter
        let claude: SteeredModel
        let gemini: SteeredModel
    }

    private func setting(
        tier: [String] = ["claude-sonnet-5-5"], budgets: (any BudgetStore)? = nil
    ) throws -> Setting {
        let (claude, gemini) = (SteeredModel(try Fixture.sonnet()), SteeredModel(try Fixture.flash()))
        let models = [claude, gemini]
        let catalogue = ModelCatalogue(
            models: Dictionary(uniqueKeysWithValues: models.map { ($0.description.id, $0.description) }),
            tiers: ["deep": tier], allowsHedges: false)
        let router = ModelRouter(
            catalogue, models: Dictionary(uniqueKeysWithValues: models.map { ($0.description.id, $0) }),
            clock: clock.waitingSource, limiter: budgets.map { BudgetLimiter($0, clock: clock.waitingSource) })
        return Setting(router: router, claude: claude, gemini: gemini)
    }

    private func ask(_ setting: Setting, left: Duration, prompt: String? = "report") -> Task<ModelResponse, any Error> {
        let caller = CallContext(
            timeLeft: left, book: book, route: prompt.map { PromptRoute(prompt: $0) })
        return Task { try await setting.router.respond(to: Fixture.plain, tier: "deep", caller: caller) }
    }

    private func settle(_ what: Comment, _ condition: () -> Bool) async {
        for _ in 0..<500_000 where !condition() { await Task.yield() }
        #expect(condition(), what)
    }

    /// Lets Claude answer a number of calls, each after a time.
    private func answer(
        _ setting: Setting, times: Int = 5, after time: Duration, prompt: String = "report"
    ) async throws {
        for _ in 0..<times {
            let (before, read) = (setting.claude.calls, setting.claude.commandsRead)
            let call = ask(setting, left: .seconds(600), prompt: prompt)
            await settle("the call") { setting.claude.calls > before }
            setting.claude.send(.head, .text("Words"))
            await settle("the first words") { setting.claude.commandsRead == read + 2 }
            clock.advance(by: time)
            setting.claude.send(.end)
            _ = try await call.value
        }
    }

    private func failure(_ call: Task<ModelResponse, any Error>) async -> ModelError? {
        await #expect(throws: ModelError.self) { try await call.value }
    }

    @Test func aCallThatCannotEndInTimeIsNotMadeAndTheJobHearsWhy() async throws {
        let setting = try setting()
        try await answer(setting, after: .seconds(20))
        let error = try #require(await failure(ask(setting, left: .seconds(21))))
        #expect(error.kind == .tooLittleTime(left: .seconds(19), usual: .seconds(20)))
        #expect(!error.isTransient)
        #expect(
            error.description.hasSuffix("an answer usually takes 20.0 s, and 19.0 s are left, so that no call was made")
        )
        #expect(setting.claude.calls == 5 && book.entries.count == 5)
        #expect(setting.router.callsInFlight == 0)
    }

    @Test func aCallThatUsuallyEndsInTimeIsMade() async throws {
        let setting = try setting()
        try await answer(setting, after: .seconds(20))
        let call = ask(setting, left: .seconds(22.5))
        await settle("the call") { setting.claude.calls == 6 }
        setting.claude.send(.head, .text("Words"), .end)
        #expect(try await call.value.text == "Words")
    }

    @Test func theNextCandidateIsAskedWhenOnlyItCanEndInTime() async throws {
        let setting = try setting(tier: ["claude-sonnet-5-5", "gemini-3.8-flash"])
        try await answer(setting, after: .seconds(2))
        try await answer(setting, times: 6, after: .seconds(9))
        let call = ask(setting, left: .seconds(10))
        await settle("the call") { setting.gemini.calls == 1 }
        setting.gemini.send(.head, .text("Words"), .end)
        #expect(try await call.value.provider == .gemini)
        #expect(setting.claude.calls == 11)
    }

    @Test func theAnswersToAnotherPromptSayNothing() async throws {
        let setting = try setting()
        try await answer(setting, after: .seconds(20), prompt: "report")
        for prompt in ["headline", nil] {
            let before = setting.claude.calls
            let call = ask(setting, left: .seconds(5), prompt: prompt)
            await settle("the call") { setting.claude.calls == before + 1 }
            setting.claude.send(.head, .text("Words"), .end)
            _ = try await call.value
        }
    }

    @Test func fewerThanFiveAnswersSayNothing() async throws {
        let setting = try setting()
        try await answer(setting, times: 4, after: .seconds(20))
        let call = ask(setting, left: .seconds(5))
        await settle("the call") { setting.claude.calls == 5 }
        setting.claude.send(.head, .text("Words"), .end)
        _ = try await call.value
    }

    @Test func timeThatPassesInTheLineOfABudgetCounts() async throws {
        let budgets = SlowBudgets(clock)
        let setting = try setting(budgets: budgets)
        try await answer(setting, after: .seconds(20))
        budgets.delay = .seconds(3)
        let error = try #require(await failure(ask(setting, left: .seconds(24))))
        #expect(error.kind == .tooLittleTime(left: .seconds(19), usual: .seconds(20)))
        #expect(setting.claude.calls == 5 && setting.router.callsInFlight == 0)
    }
}

/// Budgets that let every call in, after a time.
private final class SlowBudgets: BudgetStore {
    private let store = ScriptedBudgetStore()
    private let clock: ManualClock
    private let state = Mutex(Duration.zero)

    init(_ clock: ManualClock) { self.clock = clock }

    var delay: Duration {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }

    func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        if requests.contains(where: { !$0.calls.isEmpty }) { clock.advance(by: delay) }
        return try await store.exchange(requests)
    }
}
