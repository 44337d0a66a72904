import DataSources
import DossierAPI
import JobQueue
import JSON
import LanguageModels
import Simulator
import SQLiteStore
import TestSupport
import Testing

@testable import Agents

/// The failures of reports: their errors, and the journal that the next attempt finds.
@Suite struct ResearchFailureTests {
    // MARK: Answers that are of no use

    @Test(arguments: [
        FaultAction.inventedFigure, .brokenSchema, .invalidJSON, .truncation,
    ])
    func flawedDraftIsRepairedOnce(fault: FaultAction) async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(fault, service: .claude, times: 1))
            let result = try await fixture.attempt(try await fixture.job(), fixture.agent())
            #expect(result["provenance"]?["repaired"]?.bool == true && fixture.modelCalls == 2)
            #expect(result["provenance"]?["model_calls"]?.array?.map { $0["step"]?.string } == ["draft", "repair"])
            #expect(result["report"]?["summary"]?.string?.isEmpty == false)
        }
    }

    @Test(arguments: [FaultAction.inventedFigure, .brokenSchema, .truncation])
    func secondFailedAnswerFailsTheJobAndDropsTheDraft(fault: FaultAction) async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(fault, service: .claude))
            let job = try await fixture.job()
            let failure = try await fixture.failure(job, fixture.agent())
            #expect(failure.error.code == "BIZ_2003" && !failure.isTransient && fixture.modelCalls == 2)
            #expect(try await fixture.test.spent() > 0)
            // The journal after a retry.
            try await fixture.test.store.fail(
                job.lease,
                with: JobFailure(
                    error: failure.error, next: .giveUp, dropStepsFrom: failure.dropStepsFrom, effects: failure.effects)
            )
            // Until a retry, the journal shows the failed answer.
            #expect(try await fixture.test.steps(of: job.lease.job) == ["gather", "draft", "repair"])
            let balance = try await fixture.test.store.balance(of: UserID(rawValue: 1), startingCredits: 10)
            #expect(balance.used == 0 && balance.held == 0)
            fixture.simulator.faults.clear()
            _ = try await fixture.test.store.retry(job.lease.job, of: nil)
            #expect(try await fixture.test.steps(of: job.lease.job) == ["gather"])
            _ = try await fixture.attempt(try await fixture.test.claim(), fixture.agent())
            #expect(fixture.modelCalls == 3 && fixture.simulator.count(of: .sec) == 3)
        }
    }

    @Test func refusalIsPermanentAndItsCostIsRecorded() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(.refusal, service: .claude))
            let failure = try await fixture.failure(
                try await fixture.job(), fixture.agent(router: fixture.router(fallback: true)))
            #expect(failure.error.code == "BIZ_2003" && !failure.isTransient)
            // No other provider is called, and no question is sent twice.
            #expect(fixture.modelCalls == 1)
            #expect(failure.effects.count == 1)
        }
    }

    @Test func refusedRepairDropsTheDraftThatFailed() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(
                FaultRule(.inventedFigure, service: .claude, times: 1), FaultRule(.refusal, service: .claude))
            let job = try await fixture.job()
            let failure = try await fixture.failure(job, fixture.agent())
            let draft = try #require(
                try await fixture.test.store.journal(of: job.lease.job).first { $0.name == "draft" })
            #expect(failure.error.code == "BIZ_2003" && failure.dropStepsFrom == draft.sequence)
        }
    }

    @Test func overloadDuringARepairKeepsTheDraftForTheNextAttempt() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(
                FaultRule(.inventedFigure, service: .claude, times: 1),
                FaultRule(.status(529), service: .claude, times: 1))
            let job = try await fixture.job()
            let failure = try await fixture.failure(job, fixture.agent())
            #expect(failure.error.code == "EXT_4004" && failure.isTransient && failure.dropStepsFrom == nil)
            _ = try await fixture.attempt(job, fixture.agent())
            #expect(fixture.modelCalls == 3)
        }
    }

    // MARK: Providers

    @Test(arguments: [FaultAction.status(529), .status(500), .cut(after: 3)])
    func failingProviderIsTransient(fault: FaultAction) async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(fault, service: .claude))
            let failure = try await fixture.failure(try await fixture.job(), fixture.agent())
            #expect(failure.error.code == "EXT_4004" && failure.isTransient && fixture.modelCalls == 1)
        }
    }

    @Test func otherProviderAnswersInstead() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(.status(529), service: .claude))
            let result = try await fixture.attempt(
                try await fixture.job(), fixture.agent(router: fixture.router(fallback: true)))
            #expect(result["provenance"]?["model_calls"]?[0]?["provider"]?.string == "gemini")
            #expect(fixture.simulator.count(of: .claude) == 1 && fixture.simulator.count(of: .gemini) == 1)
        }
    }

    @Test func blockedProvidersCostNoAttempt() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(.status(529), service: .claude))
            let job = try await fixture.job()
            let agent = try fixture.agent(router: fixture.router())
            for _ in 0..<5 { #expect(try await fixture.failure(job, agent).isTransient) }
            await expectSnoozed { _ = try await fixture.attempt(job, agent) }
            #expect(fixture.modelCalls == 5)
        }
    }

    @Test func aRefusalOfTheProviderCostsNoAttemptAndStopsFurtherCalls() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(.rateLimit(.perMinute, retryAfter: .seconds(60)), service: .claude))
            let job = try await fixture.job()
            let agent = try fixture.agent(router: fixture.router())
            for _ in 0..<2 { await expectSnoozed { _ = try await fixture.attempt(job, agent) } }
            #expect(fixture.modelCalls == 1)
        }
    }

    @Test(arguments: [
        (SpendLimits(user: 1), "BIZ_2002"), (SpendLimits(service: 1), "BIZ_2009"),
    ])
    func aLimitOfSpendIsPermanentAndNoModelIsAsked(_ limits: SpendLimits, _ code: String) async throws {
        try await ResearchFixture.run { fixture in
            let failure = try await fixture.failure(try await fixture.job(), fixture.agent(limits: limits))
            #expect(failure.error.code == ErrorCode(rawValue: code) && !failure.isTransient && fixture.modelCalls == 0)
        }
    }

    // MARK: Filings

    @Test func unknownTickerIsPermanent() async throws {
        try await ResearchFixture.run { fixture in
            let failure = try await fixture.failure(try await fixture.job("ZZZZ"), fixture.agent())
            #expect(failure.error.code == "BIZ_2004" && !failure.isTransient && fixture.modelCalls == 0)
        }
    }

    @Test func outageOfTheSECIsTransient() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(.status(503), service: .sec, times: 1))
            let job = try await fixture.job()
            let agent = try fixture.agent()
            let failure = try await fixture.failure(job, agent)
            #expect(failure.error.code == "EXT_4005" && failure.isTransient)
            #expect(try await fixture.test.steps(of: job.lease.job) == [])
            _ = try await fixture.attempt(job, agent)
        }
    }

    @Test func failingMarketDoesNotFailTheJob() async throws {
        try await ResearchFixture.run { fixture in
            let result = try await fixture.attempt(try await fixture.job(), fixture.agent(market: BrokenMarket()))
            #expect(result["report"]?["gaps"]?[0]?.string?.contains("is not available (HTTP 500)") == true)
        }
    }

    private struct BrokenMarket: MarketDataSource {
        func marketData(_ ticker: String) async throws(DataSourceError) -> MarketData {
            throw .unavailable(.fmp, status: 500)
        }
    }
}
