import Agents
import Prompts
import SQLiteStore
import JSON
import JobQueue
import Synchronization
import TestSupport
import Testing
import Worker

/// The end of an attempt, and the job and its credit afterwards.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JobRunTests {
    @Test func completedJobIsStoredAndSettled() async throws {
        try await Fixture.with { fixture in
            let worker = fixture.worker { context in
                ["kind": JSON(context.kind.name), "attempt": JSON(context.job.attempt)]
            }
            let early = try await fixture.submit()
            try await fixture.running(worker) {
                let late = try await fixture.submit()
                for id in [early, late] {
                    let job = try await fixture.end(of: id)
                    #expect(job.status == .completed && job.attempt == 1 && job.progress == 100)
                    #expect(try await fixture.result(of: id) == ["kind": "work", "attempt": 1])
                }
            }
            #expect(try await fixture.credits() == "0 held, 2 used")
            #expect(try await fixture.store.heartbeats().isEmpty, "a stopped worker is not registered")
        }
    }

    @Test func transientFailureIsRetried() async throws {
        try await Fixture.with { fixture in
            let worker = fixture.worker { context throws(AgentError) in
                guard context.job.attempt == 3 else { throw ScriptedAgent.failure(isTransient: true) }
                return "third time"
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .completed && job.attempt == 3 && job.error == nil)
            }
            #expect(try await fixture.credits() == "0 held, 1 used")
        }
    }

    @Test func persistentFailureEndsTheJobAfterThePolicysAttempts() async throws {
        try await Fixture.with { fixture in
            let runs = Counter()
            let worker = fixture.worker { _ throws(AgentError) in
                runs.increment()
                throw ScriptedAgent.failure(isTransient: true)
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .failed && job.attempt == 3 && job.error == ScriptedAgent.error)
            }
            #expect(runs.count == 3)
            #expect(try await fixture.credits() == "0 held, 0 used")
        }
    }

    @Test func permanentFailureIsNotRetried() async throws {
        try await Fixture.with { fixture in
            let runs = Counter()
            let worker = fixture.worker { _ throws(AgentError) in
                runs.increment()
                throw ScriptedAgent.failure(isTransient: false)
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .failed && job.attempt == 1)
            }
            #expect(runs.count == 1)
            #expect(try await fixture.credits() == "0 held, 0 used")
        }
    }

    @Test func retryHintBeyondTheDeadlineFailsTheJob() async throws {
        try await Fixture.with { fixture in
            let worker = fixture.worker { _ throws(AgentError) in
                throw ScriptedAgent.failure(isTransient: true, retryAfter: .seconds(3600))
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .failed && job.attempt == 1)
            }
        }
    }

    @Test func snoozedJobLosesNoAttempt() async throws {
        try await Fixture.with { fixture in
            let runs = Counter()
            let worker = fixture.worker { context throws(AgentError) in
                if runs.increment() <= 4 { throw .snoozed(for: .milliseconds(5), reason: "blocked") }
                return JSON(context.job.attempt)
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .completed && job.attempt == 1)
            }
            #expect(try await fixture.result(of: id) == 1)
            #expect(runs.count == 5)
        }
    }

    @Test func aJobThatCannotGoOnBeforeItsDeadlineFailsAndNamesTheReason() async throws {
        try await Fixture.with { fixture in
            let worker = fixture.worker { _ throws(AgentError) in
                throw .snoozed(for: .seconds(170), reason: "no provider may be asked now (breaker_open)")
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .failed && job.attempt == 1 && job.error?.code == "SYS_5003")
                #expect(job.error?.message.contains("breaker_open") == true, "\(job)")
            }
        }
    }

    @Test func theLogTellsEachReasonOfAPostponedJobOnce() async throws {
        let lines = Mutex<[String]>([])
        let logger = Fixture.logger { line in lines.withLock { $0.append(line) } }
        try await Fixture.with { fixture in
            let runs = Counter()
            let worker = fixture.worker(logger: logger) { context throws(AgentError) in
                let run = runs.increment()
                guard run <= 20 else { return "done" }
                let reason = run <= 10 ? "breaker_open, retry after \(run) s" : "retry_budget"
                throw .snoozed(for: .milliseconds(1), reason: reason)
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) { _ = try await fixture.end(of: id) }
        }
        func count(_ text: String) -> Int { lines.withLock { $0.count { $0.contains("\"\(text)\"") } } }
        #expect(count("attempt snoozed") == 2)
        #expect(count("attempt started") >= 3)
        #expect(count("released") == 2 && count("attempt completed") == 1)
    }

    /// Such a job once stayed running until its deadline.
    @Test func runThatStopsByItselfIsReleased() async throws {
        try await Fixture.with { fixture in
            let runs = Counter()
            let worker = fixture.worker { _ throws(AgentError) in
                if runs.increment() == 1 { throw .interrupted }
                return "second run"
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .completed && job.attempt == 1)
            }
        }
    }

    // MARK: Jobs that cannot run

    @Test func jobWithAnUnknownBundleFails() async throws {
        try await Fixture.with { fixture in
            let id = try await fixture.submit(bundle: "0123abcd")
            try await fixture.running(fixture.worker { _ in "never" }) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .failed && job.attempt == 1 && job.error?.code == "SYS_5001")
                #expect(job.error?.message.contains("0123abcd") == true)
            }
            #expect(try await fixture.credits() == "0 held, 0 used")
        }
    }

    @Test func jobWhoseBundleHasNotItsKindFails() async throws {
        try await Fixture.with { fixture in
            let unknown = try await fixture.submit("unknown")
            try await fixture.running(fixture.worker { _ in "never" }) {
                let job = try await fixture.end(of: unknown)
                #expect(job.status == .failed && job.error?.code == "SYS_5001")
                #expect(job.error?.message.contains(job.kind) == true)
            }
            #expect(try await fixture.credits() == "0 held, 0 used")
        }
    }

    @Test func resultThatCannotBeStoredFailsTheJob() async throws {
        try await Fixture.with { fixture in
            let id = try await fixture.submit()
            try await fixture.running(fixture.worker { _ in ["text": "a\u{0}b"] }) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .failed && job.error?.code == "SYS_5001")
            }
            #expect(try await fixture.credits() == "0 held, 0 used")
        }
    }
}
