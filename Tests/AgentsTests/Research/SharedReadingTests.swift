import Basics
import DataSources
import Filings
import JSON
import JobQueue
import LanguageModels
import Prompts
import SQLiteStore
import Simulator
import Synchronization
import TestSupport
import Testing

@testable import Agents

/// The readings of annual reports that all reports share.
@Suite struct SharedReadingTests {
    /// The agents of a report and of a reading, over one store.
    private struct Parts {
        let fixture: ResearchFixture
        let library: FilingLibrary
        let report: ResearchAgent
        let reading: FilingReadingAgent

        init(
            _ fixture: ResearchFixture, script: ScriptedModel? = nil,
            now: @escaping @Sendable () -> Timestamp = {
                Timestamp(milliseconds: TimeSource.system.wallMilliseconds())
            }
        ) throws {
            self.fixture = fixture
            let store = fixture.test.store
            library = try fixture.library(store)
            let readings = FilingReadings(documents: store, jobs: store, now: now)
            report = try fixture.agent(library: library, readings: readings)
            let router = try script?.router() ?? fixture.router()
            reading = FilingReadingAgent(
                library: library, models: ModelCalls(router, books: CallBooks(store, limits: { _ in SpendLimits() })),
                now: { ResearchFixture.now })
        }

        /// Runs a reading to its end.
        @discardableResult
        func finish(_ job: ClaimedJob) async throws -> JSON {
            guard let kind = fixture.bundle.kinds[job.kind] else { throw Missing() }
            let journal = try await Journal(of: job.lease, in: fixture.test.store)
            let result = try await reading.run(
                JobContext(
                    job: job, kind: kind, bundle: fixture.bundle, journal: journal, isLive: { true },
                    onPrompt: GivenMembers.look(at: fixture.bundle), report: { _, _ in }))
            try await fixture.test.store.complete(
                job.lease, with: result.body, effects: result.records.map { .record($0) })
            return result.body
        }

        private struct Missing: Error {}
    }

    private static func submitted(by user: UserID, _ fixture: ResearchFixture) async throws {
        let now = try await fixture.test.store.now()
        var generator = SystemRandomNumberGenerator()
        let job = NewJob(
            id: JobID(at: now, using: &generator), user: user, kind: "research",
            input: ["ticker": "AAPL", "persona": "graham"], bundle: fixture.bundle.hash, cost: 1,
            deadline: now + .seconds(600), startingCredits: 10)
        _ = try await fixture.test.store.submit(job)
    }

    @Test func `reports of two users at once pay for one reading, and their drafts use it`() async throws {
        try await ResearchFixture.run { fixture in
            let parts = try Parts(fixture)
            let first = try await fixture.job()
            try await Self.submitted(by: 2, fixture)
            let second = try await fixture.test.claim(by: "w2")
            // Other processes know nothing of what this one submitted.
            let elsewhere = try Parts(fixture)
            await expectSnoozed { _ = try await fixture.attempt(first, parts.report) }
            await expectSnoozed { _ = try await fixture.attempt(second, elsewhere.report) }
            #expect(fixture.modelCalls == 0)
            for _ in 0..<3 {
                let job = try await fixture.test.claim(by: "w3")
                #expect(job.kind == "filing-reading" && job.user == .system)
                let reading = try await parts.finish(job)
                #expect(reading["findings"]?.array?.isEmpty == false && reading["dropped"] == 0)
            }
            #expect(
                try await fixture.test.store.claim(for: WorkerID(rawValue: "w3"), upTo: [.background: 4]).jobs.isEmpty)
            #expect(fixture.modelCalls == 3)
            for (job, agent) in [(first, parts.report), (second, elsewhere.report)] {
                let result = try await fixture.attempt(job, agent)
                let readings = try #require(result["provenance"]?["filing_readings"]?.array)
                #expect(readings.compactMap { $0["item"]?.string } == ["1", "1A", "7"])
                #expect(readings.allSatisfy { $0["cost_micro_dollars"]?.integer ?? 0 > 0 })
                #expect(result["report"]?["claims"]?.array?.isEmpty == false)
                let steps = try await fixture.test.steps(of: job.lease.job)
                #expect(steps == ["filings", "filing-readings", "gather", "draft"])
            }
            #expect(fixture.modelCalls == 5)
            // The calls count for the day of the user whose report began them.
            let calls = try await fixture.test.spent()
            #expect(calls > 0)
        }
    }

    @Test func `of many reports on one filing one looks each second, and lets the others go on`() async throws {
        try await ResearchFixture.run { fixture in
            let parts = try Parts(fixture)
            let store = fixture.test.store
            let first = try await fixture.job()
            var others: [ClaimedJob] = []
            for user in Int64(2)...4 {
                try await Self.submitted(by: UserID(rawValue: user), fixture)
                others.append(try await fixture.test.claim(by: "w2"))
            }
            #expect(try await look(of: first, parts)?.pause == .seconds(1))
            for job in others {
                let (pause, cause) = try #require(try await look(of: job, parts))
                #expect(pause == .seconds(10) && cause?.work?.contains("annual report") == true)
                try await store.snooze([job.lease], after: pause, waitingFor: cause)
            }
            for _ in 0..<3 { try await parts.finish(try await fixture.test.claim(by: "w3")) }
            let worker = WorkerID(rawValue: "w3")
            #expect(try await store.claim(for: worker, upTo: [.background: 9]).jobs.isEmpty)
            _ = try await fixture.attempt(first, parts.report)
            let woken = try await store.claim(for: worker, upTo: [.background: 9]).jobs
            #expect(Set(woken.map(\.lease.job)) == Set(others.map(\.lease.job)))
        }
    }

    @Test func `a reading that takes long keeps no report waiting that has the others`() async throws {
        try await ResearchFixture.run { fixture in
            let start = Timestamp(milliseconds: TimeSource.system.wallMilliseconds())
            let passed = Mutex(Duration.zero)
            let parts = try Parts(fixture) { start + passed.withLock { $0 } }
            let store = fixture.test.store
            let first = try await fixture.job()
            try await Self.submitted(by: 2, fixture)
            let second = try await fixture.test.claim(by: "w2")
            #expect(try await look(of: first, parts) != nil)
            passed.withLock { $0 = .seconds(30) }
            let (pause, cause) = try #require(try await look(of: second, parts), "there is none yet")
            try await store.snooze([second.lease], after: pause, waitingFor: cause)
            for _ in 0..<2 { try await parts.finish(try await fixture.test.claim(by: "w3")) }
            let slow = try await fixture.test.claim(by: "w3")
            passed.withLock { $0 = .seconds(19) }
            #expect(try await look(of: first, parts) != nil)
            passed.withLock { $0 = .seconds(20) }
            let result = try await fixture.attempt(first, parts.report, timeLeft: .seconds(600))
            let readings = result["provenance"]?["filing_readings"]?.array ?? []
            #expect(readings.count == 2)
            let woken = try await store.claim(for: WorkerID(rawValue: "w2"), upTo: [.background: 9]).jobs
            #expect(woken.map(\.lease.job) == [second.lease.job], "the others go on, too")
            // What comes late is there for the next report.
            try await parts.finish(slow)
            try await Self.submitted(by: 3, fixture)
            let third = try await fixture.test.claim(by: "w2")
            let later = try await fixture.attempt(third, parts.report, timeLeft: .seconds(600))
            #expect(later["provenance"]?["filing_readings"]?.array?.count == 3)
        }
    }

    /// What a report waits for that finds no readings.
    private func look(of job: ClaimedJob, _ parts: Parts) async throws -> (pause: Duration, cause: WaitCause?)? {
        do {
            _ = try await parts.fixture.attempt(job, parts.report, timeLeft: .seconds(600))
        } catch .snoozed(let pause, _, let cause) {
            return (pause, cause)
        }
        return nil
    }

    @Test func `the other filings of a report are fetched while its annual report is read`() async throws {
        try await ResearchFixture.run { fixture in
            let parts = try Parts(fixture)
            let store = fixture.test.store
            let report = try await fixture.job()
            await expectSnoozed { _ = try await fixture.attempt(report, parts.report) }
            let stored = FilingLibrary(nil, documents: store, budgets: store)
            let choice = try await parts.library.choice("AAPL")
            #expect(choice.roles.count > 2)
            for (role, entry) in choice.roles where role != "results_release" {
                #expect(try await stored.text(entry.accession) != nil, "\(role)")
            }
        }
    }

    @Test func `the death of a worker between answer and end buys no reading twice`() async throws {
        try await ResearchFixture.run { fixture in
            let parts = try Parts(fixture)
            let report = try await fixture.job()
            await expectSnoozed { _ = try await fixture.attempt(report, parts.report) }
            let job = try await fixture.test.claim(by: "w3")
            // The answer is journalled; the end is not written.
            _ = try await fixture.attempt(job, parts.reading)
            #expect(fixture.modelCalls == 1)
            try await fixture.test.rescue("w3")
            let again = try await fixture.test.claim(by: "w4")
            #expect(again.lease.job == job.lease.job)
            try await parts.finish(again)
            #expect(fixture.modelCalls == 1)
        }
    }

    @Test func `a report without time goes on by words, and stays so`() async throws {
        try await ResearchFixture.run { fixture in
            let parts = try Parts(fixture)
            let report = try await fixture.job()
            await expectSnoozed { _ = try await fixture.attempt(report, parts.report, timeLeft: .seconds(160)) }
            let result = try await fixture.attempt(report, parts.report, timeLeft: .seconds(100))
            #expect(result["provenance"]?["filing_readings"] == [])
            #expect(result["report"]?["claims"]?.array?.isEmpty == false)
            for _ in 0..<3 { try await parts.finish(try await fixture.test.claim(by: "w3")) }
            let calls = fixture.modelCalls
            let repeated = try await fixture.attempt(report, parts.report, timeLeft: .seconds(90))
            #expect(repeated["report"] == result["report"] && fixture.modelCalls == calls)
        }
    }

    @Test func `a finding whose quote is not in its passage is dropped`() async throws {
        try await ResearchFixture.run { fixture in
            let sentence = "The company sells about two thirds of its products through its own sales force"
            let right: JSON = [
                "theme": "business", "passage": "p2", "quote": JSON(sentence), "says": "It sells itself.",
            ]
            var (wrong, strange) = (right, right)
            wrong["quote"] = "The company sells about three thirds of its products through its own sales force"
            strange["passage"] = "p99"
            let script = ScriptedModel(.json(["findings": [right, wrong, strange]]))
            let parts = try Parts(fixture, script: script)
            let report = try await fixture.job()
            await expectSnoozed { _ = try await fixture.attempt(report, parts.report) }
            let reading = try await parts.finish(try await fixture.test.claim(by: "w3"))
            #expect(reading["item"] == "1" && reading["dropped"] == 2)
            #expect(reading["findings"]?.array?.map { $0["quote"]?.string } == [sentence])
            #expect(script.prompt(0).contains("sales force"))
        }
    }

    @Test func `an item that no model can read is not bought again by the next report`() async throws {
        try await ResearchFixture.run { fixture in
            let parts = try Parts(fixture, script: ScriptedModel(.refusal, .refusal, .refusal))
            let report = try await fixture.job()
            await expectSnoozed { _ = try await fixture.attempt(report, parts.report) }
            for _ in 0..<3 {
                let reading = try await parts.finish(try await fixture.test.claim(by: "w3"))
                #expect(reading["problem"]?.string?.isEmpty == false && reading["findings"] == [])
            }
            let result = try await fixture.attempt(report, parts.report)
            #expect(result["report"]?["claims"]?.array?.isEmpty == false)
            #expect(
                try await fixture.test.store.claim(for: WorkerID(rawValue: "w3"), upTo: [.background: 4]).jobs.isEmpty)
        }
    }
}
