import Basics
import JSON
import JobQueue
import Synchronization
import TestSupport
import Testing

@testable import LanguageModels

/// A model that is silent in the way that a script says.
private final class SilentModel: LanguageModel {
    enum Reply: Sendable {
        case text(String)
        case failure(ModelError.Kind)
        /// Accepts the call and never answers.
        case never
        /// Sends the head and a beginning, and then nothing more.
        case beginning(String)
        /// Sends the head and then pings.
        case pings
    }

    let description: ModelDescription
    private let clock: ManualClock
    private let state: Mutex<(replies: [Reply], requests: [ModelRequest], sleepers: Int)>

    init(_ description: ModelDescription, _ clock: ManualClock, _ replies: [Reply]) {
        self.description = description
        self.clock = clock
        state = Mutex((replies, [], 0))
    }

    var requests: [ModelRequest] { state.withLock(\.requests) }
    var calls: Int { requests.count }
    /// The sleepers that the silent calls have on the clock: the watch of each, and a pause between two pings.
    var sleepers: Int { state.withLock(\.sleepers) }

    func respond(
        to request: ModelRequest, activity: CallActivity, onText: (@Sendable (String) -> Void)?
    ) async throws(ModelError) -> ModelResponse {
        let reply = state.withLock { state in
            state.requests.append(request)
            return state.replies.count > 1 ? state.replies.removeFirst() : state.replies.first ?? .text("default")
        }
        switch reply {
        case .text(let text):
            activity.received(text.utf8.count)
            onText?(text)
            return ModelResponse(
                provider: description.provider, requestedModel: description.id, model: description.id, text: text,
                stopReason: .endOfTurn, usage: TokenUsage(), cost: .zero, timings: .init(total: .zero),
                original: ProviderContent(provider: description.provider, content: []))
        case .failure(let kind): throw ModelError(kind, provider: description.provider, model: description.id)
        case .never, .beginning, .pings: await beSilent(reply, activity, onText)
        }
        throw ModelError(.cancelled)
    }

    private func beSilent(_ reply: Reply, _ activity: CallActivity, _ onText: (@Sendable (String) -> Void)?) async {
        var sleepers = 1
        if case .pings = reply { sleepers = 2 }
        if case .beginning(let text) = reply {
            activity.received(text.utf8.count)
            onText?(text)
        }
        state.withLock { $0.sleepers += sleepers }
        defer { state.withLock { $0.sleepers -= sleepers } }
        switch reply {
        case .pings:
            while (try? await clock.sleep(for: .seconds(5))) != nil {
                activity.receivedHead()
                activity.received(0)
            }
        default:
            let (never, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct StalledCandidateTests {
    private let clock = ManualClock()

    private struct Setting {
        let router: ModelRouter
        let claude: SilentModel
        let gemini: SilentModel
        let records: Collector<CallRecord>
    }

    private func setting(
        claude: SilentModel.Reply..., gemini: [SilentModel.Reply] = [],
        tier: [String] = ["claude-sonnet-5-5", "gemini-3.8-flash"], budgets: (any BudgetStore)? = nil
    ) throws -> Setting {
        let claude = SilentModel(try Fixture.sonnet(), clock, claude)
        let gemini = SilentModel(try Fixture.flash(), clock, gemini)
        let catalogue = ModelCatalogue(
            models: ["claude-sonnet-5-5": claude.description, "gemini-3.8-flash": gemini.description],
            tiers: ["deep": tier])
        let records = Collector<CallRecord>()
        let router = ModelRouter(
            catalogue, models: ["claude-sonnet-5-5": claude, "gemini-3.8-flash": gemini], clock: clock.waitingSource,
            limiter: budgets.map { BudgetLimiter($0, clock: clock.source) }, onCall: { records.add($0) })
        return Setting(router: router, claude: claude, gemini: gemini, records: records)
    }

    /// Asks, and moves the clock to the next deadline of a sleeper while a model is silent.
    ///
    /// - Parameters:
    ///   - setting: The models.
    ///   - left: The time of the caller.
    ///   - isInteractive: Whether a person waits.
    ///   - onEvent: Receives the events of the answer.
    ///   - meanwhile: Runs once, when the call is silent and before the clock moves.
    /// - Returns: The answer, and the time that the call took.
    private func ask(
        _ setting: Setting, left: Duration = .seconds(170), isInteractive: Bool = false,
        onEvent: (@Sendable (StreamEvent) -> Void)? = nil, meanwhile: () async -> Void = {}
    ) async -> (result: Result<ModelResponse, ModelError>, waited: Duration) {
        var isFirstMove = true
        let start = clock.source.uptime()
        let isDone = Mutex(false)
        let call = Task<Result<ModelResponse, ModelError>, Never> {
            defer { isDone.withLock { $0 = true } }
            do throws(ModelError) {
                return .success(
                    try await setting.router.respond(
                        to: Fixture.plain, tier: "deep",
                        caller: CallContext(isInteractive: isInteractive, timeLeft: left), onEvent: onEvent))
            } catch {
                return .failure(error)
            }
        }
        while !isDone.withLock(\.self) {
            await Task.yield()
            // The time limit of the suite ends a call that does not end by itself.
            if Task.isCancelled { call.cancel() }
            let sleepers = setting.claude.sleepers + setting.gemini.sleepers
            let deadlines = clock.deadlines
            if sleepers > 0, deadlines.count >= sleepers, let next = deadlines.first {
                if isFirstMove {
                    isFirstMove = false
                    await meanwhile()
                    continue
                }
                clock.advance(by: max(.zero, next - clock.source.uptime()))
            }
        }
        return (await call.value, clock.source.uptime() - start)
    }

    /// Asks without moving the clock: the call must not wait for any model.
    private func askWithoutWaiting(_ setting: Setting) async throws -> ModelResponse {
        try await setting.router.respond(
            to: Fixture.plain, tier: "deep", caller: CallContext(timeLeft: .seconds(170)))
    }

    private func settle(_ condition: () -> Bool) async {
        for _ in 0..<200_000 where !condition() { await Task.yield() }
        #expect(condition())
    }

    @Test(arguments: [(false, 30), (true, 10)])
    func aCandidateThatNeverAnswersMakesWayForTheNext(isInteractive: Bool, seconds: Int) async throws {
        let setting = try setting(claude: .never)
        let (result, waited) = await ask(setting, isInteractive: isInteractive)
        #expect(try result.get().provider == .gemini)
        #expect(waited == .seconds(seconds))
        #expect(setting.records.values.map(\.outcome) == ["stalled", "answered"])
    }

    @Test func aCandidateThatOnlyPingsMakesWayForTheNext() async throws {
        let setting = try setting(claude: .pings)
        let (result, waited) = await ask(setting)
        #expect(try result.get().provider == .gemini)
        #expect(waited == .seconds(51), "three tenths of the time")
    }

    @Test func aCallOfAnUnknownModelUsesWhatOtherCallsShowMeanwhile() async throws {
        let setting = try setting(claude: .pings, .text("a"))
        let (result, waited) = await ask(
            setting,
            meanwhile: {
                for _ in 0..<20 {
                    let other = try? await askWithoutWaiting(setting)
                    #expect(other?.provider == .claude)
                }
            })
        #expect(try result.get().provider == .gemini)
        #expect(waited == .seconds(20), "the limit of a known model, not a share of the time")
    }

    @Test func theReaderOfAnAnswerThatStopsMidwaySeesItRestart() async throws {
        let setting = try setting(claude: .beginning("Once upon"), gemini: [.text("Apple")])
        let events = Collector<StreamEvent>()
        let (result, waited) = await ask(setting) { events.add($0) }
        #expect(try result.get().text == "Apple")
        #expect(waited == .seconds(30))
        #expect(
            events.values == [
                .text("Once upon"), .restarted(provider: .gemini, model: "gemini-3.8-flash"), .text("Apple"),
            ])
    }

    @Test(arguments: [30, 60])
    func callersWithLittleTimeAreAnsweredWithinIt(seconds: Int) async throws {
        let setting = try setting(claude: .never)
        let (result, waited) = await ask(setting, left: .seconds(seconds), isInteractive: true)
        #expect(try result.get().provider == .gemini)
        #expect(waited < .seconds(seconds / 2))
    }

    @Test func afterTwoStallsNobodyWaitsForTheModel() async throws {
        let setting = try setting(claude: .never)
        for _ in 0..<2 { _ = await ask(setting) }
        for _ in 0..<20 { #expect(try await askWithoutWaiting(setting).provider == .gemini) }
        #expect(setting.claude.calls == 2)
    }

    @Test func aSmallCallProbesWhileJobsGoToTheNextCandidate() async throws {
        let setting = try setting(claude: .never, .never, .never, .text("OK"))
        for _ in 0..<2 { _ = await ask(setting) }
        clock.advance(by: .seconds(30))
        #expect(try await askWithoutWaiting(setting).provider == .gemini)
        await settle { setting.claude.sleepers == 1 && !clock.deadlines.isEmpty }
        // A short answer would not show that the model stops in the midst of answers.
        #expect(setting.claude.calls == 3 && setting.claude.requests.last?.maxOutputTokens == 256)
        // The probe stalls after three tenths of 90 s, and the breaker stays open for twice the time.
        clock.advance(by: .seconds(27))
        await settle { setting.records.values.filter { $0.tier == "probe" }.map(\.outcome) == ["stalled"] }
        clock.advance(by: .seconds(59))
        for _ in 0..<5 { #expect(try await askWithoutWaiting(setting).provider == .gemini) }
        #expect(setting.claude.calls == 3)
        clock.advance(by: .seconds(1))
        #expect(try await askWithoutWaiting(setting).provider == .gemini)
        await settle { setting.records.values.filter { $0.tier == "probe" }.map(\.outcome) == ["stalled", "answered"] }
        #expect(try await askWithoutWaiting(setting).provider == .claude)
    }

    @Test func aModelThatSeemsToBeSilentIsAskedLast() async throws {
        let setting = try setting(claude: .never)
        var calls: [Task<ModelResponse, any Error>] = []
        func call(after pause: Duration) async {
            clock.advance(by: pause)
            calls.append(Task { try await askWithoutWaiting(setting) })
            let count = calls.count
            await settle { setting.claude.sleepers == count && clock.deadlines.count == count }
        }
        await call(after: .zero)
        await call(after: .seconds(1))
        await call(after: .seconds(8))
        clock.advance(by: .seconds(2))
        // Two calls are silent for ten seconds: the next ones go elsewhere, long before the first stall.
        for _ in 0..<5 { #expect(try await askWithoutWaiting(setting).provider == .gemini) }
        #expect(setting.claude.calls == 3)
        // The third one follows them when it has been silent for as long.
        clock.advance(by: .seconds(8))
        #expect(try await calls[2].value.provider == .gemini)
        #expect(setting.claude.sleepers == 2)
        for call in calls { call.cancel() }
        for call in calls { _ = try? await call.value }
        let now = clock.source.uptime()
        #expect(setting.router.states[.claude]?.isSuspect("claude-sonnet-5-5", at: now) == false)
        #expect(setting.router.states[.claude]?.obstacle(to: "claude-sonnet-5-5", at: now) == nil, "no stall by itself")
    }

    @Test func stallsBesideOtherCandidatesDoNotRaiseTheLimits() async throws {
        let setting = try setting(claude: .text("a"))
        for _ in 0..<20 { _ = await ask(setting) }
        let state = try #require(setting.router.states[.claude])
        func limit() throws -> Duration {
            let now = clock.source.uptime()
            return state.timeouts(for: try Fixture.sonnet(), effort: nil, isInteractive: true, at: now).gap
        }
        #expect(try limit() == .seconds(10))
        for isLast in [false, true] {
            var activity = CallActivity.Snapshot(startedAt: .zero)
            activity.receive(800, at: .zero)
            let now = clock.source.uptime()
            _ = state.finished(
                .init(
                    model: "claude-sonnet-5-5", error: ModelError(.stalled(Stall(.gap, silence: .seconds(5)))),
                    isLast: isLast, activity: activity, at: now))
            #expect(try limit() == .seconds(isLast ? 40 : 10))
        }
    }

    // MARK: One candidate

    @Test func theOnlyCandidateIsAskedOnceMore() async throws {
        let setting = try setting(claude: .never, .text("a"), tier: ["claude-sonnet-5-5"])
        let (result, waited) = await ask(setting)
        #expect(try result.get().text == "a")
        #expect(waited == .seconds(30))
        #expect(setting.claude.calls == 2)
    }

    @Test func theOnlyCandidateGetsAllTheTimeWhenItIsAskedAgain() async throws {
        let setting = try setting(claude: .never, tier: ["claude-sonnet-5-5"])
        let (result, waited) = await ask(setting)
        let error = try #require(throws: ModelError.self) { try result.get() }
        #expect(waited == .seconds(168))
        #expect(error.kind == .outOfTime(Stall(.firstByte, silence: .seconds(138)), isStalled: true))
        #expect(
            error.description
                == "Claude (claude-sonnet-5-5): the time was over after 138.0 s of silence, waiting for the first byte")
    }

    @Test func callersHearAtOnceThatEveryCandidateIsStopped() async throws {
        let setting = try setting(claude: .failure(.serverError), gemini: [.failure(.overloaded)])
        for _ in 0..<5 { _ = await ask(setting) }
        let calls = setting.claude.calls + setting.gemini.calls
        let (result, waited) = await ask(setting)
        let error = try #require(throws: ModelError.self) { try result.get() }
        #expect(error.kind == .unavailable && error.postponement == .breakerOpen)
        #expect(error.retryAfter.map { $0 > .zero && $0 <= .seconds(30) } == true)
        #expect(waited == .zero)
        #expect(setting.claude.calls + setting.gemini.calls == calls)
    }

    @Test func theBreakerOfTheLastCandidateOpensWhileItsCallsGoOn() async throws {
        let setting = try setting(claude: .never, tier: ["claude-sonnet-5-5"])
        for _ in 0..<25 { _ = setting.router.states[.claude]?.takeRetry(afterStall: true) }
        let calls = (0..<2).map { _ in Task { try await askWithoutWaiting(setting) } }
        await settle { setting.claude.sleepers == 2 && clock.deadlines.count == 2 }
        clock.advance(by: .seconds(30))
        await settle {
            setting.router.states[.claude]?.obstacle(to: "claude-sonnet-5-5", at: clock.source.uptime()) != nil
        }
        let error = try await failure { try await askWithoutWaiting(setting) }
        #expect(error.postponement == .breakerOpen && setting.claude.calls == 2)
        for call in calls { call.cancel() }
    }

    @Test func whileTheOnlyModelIsTestedCallersHearAtOnceToo() async throws {
        let setting = try setting(claude: .never, tier: ["claude-sonnet-5-5"])
        for _ in 0..<25 { _ = setting.router.states[.claude]?.takeRetry(afterStall: true) }
        let state = try #require(setting.router.states[.claude])
        for _ in 0..<2 {
            _ = state.finished(
                .init(
                    model: "claude-sonnet-5-5", error: ModelError(.stalled(Stall(.firstByte, silence: .seconds(30)))),
                    activity: .init(startedAt: .zero), at: .zero))
        }
        clock.advance(by: .seconds(30))
        var pauses: [Duration] = []
        for _ in 0..<4 {
            let error = try await failure { try await askWithoutWaiting(setting) }
            #expect(error.postponement == .breakerOpen)
            pauses.append(error.retryAfter ?? .zero)
            #expect(setting.claude.calls <= 1, "one small call tests the model")
            await settle { setting.claude.sleepers == 1 }
            clock.advance(by: .seconds(5))
        }
        #expect(pauses == [.seconds(3), .seconds(5), .seconds(10), .seconds(10)])
        #expect(setting.claude.requests.allSatisfy { $0.maxOutputTokens == 256 })
    }

    @Test func anEmptyRetryBudgetAllowsNoSecondCall() async throws {
        let setting = try setting(claude: .never)
        for _ in 0..<25 { _ = setting.router.states[.gemini]?.takeRetry(afterStall: true) }
        let result = await ask(setting).result
        let error = try #require(throws: ModelError.self) { try result.get() }
        #expect(error.postponement == .retryBudget && error.isTransient)
        #expect(setting.gemini.calls == 0)
    }

    @Test func aCancelledCallIsNoStall() async throws {
        let setting = try setting(claude: .never)
        let call = Task { try await setting.router.respond(to: Fixture.plain, tier: "deep") }
        await settle { setting.claude.calls == 1 && !clock.deadlines.isEmpty }
        call.cancel()
        #expect(try await failure { try await call.value }.kind == .cancelled)
        #expect(setting.records.values.map(\.outcome) == ["cancelled"])
        #expect(clock.deadlines.isEmpty)
    }

    @Test func fiveRefusedConnectionsStopAllModelsOfTheProvider() async throws {
        let setting = try setting(claude: .failure(.unreachable("no")))
        for _ in 0..<5 { _ = await ask(setting) }
        let state = try #require(setting.router.states[.claude])
        #expect(state.obstacle(to: "claude-opus-5", at: clock.source.uptime()) == .resting(.seconds(30)))
        let other = try self.setting(claude: .failure(.serverError))
        for _ in 0..<5 { _ = await ask(other) }
        let now = clock.source.uptime()
        #expect(other.router.states[.claude]?.obstacle(to: "claude-sonnet-5-5", at: now) == .resting(.seconds(30)))
        #expect(other.router.states[.claude]?.obstacle(to: "claude-opus-5", at: now) == nil)
    }

    // MARK: The fleet

    @Test func anOpeningIsKnownInEveryProcessWithinASecond() async throws {
        let budgets = SharedBudgets(clock)
        let first = try setting(claude: .never, budgets: budgets)
        let second = try setting(claude: .text("a"), budgets: budgets)
        #expect(try await ask(second).result.get().provider == .claude)
        for _ in 0..<2 { _ = await ask(first) }
        clock.advance(by: .seconds(1))
        #expect(try await ask(second).result.get().provider == .gemini)
        #expect(second.claude.calls == 1)
        // A process that has just begun learns it with its first call.
        let third = try setting(claude: .text("a"), budgets: budgets)
        #expect(try await ask(third).result.get().provider == .gemini)
        #expect(third.claude.calls == 0)
    }

    @Test func oneProcessProbesAndAllLearnOfTheEnd() async throws {
        let budgets = SharedBudgets(clock)
        let first = try setting(claude: .never, .never, .text("OK"), budgets: budgets)
        let second = try setting(claude: .never, budgets: budgets)
        for _ in 0..<2 { _ = await ask(first) }
        clock.advance(by: .seconds(1))
        _ = await ask(second)
        clock.advance(by: .seconds(30))
        _ = await ask(first)
        await settle { first.records.values.contains { $0.tier == "probe" && $0.outcome == "answered" } }
        clock.advance(by: .seconds(1))
        _ = await ask(second)
        clock.advance(by: .seconds(2))
        // A process that has learned of the end may call the model, but not probe it again.
        #expect(!second.claude.requests.contains { $0.maxOutputTokens == 256 })
        #expect(try await ask(first).result.get().provider == .claude)
    }
}

/// The budgets of a store, in memory.
private final class SharedBudgets: BudgetStore {
    private let budgets = Mutex<[String: SharedBudget]>([:])
    private let clock: ManualClock

    init(_ clock: ManualClock) { self.clock = clock }

    func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        budgets.withLock { budgets in
            // A time from before the lock would set the budget's clock back, and all openings with it.
            let now = Timestamp(milliseconds: 1_000_000) + clock.source.uptime()
            return requests.map { request in
                // Every budget passes through its text, as in a database.
                var budget = budgets[request.budget].flatMap { SharedBudget(encoded: $0.encoded) } ?? SharedBudget()
                defer { budgets[request.budget] = budget }
                return budget.apply(request, at: now)
            }
        }
    }
}
