import DataSources
import JobQueue
import JSON
import LanguageModels
import Simulator
import SQLiteStore
import Testing

@testable import Agents

/// A job continues from its last step after its worker died, and no paid answer is bought again.
@Suite struct ResearchInterruptionTests {
    @Test func factsAreNotFetchedAgainAfterADeath() async throws {
        try await ResearchFixture.run { fixture in
            let job = try await fixture.job()
            // The worker's heartbeat stops before the draft.
            await expectSnoozed { _ = try await fixture.attempt(job, fixture.agent(), isLive: { false }) }
            #expect(try await fixture.test.steps(of: job.lease.job) == ["gather"])
            #expect(fixture.simulator.count(of: .sec) == 3 && fixture.modelCalls == 0)
            let again = try await fixture.rescued()
            #expect(again.lease.epoch > job.lease.epoch && again.attempt == 1)
            _ = try await fixture.attempt(again, fixture.agent())
            #expect(fixture.simulator.count(of: .sec) == 3 && fixture.modelCalls == 1)
        }
    }

    @Test func draftIsNotBoughtAgainAfterADeath() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(.inventedFigure, service: .claude, times: 1))
            let job = try await fixture.job()
            let beats = Countdown(1)
            // Alive for the draft, which fails its checks, and dead for the repair.
            await expectSnoozed { _ = try await fixture.attempt(job, fixture.agent(), isLive: { beats.isOn }) }
            #expect(try await fixture.test.steps(of: job.lease.job) == ["gather", "draft"])
            let spent = try await fixture.test.spent()
            #expect(fixture.modelCalls == 1 && spent > 0)
            let result = try await fixture.attempt(try await fixture.rescued(), fixture.agent())
            #expect(fixture.simulator.count(of: .sec) == 3 && fixture.modelCalls == 2)
            #expect(result["provenance"]?["repaired"]?.bool == true)
            #expect(try await fixture.test.spent() == result["provenance"]?["cost_micro_dollars"]?.integer)
        }
    }

    @Test func resultIsAssembledFromTheJournalAfterADeath() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(.inventedFigure, service: .claude, times: 1))
            let first = try await fixture.attempt(try await fixture.job(), fixture.agent())
            let spent = try await fixture.test.spent()
            // Killed before it could complete the job.
            let second = try await fixture.attempt(try await fixture.rescued(), fixture.agent())
            #expect(second == first)
            #expect(fixture.simulator.count(of: .sec) == 3 && fixture.modelCalls == 2)
            #expect(try await fixture.test.spent() == spent)
        }
    }

    @Test func draftCutOffByADeathIsDiscardedAndAskedForAgain() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(.stallMidStream(after: 2), service: .claude, times: 1))
            let job = try await fixture.job()
            let (started, signal) = AsyncStream.makeStream(of: Void.self)
            let run = Task {
                try await fixture.attempt(
                    job, fixture.agent(), report: { percent, _ in if percent >= 30 { signal.yield() } })
            }
            // Thirty percent are passed twice: before the call and with its first text.
            var texts = started.makeAsyncIterator()
            for _ in 0..<2 { await texts.next() }
            run.cancel()
            await expectInterrupted { _ = try await run.value }
            #expect(try await fixture.test.steps(of: job.lease.job) == ["gather"])
            _ = try await fixture.attempt(try await fixture.rescued(), fixture.agent())
            #expect(fixture.modelCalls == 2 && fixture.simulator.count(of: .sec) == 3)
        }
    }

    @Test func jobThatWasTakenAwayWritesNothing() async throws {
        try await ResearchFixture.run { fixture in
            let job = try await fixture.job()
            let filings = RescuingFilings(source: try fixture.filings(over: fixture.client), test: fixture.test)
            await expectInterrupted { _ = try await fixture.attempt(job, fixture.agent(filings: filings)) }
            #expect(try await fixture.test.steps(of: job.lease.job) == [] && fixture.modelCalls == 0)
            _ = try await fixture.attempt(try await fixture.test.claim(by: "w2"), fixture.agent())
        }
    }

    /// While the filings are read, the worker is declared dead.
    private struct RescuingFilings: CompanyFactsSource {
        let source: SECClient
        let test: StoreFixture

        func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals {
            let company = try await source.fundamentals(ticker)
            do { try await test.rescue() } catch { throw .cancelled }
            return company
        }
    }
}

/// Expects `AgentError.snoozed`.
func expectSnoozed(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch AgentError.snoozed {
    } catch {
        Issue.record("\(error) was thrown", sourceLocation: sourceLocation)
    }
}
