import DataSources
import JSON
import JobQueue
import SQLiteStore
import LanguageModels
import Simulator
import Testing

@testable import Agents

/// A job goes on where it was when its worker died, and nothing that was paid for is bought again.
@Suite struct InterruptionTests {
    @Test func afterTheFactsWereGatheredTheyAreNotFetchedAgain() async throws {
        try await World.run { world in
            let job = try await world.job()
            // The worker's heartbeat stops before the draft.
            await expectPostponed { _ = try await world.attempt(job, world.agent(), isLive: { false }) }
            #expect(try await world.test.steps(of: job.lease.job) == ["gather"])
            #expect(world.simulator.count(of: .sec) == 3 && world.modelCalls == 0)
            let again = try await world.rescued()
            #expect(again.lease.epoch > job.lease.epoch && again.attempt == 1)
            _ = try await world.attempt(again, world.agent())
            #expect(world.simulator.count(of: .sec) == 3 && world.modelCalls == 1)
        }
    }

    @Test func afterTheDraftItIsNotBoughtAgain() async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(.inventedFigure, service: .claude, times: 1))
            let job = try await world.job()
            let beats = Countdown(1)
            // Alive for the draft, which fails its checks, and dead for the repair.
            await expectPostponed { _ = try await world.attempt(job, world.agent(), isLive: { beats.isOn }) }
            #expect(try await world.test.steps(of: job.lease.job) == ["gather", "draft"])
            let spent = try await world.test.spent()
            #expect(world.modelCalls == 1 && spent > 0)
            let result = try await world.attempt(try await world.rescued(), world.agent())
            #expect(world.simulator.count(of: .sec) == 3 && world.modelCalls == 2)
            #expect(result["provenance"]?["repaired"]?.bool == true)
            #expect(try await world.test.spent() == result["provenance"]?["cost_micro_dollars"]?.integer)
        }
    }

    @Test func afterTheLastStepOnlyTheResultIsPutTogetherAgain() async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(.inventedFigure, service: .claude, times: 1))
            let first = try await world.attempt(try await world.job(), world.agent())
            let spent = try await world.test.spent()
            // Killed before it could complete the job.
            let second = try await world.attempt(try await world.rescued(), world.agent())
            #expect(second == first)
            #expect(world.simulator.count(of: .sec) == 3 && world.modelCalls == 2)
            #expect(try await world.test.spent() == spent)
        }
    }

    @Test func aDraftThatWasCutOffByADeathIsDiscardedAndAskedForAgain() async throws {
        try await World.run { world in
            world.simulator.faults.add(FaultRule(.stallMidStream(after: 2), service: .claude, times: 1))
            let job = try await world.job()
            let (started, signal) = AsyncStream.makeStream(of: Void.self)
            let run = Task {
                try await world.attempt(
                    job, world.agent(), report: { percent, _ in if percent >= 30 { signal.yield() } })
            }
            // Thirty percent are passed twice: before the call and with its first text.
            var texts = started.makeAsyncIterator()
            for _ in 0..<2 { await texts.next() }
            run.cancel()
            await expectInterrupted { _ = try await run.value }
            #expect(try await world.test.steps(of: job.lease.job) == ["gather"])
            _ = try await world.attempt(try await world.rescued(), world.agent())
            #expect(world.modelCalls == 2 && world.simulator.count(of: .sec) == 3)
        }
    }

    @Test func aJobThatWasTakenAwayWritesNothing() async throws {
        try await World.run { world in
            let job = try await world.job()
            let filings = RescuingFilings(source: try world.filings(over: world.client), test: world.test)
            await expectInterrupted { _ = try await world.attempt(job, world.agent(filings: filings)) }
            #expect(try await world.test.steps(of: job.lease.job) == [] && world.modelCalls == 0)
            _ = try await world.attempt(try await world.test.claim(by: "w2"), world.agent())
        }
    }

    /// While the filings are read, the worker is declared dead.
    private struct RescuingFilings: CompanyFactsSource {
        let source: SECClient
        let test: TestStore

        func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals {
            let company = try await source.fundamentals(ticker)
            do { try await test.rescue() } catch { throw .cancelled }
            return company
        }
    }
}

/// Expects `AgentError.postponed`.
func expectPostponed(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch AgentError.postponed {
    } catch {
        Issue.record("\(error) was thrown", sourceLocation: sourceLocation)
    }
}
