import Basics
import JobQueue
import Synchronization
import TestSupport
import Testing

@testable import LanguageModels

/// A call whose first byte is late gets another candidate beside it.
@Suite(.timeLimit(.minutes(5))) struct HedgeTests {
    private let clock = ManualClock()
    private let book = KeptBook()
    private let events = Collector<StreamEvent>()
    /// The time after which a first byte is late while the model is unknown: a sixth of its start value.
    private static let late: Duration = .seconds(5)

    private struct Setting {
        let router: ModelRouter
        let claude: SteeredModel
        let gemini: SteeredModel
    }

    private func setting(
        ignoringCancellation: Bool = false, allowsHedges: Bool = true, budgets: (any BudgetStore)? = nil
    ) throws -> Setting {
        let claude = SteeredModel(try Fixture.sonnet(), ignoresCancellation: ignoringCancellation)
        let gemini = SteeredModel(try Fixture.flash())
        let models = [claude, gemini]
        let catalogue = ModelCatalogue(
            models: Dictionary(uniqueKeysWithValues: models.map { ($0.description.id, $0.description) }),
            tiers: ["fast": models.map(\.description.id)], allowsHedges: allowsHedges)
        let router = ModelRouter(
            catalogue, models: Dictionary(uniqueKeysWithValues: models.map { ($0.description.id, $0) }),
            clock: clock.waitingSource, limiter: budgets.map { BudgetLimiter($0, clock: clock.waitingSource) })
        return Setting(router: router, claude: claude, gemini: gemini)
    }

    private func ask(
        _ setting: Setting, isInteractive: Bool = true, left: Duration = .seconds(60), book: KeptBook? = nil
    ) -> Task<ModelResponse, any Error> {
        let caller = CallContext(isInteractive: isInteractive, timeLeft: left, book: book ?? self.book)
        return Task { [events] in
            try await setting.router.respond(to: Fixture.plain, tier: "fast", caller: caller) { events.add($0) }
        }
    }

    private func settle(
        _ what: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
    ) async {
        for _ in 0..<500_000 where !condition() { await Task.yield() }
        #expect(condition(), what, sourceLocation: sourceLocation)
    }

    /// Waits until Claude was asked and its watch sleeps, and lets the first byte be late.
    private func beLate(_ setting: Setting, after late: Duration = late) async {
        let due = clock.source.uptime() + late
        await settle("the watch") { setting.claude.calls > 0 && clock.deadlines.contains(due) }
        clock.advance(by: late)
    }

    /// Waits until the watch of the late call has looked at it, and no hedge has begun.
    private func expectNoHedge(_ setting: Setting) async {
        let now = clock.source.uptime()
        await settle("the next look") { clock.deadlines.contains { $0 > now } && !clock.deadlines.contains(now) }
        for _ in 0..<1000 { await Task.yield() }
        #expect(setting.gemini.calls == 0)
    }

    private func states() -> [ModelCall.State?] { book.entries.map(\.end?.state) }

    // MARK: One answer

    @Test func theHedgeAnswersWhenTheFirstCallIsSilent() async throws {
        let setting = try setting()
        let call = ask(setting)
        await beLate(setting)
        await settle { setting.gemini.calls == 1 }
        setting.gemini.send(.text("Apple"), .end)
        let response = try await call.value
        #expect(response.text == "Apple" && response.hedgeOf == "0")
        #expect(events.values == [.text("Apple")])
        #expect(book.entries.map(\.planned.hedgeOf) == [nil, "0"])
        #expect(states() == [.hedgeLost, .ok])
        // The loser is billed for its prompt.
        #expect(book.entries.first?.end?.outcome == "hedge_lost")
        #expect(book.entries.first?.end?.cost?.rawValue ?? 0 > 0)
        #expect(book.entries.first?.end?.usage?.output == 0)
    }

    @Test func theFirstCallAnswersWhenItHasContentBeforeItsHedge() async throws {
        let setting = try setting()
        let call = ask(setting)
        await beLate(setting)
        await settle { setting.gemini.calls == 1 }
        setting.gemini.send(.head)
        setting.claude.send(.text("Pe"))
        // The loser is cancelled at once, and not at the end of the winner's answer.
        await settle { states() == [nil, .hedgeLost] }
        setting.claude.send(.text("ar"), .end)
        let response = try await call.value
        #expect(response.text == "Pear" && response.hedgeOf == nil)
        #expect(events.values == [.text("Pe"), .text("ar")])
        #expect(states() == [.ok, .hedgeLost])
    }

    @Test func whatTheLoserSaysAfterwardsIsDropped() async throws {
        let setting = try setting(ignoringCancellation: true)
        let call = ask(setting)
        await beLate(setting)
        await settle { setting.gemini.calls == 1 }
        setting.gemini.send(.text("Ap"))
        await settle { events.values == [.text("Ap")] }
        setting.claude.send(.text("Pear"), .end)
        await settle { states() == [.hedgeLost, nil] }
        setting.gemini.send(.text("ple"), .end)
        #expect(try await call.value.text == "Apple")
        #expect(events.values == [.text("Ap"), .text("ple")])
        // The provider has told what the loser's answer costs.
        #expect(book.entries.first?.end?.cost == MicroDollars(rawValue: 300))
    }

    @Test func aCancelledCallerEndsBothCalls() async throws {
        let setting = try setting()
        let call = ask(setting)
        await beLate(setting)
        await settle { setting.gemini.calls == 1 }
        call.cancel()
        #expect(try await failure { try await call.value }.kind == .cancelled)
        #expect(states() == [.cancelled, .cancelled])
    }

    // MARK: Failures

    @Test func theHedgeIsTheNextCandidateWhenTheFirstCallFails() async throws {
        let setting = try setting()
        let call = ask(setting)
        await beLate(setting)
        await settle { setting.gemini.calls == 1 }
        setting.claude.send(.failure(.serverError))
        await settle { states() == [.failed, nil] }
        setting.gemini.send(.text("Apple"), .end)
        #expect(try await call.value.text == "Apple")
        #expect(setting.gemini.calls == 1 && states() == [.failed, .ok])
    }

    @Test func theFirstCallGoesOnWhenItsHedgeFails() async throws {
        let setting = try setting()
        let call = ask(setting)
        await beLate(setting)
        await settle { setting.gemini.calls == 1 }
        setting.gemini.send(.failure(.overloaded))
        await settle { states() == [nil, .failed] }
        setting.claude.send(.text("Pear"), .end)
        #expect(try await call.value.text == "Pear")
        #expect(states() == [.ok, .failed])
    }

    @Test(arguments: [true, false]) func theLoserIsAskedAgainWhenTheWinnerFails(hedgeWins: Bool) async throws {
        let setting = try setting()
        let call = ask(setting)
        await beLate(setting)
        await settle { setting.gemini.calls == 1 }
        let (winner, loser) = hedgeWins ? (setting.gemini, setting.claude) : (setting.claude, setting.gemini)
        winner.send(.text("Once"), .failure(.serverError))
        await settle { loser.calls == 2 }
        loser.send(.text("Apple"), .end)
        #expect(try await call.value.text == "Apple")
        let restarted = StreamEvent.restarted(provider: loser.description.provider, model: loser.description.id)
        #expect(events.values == [.text("Once"), restarted, .text("Apple")])
    }

    @Test func whenBothFailTheErrorIsThatOfACandidate() async throws {
        let setting = try setting()
        let call = ask(setting)
        await beLate(setting)
        await settle { setting.gemini.calls == 1 }
        setting.claude.send(.failure(.serverError))
        setting.gemini.send(.failure(.serverError))
        #expect(try await failure { try await call.value }.kind == .serverError)
        #expect(setting.claude.calls == 1 && setting.gemini.calls == 1)
    }

    // MARK: No hedge

    @Test func aCallWithItsFirstByteHasNoHedge() async throws {
        let setting = try setting()
        let call = ask(setting)
        await settle { setting.claude.calls == 1 && clock.deadlines.contains(Self.late) }
        setting.claude.send(.head)
        await settle { setting.claude.commandsRead == 1 }
        clock.advance(by: Self.late)
        await expectNoHedge(setting)
        setting.claude.send(.text("Pear"), .end)
        #expect(try await call.value.text == "Pear")
    }

    @Test func backgroundCallsWithTimeHaveNoHedge() async throws {
        let setting = try setting()
        let call = ask(setting, isInteractive: false, left: .seconds(170))
        await settle { setting.claude.calls == 1 && !clock.deadlines.isEmpty }
        clock.advance(by: Self.late)
        await expectNoHedge(setting)
        setting.claude.send(.text("Pear"), .end)
        #expect(try await call.value.text == "Pear")
    }

    @Test(arguments: [(149, true), (151, false)])
    func aJobWhoseTimeIsShortHasAHedge(left: Int, hasHedge: Bool) async throws {
        let setting = try setting()
        learn(setting, firstByte: .seconds(3), wholeCall: .seconds(100))
        let call = ask(setting, isInteractive: false, left: .seconds(left))
        await settle { setting.claude.calls == 1 && !clock.deadlines.isEmpty }
        clock.advance(by: .seconds(3))
        if hasHedge {
            await settle { setting.gemini.calls == 1 }
        } else {
            await expectNoHedge(setting)
        }
        setting.claude.send(.text("Pear"), .end)
        #expect(try await call.value.text == "Pear")
    }

    @Test func withAllOtherCandidatesOpenThereIsNoHedge() async throws {
        let setting = try setting()
        let state = try #require(setting.router.states[.gemini])
        for _ in 0..<5 {
            _ = state.finished(
                .init(
                    model: setting.gemini.description.id, error: ModelError(.serverError),
                    activity: .init(startedAt: .zero), at: .zero))
        }
        let call = ask(setting)
        await beLate(setting)
        await expectNoHedge(setting)
        setting.claude.send(.text("Pear"), .end)
        #expect(try await call.value.text == "Pear")
    }

    @Test func withoutLevelForTheOtherCandidateThereIsNoHedge() async throws {
        let budgets = ScriptedBudgetStore()
        let setting = try setting(budgets: budgets)
        budgets.wait(.milliseconds(300), for: setting.gemini.description.budget.name)
        let call = ask(setting)
        await beLate(setting)
        await settle { budgets.requests.contains { $0.budget == setting.gemini.description.budget.name } }
        await expectNoHedge(setting)
        // The hedge does not wait for level.
        let line = setting.router.limiter?.line(of: setting.gemini.description.budget)
        await settle { line?.counts.waiting == 0 }
        setting.claude.send(.text("Pear"), .end)
        #expect(try await call.value.text == "Pear")
    }

    @Test func aHedgeThatItsBudgetDoesNotHoldIsNotMade() async throws {
        let setting = try setting()
        let book = KeptBook(holdsHedges: false)
        let call = ask(setting, book: book)
        await beLate(setting)
        await expectNoHedge(setting)
        setting.claude.send(.text("Pear"), .end)
        #expect(try await call.value.text == "Pear")
        #expect(book.entries.map(\.end?.state) == [.ok])
    }

    @Test func theCatalogueCanForbidHedges() async throws {
        let setting = try setting(allowsHedges: false)
        let call = ask(setting)
        await settle { setting.claude.calls == 1 && !clock.deadlines.isEmpty }
        clock.advance(by: Self.late)
        await expectNoHedge(setting)
        setting.claude.send(.text("Pear"), .end)
        #expect(try await call.value.text == "Pear")
    }

    // MARK: The time

    /// Lets Claude have given 20 answers.
    private func learn(_ setting: Setting, firstByte: Duration, wholeCall: Duration) {
        for _ in 0..<20 {
            var activity = CallActivity.Snapshot(startedAt: clock.source.uptime() - wholeCall)
            activity.headAt = activity.startedAt + firstByte
            activity.receive(100, at: clock.source.uptime())
            _ = setting.router.states[.claude]?.finished(
                .init(model: setting.claude.description.id, activity: activity, at: clock.source.uptime()))
        }
    }

    private func usualFirstByte(_ setting: Setting) throws -> Duration? {
        let now = clock.source.uptime()
        return setting.router.states[.claude]?.usualFirstByte(of: try Fixture.sonnet(), effort: nil, at: now)
    }

    @Test(arguments: [(300, 1000), (2000, 2000)])
    func aFirstByteIsLateAfterItsUsualTimeAndASecond(usual: Int, late: Int) async throws {
        let setting = try setting()
        learn(setting, firstByte: .milliseconds(usual), wholeCall: .seconds(20))
        let call = ask(setting)
        await beLate(setting, after: .milliseconds(late))
        await settle { setting.gemini.calls == 1 }
        setting.gemini.send(.text("Apple"), .end)
        #expect(try await call.value.text == "Apple")
    }

    @Test func theLatenessOfLosersCountsSoThatTheUsualTimeDoesNotFall() async throws {
        let setting = try setting()
        learn(setting, firstByte: .seconds(2), wholeCall: .seconds(20))
        for _ in 0..<3 {
            let (claude, gemini) = (setting.claude.calls, setting.gemini.calls)
            let late = try #require(try usualFirstByte(setting))
            let due = clock.source.uptime() + late
            let call = ask(setting)
            await settle { setting.claude.calls == claude + 1 && clock.deadlines.contains(due) }
            clock.advance(by: late)
            await settle { setting.gemini.calls == gemini + 1 }
            clock.advance(by: .milliseconds(500))
            setting.gemini.send(.text("Apple"), .end)
            _ = try await call.value
        }
        // Three of 23 calls took at least half a second longer.
        #expect(try usualFirstByte(setting) == .milliseconds(2500))
    }
}
