import DataSources
import JSON
import JobQueue
import LanguageModels
import SQLiteStore
import Simulator
import Testing

@testable import Agents

/// How a report fails, what it says then, and what a further attempt finds.
@Suite struct FailureTests {
    // MARK: Answers that are of no use

    @Test(arguments: [
        FaultAction.inventedFigure, .brokenSchema, .invalidJSON, .truncation,
    ])
    func aFlawedDraftIsRepairedOnce(fault: FaultAction) async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(fault, service: .claude, times: 1))
            let result = try await world.attempt(try await world.job(), world.agent())
            #expect(result["provenance"]?["repaired"]?.bool == true && world.modelCalls == 2)
            #expect(result["provenance"]?["model_calls"]?.array?.map { $0["step"]?.string } == ["draft", "repair"])
            #expect(result["report"]?["summary"]?.string?.isEmpty == false)
        }
    }

    @Test(arguments: [FaultAction.inventedFigure, .brokenSchema, .truncation])
    func aRepairThatIsNoBetterFailsForGoodAndLeavesNoDraft(fault: FaultAction) async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(fault, service: .claude))
            let job = try await world.job()
            let failure = try await world.failure(job, world.agent())
            #expect(failure.error.code == "BIZ_2003" && !failure.isTransient && world.modelCalls == 2)
            #expect(try await world.test.spent() > 0)
            // What a person who tries again finds.
            try await world.test.store.fail(
                job.lease,
                with: JobFailure(
                    error: failure.error, next: .giveUp, dropStepsFrom: failure.dropStepsFrom, effects: failure.effects)
            )
            // Until somebody tries again, the journal shows what was wrong.
            #expect(try await world.test.steps(of: job.lease.job) == ["gather", "draft", "repair"])
            let balance = try await world.test.store.balance(of: UserID(rawValue: 1), startingCredits: 10)
            #expect(balance.used == 0 && balance.held == 0)
            world.simulator.faults.clear()
            _ = try await world.test.store.retry(job.lease.job, of: nil)
            #expect(try await world.test.steps(of: job.lease.job) == ["gather"])
            _ = try await world.attempt(try await world.test.claim(), world.agent())
            #expect(world.modelCalls == 3 && world.simulator.count(of: .sec) == 3)
        }
    }

    @Test func aRefusalIsFinalAndIsRecordedAsSpent() async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(.refusal, service: .claude))
            let failure = try await world.failure(
                try await world.job(), world.agent(router: world.router(fallback: true)))
            #expect(failure.error.code == "BIZ_2003" && !failure.isTransient)
            // Nobody else is asked, and nothing is asked twice.
            #expect(world.modelCalls == 1)
            #expect(failure.effects.count == 1)
        }
    }

    @Test func aRefusedRepairDropsTheDraftThatFailed() async throws {
        try await World.run { world in
            world.simulator.faults.add(
                FaultRule(.inventedFigure, service: .claude, times: 1), FaultRule(.refusal, service: .claude))
            let job = try await world.job()
            let failure = try await world.failure(job, world.agent())
            let draft = try #require(try await world.test.store.journal(of: job.lease.job).first { $0.name == "draft" })
            #expect(failure.error.code == "BIZ_2003" && failure.dropStepsFrom == draft.sequence)
        }
    }

    @Test func aRepairThatMeetsAnOverloadKeepsTheDraftForTheNextAttempt() async throws {
        try await World.run { world in
            world.simulator.faults.add(
                FaultRule(.inventedFigure, service: .claude, times: 1),
                FaultRule(.status(529), service: .claude, times: 1))
            let job = try await world.job()
            let failure = try await world.failure(job, world.agent())
            #expect(failure.error.code == "EXT_4004" && failure.isTransient && failure.dropStepsFrom == nil)
            _ = try await world.attempt(job, world.agent())
            #expect(world.modelCalls == 3)
        }
    }

    // MARK: Providers

    @Test(arguments: [FaultAction.status(529), .status(500), .cut(after: 3)])
    func aFailingProviderIsTransient(fault: FaultAction) async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(fault, service: .claude))
            let failure = try await world.failure(try await world.job(), world.agent())
            #expect(failure.error.code == "EXT_4004" && failure.isTransient && world.modelCalls == 1)
        }
    }

    @Test func theOtherProviderStepsIn() async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(.status(529), service: .claude))
            let result = try await world.attempt(
                try await world.job(), world.agent(router: world.router(fallback: true)))
            #expect(result["provenance"]?["model_calls"]?[0]?["provider"]?.string == "gemini")
            #expect(world.simulator.count(of: .claude) == 1 && world.simulator.count(of: .gemini) == 1)
        }
    }

    @Test func restingProvidersCostNoAttempt() async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(.status(529), service: .claude))
            let job = try await world.job()
            let agent = try world.agent(router: world.router())
            for _ in 0..<5 { #expect(try await world.failure(job, agent).isTransient) }
            await expectPostponed { _ = try await world.attempt(job, agent) }
            #expect(world.modelCalls == 5)
        }
    }

    @Test func aBlockedProviderCostsAnAttemptOnlyOfTheJobThatMetTheLimit() async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(.rateLimit(.perMinute, retryAfter: .seconds(60)), service: .claude))
            let job = try await world.job()
            let agent = try world.agent(router: world.router())
            let failure = try await world.failure(job, agent)
            #expect(failure.isTransient && failure.retryAfter.map { $0 > .seconds(50) } == true)
            await expectPostponed { _ = try await world.attempt(job, agent) }
            #expect(world.modelCalls == 1)
        }
    }

    @Test func theSpendCapIsFinalAndAsksNobody() async throws {
        try await World.run { world in
            let cap = SpendCap(MicroDollars(rawValue: 1)) { _ in MicroDollars(rawValue: 0) }
            let failure = try await world.failure(
                try await world.job(), world.agent(router: world.router(spendCap: cap)))
            #expect(failure.error.code == "BIZ_2002" && !failure.isTransient && world.modelCalls == 0)
        }
    }

    // MARK: Filings

    @Test func anUnknownTickerIsFinal() async throws {
        try await World.run { world in
            let failure = try await world.failure(try await world.job("ZZZZ"), world.agent())
            #expect(failure.error.code == "BIZ_2004" && !failure.isTransient && world.modelCalls == 0)
        }
    }

    @Test func theSECsOutageIsTransient() async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(.status(503), service: .sec, times: 1))
            let job = try await world.job()
            let agent = try world.agent()
            let failure = try await world.failure(job, agent)
            #expect(failure.error.code == "EXT_4005" && failure.isTransient)
            #expect(try await world.test.steps(of: job.lease.job) == [])
            _ = try await world.attempt(job, agent)
        }
    }

    @Test func aMarketThatFailsIsNoReasonToFail() async throws {
        try await World.run { world in
            let result = try await world.attempt(try await world.job(), world.agent(market: BrokenMarket()))
            #expect(result["report"]?["gaps"]?[0]?.string?.contains("is not available (HTTP 500)") == true)
        }
    }

    private struct BrokenMarket: MarketDataSource {
        func marketData(_ ticker: String) async throws(DataSourceError) -> MarketData {
            throw .unavailable(.fmp, status: 500)
        }
    }
}
