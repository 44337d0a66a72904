import Basics
import HTTP
import JSON
import JobQueue
import Synchronization
import TestSupport
import Testing

@testable import LanguageModels

/// A model that answers from a list and counts its calls.
private final class ScriptedModel: LanguageModel {
    enum Reply: Sendable {
        case text(String)
        case failure(ModelError)
        /// Streams a beginning, then fails.
        case beginning(String, ModelError)
        /// Waits until it is released or cancelled.
        case wait(HeldCall)
    }

    let description: ModelDescription
    private let state: Mutex<(replies: [Reply], calls: Int)>

    init(_ description: ModelDescription, _ replies: [Reply]) {
        self.description = description
        state = Mutex((replies, 0))
    }

    var calls: Int { state.withLock(\.calls) }

    func respond(
        to request: ModelRequest, activity: CallActivity, onText: (@Sendable (String) -> Void)?
    ) async throws(ModelError) -> ModelResponse {
        let reply = state.withLock { state in
            state.calls += 1
            return state.replies.isEmpty ? Reply.text("default") : state.replies.removeFirst()
        }
        switch reply {
        case .text(let text):
            onText?(text)
            return response(text)
        case .failure(let error): throw error
        case .beginning(let text, let error):
            onText?(text)
            throw error
        case .wait(let call):
            await call.wait()
            if Task.isCancelled { throw ModelError(.cancelled) }
            return response("waited")
        }
    }

    private func response(_ text: String) -> ModelResponse {
        ModelResponse(
            provider: description.provider, requestedModel: description.id, model: description.id, text: text,
            stopReason: .endOfTurn, usage: TokenUsage(input: 10, output: 5), cost: MicroDollars(rawValue: 70),
            timings: .init(total: .zero), original: ProviderContent(provider: description.provider, content: []))
    }
}

/// A call that waits until the test or a cancellation ends it.
private struct HeldCall: Sendable {
    let arrived = Signal()
    let released = Signal()

    func wait() async {
        arrived.fire()
        await withTaskCancellationHandler {
            await released.wait()
        } onCancel: {
            released.fire()
        }
    }
}

@Suite struct ModelRouterTests {
    private let time = ManualClock()

    private struct Setting {
        let router: ModelRouter
        let claude: ScriptedModel
        let gemini: ScriptedModel
        let records: Collector<CallRecord>
    }

    private func setting(
        claude: [ScriptedModel.Reply] = [], gemini: [ScriptedModel.Reply] = [], concurrentCalls: Int = 8,
        interactiveReserve: Int = 0, budgets: ScriptedBudgetStore? = nil
    ) throws -> Setting {
        var (sonnet, flash) = (try Fixture.sonnet(), try Fixture.flash())
        if budgets != nil {
            sonnet.budget = ModelBudget(
                name: "claude/sonnet", limits: BudgetLimits(requestsPerMinute: 60, tokensPerMinute: 1_000_000))
            flash.budget = ModelBudget(name: "gemini/flash", limits: BudgetLimits(requestsPerMinute: 60))
        }
        let claude = ScriptedModel(sonnet, claude)
        let gemini = ScriptedModel(flash, gemini)
        let catalogue = ModelCatalogue(
            models: ["claude-sonnet-5-5": claude.description, "gemini-3.8-flash": gemini.description],
            tiers: ["deep": ["claude-sonnet-5-5", "gemini-3.8-flash"]])
        let records = Collector<CallRecord>()
        let router = ModelRouter(
            catalogue, models: ["claude-sonnet-5-5": claude, "gemini-3.8-flash": gemini],
            concurrentCalls: concurrentCalls, interactiveReserve: interactiveReserve,
            breaker: .init(failures: 3), clock: time.source,
            limiter: budgets.map { BudgetLimiter($0, clock: time.source) },
            onCall: { records.add($0) })
        return Setting(router: router, claude: claude, gemini: gemini, records: records)
    }

    private func ask(_ setting: Setting, caller: CallContext = CallContext()) async throws -> ModelResponse {
        try await setting.router.respond(to: Fixture.plain, tier: "deep", caller: caller)
    }

    private func error(_ kind: ModelError.Kind, after pause: Duration? = nil) -> ModelError {
        ModelError(kind, provider: .claude, model: "m", retryAfter: pause)
    }

    @Test func theFirstCandidateIsAskedAlone() async throws {
        let setting = try setting(claude: [.text("a")])
        #expect(try await ask(setting).text == "a")
        #expect(setting.claude.calls == 1)
        #expect(setting.gemini.calls == 0)
    }

    @Test func aRouteTakesThePlaceOfTheTier() async throws {
        let setting = try setting(gemini: [.text("b")])
        let route = PromptRoute(prompt: "summary", models: ["gemini-3.8-flash", "claude-sonnet-5-5"])
        #expect(try await ask(setting, caller: CallContext(route: route)).text == "b")
        #expect(setting.claude.calls == 0)
        #expect(setting.records.values.map(\.prompt) == ["summary"])
    }

    @Test func theNextModelOfARouteIsAskedOnlyWhenTheOneBeforeCannotServe() async throws {
        let setting = try setting(claude: [.text("a")], gemini: [.failure(error(.overloaded))])
        let route = PromptRoute(prompt: "summary", models: ["gemini-3.8-flash", "claude-sonnet-5-5"])
        #expect(try await ask(setting, caller: CallContext(route: route)).text == "a")
        let alone = try self.setting(gemini: [.failure(error(.overloaded))])
        let single = PromptRoute(prompt: "summary", models: ["gemini-3.8-flash"])
        await #expect(throws: ModelError.self) { try await ask(alone, caller: CallContext(route: single)) }
        #expect(alone.claude.calls == 0)
    }

    @Test func aRouteWithoutAKnownModelLeavesThePromptToItsTier() async throws {
        let setting = try setting(claude: [.text("a"), .text("c")])
        for models in [[], ["gone"]] {
            _ = try await ask(setting, caller: CallContext(route: PromptRoute(prompt: "summary", models: models)))
        }
        #expect(setting.claude.calls == 2)
    }

    static let falling: [ModelError.Kind] = [
        .rateLimited, .overloaded, .serverError, .timeout, .connection("x"), .conflict, .malformedAnswer("x"),
        .quotaExhausted(.daily), .authentication, .permission, .notFound,
    ]

    @Test(arguments: falling)
    func aProviderThatCannotServeIsAskedOnceAndTheNextTakesOver(kind: ModelError.Kind) async throws {
        let setting = try setting(claude: [.failure(error(kind))], gemini: [.text("b")])
        #expect(try await ask(setting).provider == .gemini)
        #expect(setting.claude.calls == 1)
        #expect(setting.gemini.calls == 1)
        #expect(setting.records.values.map(\.outcome) == [kind.name, "answered"])
        #expect(setting.records.values.map(\.isFallback) == [false, true])
    }

    static let staying: [ModelError.Kind] = [
        .invalidRequest, .tooLarge, .unsupportedSchema(.untyped(path: "")), .refused(category: nil),
        .truncated(.maxOutputTokens), .unparseable("x"), .schemaViolation([]), .unusable(reason: "x"), .answerTooLarge,
        .spendCapReached(.user), .notBooked, .cancelled,
    ]

    @Test(arguments: staying)
    func anErrorThatAnotherProviderCannotFixEndsTheCall(kind: ModelError.Kind) async throws {
        let setting = try setting(claude: [.failure(error(kind))])
        #expect(try await failure { try await ask(setting) }.kind == kind)
        #expect(setting.gemini.calls == 0)
    }

    @Test(
        arguments: [
            (
                ModelError.Kind.rateLimited, Duration.seconds(40), ModelError.Kind.overloaded, Duration.seconds(5),
                "overloaded"
            ),
            (.authentication, nil, .overloaded, .seconds(5), "overloaded"),
            (.overloaded, .seconds(5), .authentication, nil, "overloaded"),
            (.timeout, nil, .overloaded, .seconds(5), "timeout"),
            (.authentication, nil, .notFound, nil, "authentication"),
        ] as [(ModelError.Kind, Duration?, ModelError.Kind, Duration?, String)])
    func theErrorWithTheShortestRetryIsThrown(
        first: ModelError.Kind, pause: Duration?, second: ModelError.Kind, otherPause: Duration?, told: String
    ) async throws {
        let setting = try setting(
            claude: [.failure(error(first, after: pause))], gemini: [.failure(error(second, after: otherPause))])
        #expect(try await failure { try await ask(setting) }.kind.name == told)
        #expect(setting.claude.calls == 1)
        #expect(setting.gemini.calls == 1)
    }

    // MARK: Budgets

    @Test func aCallTakesFromTheBudgetAndReportsItsUse() async throws {
        let budgets = ScriptedBudgetStore()
        let setting = try setting(claude: [.text("a"), .text("b")], budgets: budgets)
        _ = try await ask(setting)
        let need = try #require(budgets.requests.first?.calls.first)
        #expect(need.input > 0 && need.output <= 100)
        // The call used 10 tokens of input and 5 of output.
        let mark = BudgetMark(at: Timestamp(milliseconds: 1), call: 1)
        let used: [BudgetReport] = [
            .corrected(BudgetAmount(input: 10 - need.input, output: 5 - need.output), mark),
            .written(5), .written(0),
        ]
        for _ in 0..<100_000 where !budgets.requests.contains(where: { $0.reports == used }) {
            time.advance(by: .milliseconds(1))
            await Task.yield()
        }
        #expect(budgets.requests.contains { $0.reports == used })
    }

    @Test func aLongWaitForABudgetAsksTheNextCandidateAndNoneTwice() async throws {
        let budgets = ScriptedBudgetStore()
        budgets.wait(.seconds(30), for: "claude/sonnet")
        let setting = try setting(gemini: [.text("b")], budgets: budgets)
        #expect(try await ask(setting).provider == .gemini)
        #expect(setting.claude.calls == 0)
        #expect(setting.records.values.map(\.outcome) == ["answered"])
    }

    @Test func whenAllBudgetsAreUsedUpTheShortestWaitIsThrown() async throws {
        let budgets = ScriptedBudgetStore()
        budgets.wait(.seconds(30), for: "claude/sonnet")
        budgets.wait(.seconds(20), for: "gemini/flash")
        let setting = try setting(budgets: budgets)
        let error = try await failure { try await ask(setting) }
        #expect(error.kind == .rateLimited && error.retryAfter == .seconds(20) && error.provider == .gemini)
        #expect(setting.records.values.isEmpty)
    }

    @Test func aCallWaitsAShortTimeForABudget() async throws {
        let budgets = ScriptedBudgetStore()
        budgets.wait(.seconds(2), for: "claude/sonnet", times: 2)
        let setting = try setting(claude: [.text("a")], budgets: budgets)
        #expect(try await ask(setting).provider == .claude)
        #expect(budgets.requests.count { !$0.calls.isEmpty } == 3)
    }

    @Test func a429StopsTheCallsOfAllProcesses() async throws {
        let budgets = ScriptedBudgetStore()
        let setting = try setting(claude: [.failure(error(.rateLimited, after: .seconds(20)))], budgets: budgets)
        #expect(try await ask(setting).provider == .gemini)
        #expect(
            budgets.requests.contains { request in
                request.budget == "claude/sonnet"
                    && request.reports.contains { if case .refused(.seconds(20), _) = $0 { true } else { false } }
            })
        // Another process makes no call.
        let other = try self.setting(budgets: budgets)
        #expect(try await ask(other).provider == .gemini)
        #expect(other.claude.calls == 0)
    }

    @Test func anUnreachableBudgetStoreStopsCallsWithoutCost() async throws {
        let budgets = ScriptedBudgetStore()
        budgets.isUnreachable = true
        let setting = try setting(budgets: budgets)
        #expect(try await failure { try await ask(setting) }.kind == .unavailable)
        #expect(setting.claude.calls + setting.gemini.calls == 0)
    }

    @Test func aProviderThatAnswered429IsNotAskedUntilItsPauseEnds() async throws {
        let setting = try setting(claude: [.failure(error(.rateLimited, after: .seconds(20)))])
        _ = try await ask(setting)
        time.advance(by: .seconds(19))
        #expect(try await ask(setting).provider == .gemini)
        #expect(setting.claude.calls == 1)
        time.advance(by: .seconds(1))
        #expect(try await ask(setting).provider == .claude)
        #expect(setting.claude.calls == 2)
    }

    @Test func whenAllProvidersArePausedTheShortestPauseIsThrown() async throws {
        let setting = try setting(
            claude: [.failure(error(.rateLimited, after: .seconds(20)))],
            gemini: [.failure(error(.rateLimited, after: .seconds(8)))])
        _ = try await failure { try await ask(setting) }
        time.advance(by: .seconds(3))
        let later = try await failure { try await ask(setting) }
        #expect(later.kind == .rateLimited)
        #expect(later.retryAfter == .seconds(5))
        #expect(setting.claude.calls + setting.gemini.calls == 2)
    }

    @Test func aPersonsCallWaitsForAShortPauseOfAllProviders() async throws {
        let setting = try setting(
            claude: [.failure(error(.rateLimited, after: .seconds(1))), .text("second")],
            gemini: [.failure(error(.rateLimited, after: .seconds(30)))])
        #expect(try await ask(setting, caller: CallContext(isInteractive: true)).text == "second")
        #expect(setting.claude.calls == 2 && setting.gemini.calls == 1)
    }

    @Test func aPersonsCallWaitsTwiceAtMostAndNeverLong() async throws {
        let short = Array(repeating: ScriptedModel.Reply.failure(error(.rateLimited, after: .seconds(1))), count: 4)
        let setting = try setting(claude: short, gemini: short)
        let caller = CallContext(isInteractive: true)
        #expect(try await failure { try await ask(setting, caller: caller) }.kind == .rateLimited)
        #expect(setting.claude.calls == 3 && setting.gemini.calls == 3)
        let long = ScriptedModel.Reply.failure(error(.rateLimited, after: .seconds(3)))
        let other = try self.setting(claude: [long], gemini: [long])
        #expect(try await failure { try await ask(other, caller: caller) }.retryAfter == .seconds(3))
        #expect(other.claude.calls == 1)
        let background = try self.setting(claude: short, gemini: short)
        #expect(try await failure { try await ask(background) }.kind == .rateLimited)
        #expect(background.claude.calls == 1)
    }

    @Test func aFailingModelRestsAndOneSmallCallProbesIt() async throws {
        let failures = Array(repeating: ScriptedModel.Reply.failure(error(.serverError)), count: 4)
        let setting = try setting(claude: failures + [.text("back")])
        for _ in 0..<5 { _ = try await ask(setting) }
        #expect(setting.claude.calls == 3, "open after three failures in a row")
        func probe(after pause: Duration, calls: Int) async throws {
            time.advance(by: pause)
            let before = setting.records.values.count { $0.tier == "probe" }
            for _ in 0..<calls { #expect(try await ask(setting).provider == .gemini) }
            for _ in 0..<100_000 where setting.records.values.count(where: { $0.tier == "probe" }) == before {
                await Task.yield()
            }
        }
        try await probe(after: .seconds(30), calls: 2)
        #expect(setting.claude.calls == 4, "one probe, which failed")
        // After the probe that succeeds, a further call would go to Claude.
        try await probe(after: .seconds(60), calls: 1)
        #expect(setting.claude.calls == 5)
        #expect(try await ask(setting).provider == .claude)
    }

    @Test func whenEveryProviderRestsTheErrorSaysForHowLong() async throws {
        let failing = Array(repeating: ScriptedModel.Reply.failure(error(.overloaded)), count: 3)
        let setting = try setting(claude: failing, gemini: failing)
        for _ in 0..<3 { _ = try await failure { try await ask(setting) } }
        time.advance(by: .seconds(10))
        let resting = try await failure { try await ask(setting) }
        #expect(resting.kind == .unavailable)
        #expect(resting.retryAfter == .seconds(20))
        #expect(resting.isTransient)
        #expect(setting.claude.calls + setting.gemini.calls == 6)
    }

    @Test func theTextOfAModelThatFailsMidwayIsWithdrawn() async throws {
        let setting = try setting(claude: [.beginning("Once upon", error(.overloaded))], gemini: [.text("Apple")])
        let events = Collector<StreamEvent>()
        _ = try await setting.router.respond(to: Fixture.plain, tier: "deep") { events.add($0) }
        #expect(
            events.values == [
                .text("Once upon"), .restarted(provider: .gemini, model: "gemini-3.8-flash"), .text("Apple"),
            ])
    }

    @Test func withoutTextThereIsNothingToWithdraw() async throws {
        let setting = try setting(claude: [.failure(error(.overloaded))], gemini: [.text("Apple")])
        let events = Collector<StreamEvent>()
        _ = try await setting.router.respond(to: Fixture.plain, tier: "deep") { events.add($0) }
        #expect(events.values == [.text("Apple")])
    }

    @Test func callsBeyondTheLimitWait() async throws {
        let held = HeldCall()
        let setting = try setting(claude: [.wait(held), .text("second")], concurrentCalls: 1)
        async let first = ask(setting)
        await held.arrived.wait()
        async let second = ask(setting)
        #expect(setting.claude.calls == 1)
        held.released.fire()
        #expect(try await first.text == "waited")
        #expect(try await second.text == "second")
        #expect(setting.router.callsInFlight == 0)
    }

    @Test func aCancelledCallReleasesItsPermitAndChangesNoHealth() async throws {
        let held = HeldCall()
        let setting = try setting(claude: [.wait(held), .text("next")], concurrentCalls: 1)
        let running = Task { try await ask(setting) }
        await held.arrived.wait()
        let waiting = Task { try await ask(setting) }
        waiting.cancel()
        #expect(try await failure { try await waiting.value }.kind == .cancelled)
        running.cancel()
        #expect(try await failure { try await running.value }.kind == .cancelled)
        #expect(setting.router.callsInFlight == 0)
        #expect(try await ask(setting).text == "next")
        #expect(setting.gemini.calls == 0)
    }

    @Test func withoutKeysTheVariablesAreNamed() async throws {
        let catalogue = try ModelCatalogueTests.shipped()
        let router = ModelRouter(catalogue, configuration: ModelsConfiguration(), transport: ScriptedTransport())
        let error = try await failure { try await router.respond(to: Fixture.plain, tier: "deep") }
        #expect(
            error.description
                == "no model of 'deep' can be reached: set one of ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, "
                + "GEMINI_API_KEY, GEMINI_BASE_URL, OPENAI_BASE_URL")
        #expect(!router.canServe("deep"))
        let unknown = try await failure { try await router.respond(to: Fixture.plain, tier: "deap") }
        #expect(unknown.description == "there is neither a tier nor a priced model 'deap'")
    }

    @Test func onlyProvidersWithKeyOrAddressAreAsked() async throws {
        let transport = ScriptedTransport(
            .answer(status: 503, body: ""), .answer(body: #"{"choices":[{"message":{"content":"x"}}]}"#))
        let configuration = ModelsConfiguration(
            gemini: .init(key: Fixture.key), openai: .init(key: Secret("k"), baseURL: "http://127.0.0.1:8000/v1/"))
        let router = ModelRouter(
            try ModelCatalogueTests.shipped(), configuration: configuration, transport: transport, clock: time.source)
        #expect(try await router.respond(to: Fixture.plain, tier: "deep").requestedModel == "local")
        #expect(
            transport.requests.map(\.url) == [
                "https://generativelanguage.googleapis.com/v1/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
                "http://127.0.0.1:8000/v1/chat/completions",
            ])
        #expect(transport.requests.last?.headers["authorization"] == "Bearer k")
    }
}
