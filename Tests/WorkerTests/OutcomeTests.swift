import Agents
import Prompts
import SQLiteStore
import JSON
import JobQueue
import Testing
import Worker

/// How an attempt ends, and what becomes of the job and its credit.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OutcomeTests {
    @Test func aJobThatIsDoneIsStoredAndSettled() async throws {
        try await Bench.with { bench in
            let worker = bench.worker { context in
                ["kind": JSON(context.kind.name), "attempt": JSON(context.job.attempt)]
            }
            let early = try await bench.submit()
            try await bench.running(worker) {
                let late = try await bench.submit()
                for id in [early, late] {
                    let job = try await bench.end(of: id)
                    #expect(job.status == .completed && job.attempt == 1 && job.progress == 100)
                    #expect(try await bench.result(of: id) == ["kind": "work", "attempt": 1])
                }
            }
            #expect(try await bench.credits() == "0 held, 2 used")
            #expect(try await bench.store.heartbeats().isEmpty, "a worker that has stopped is gone")
        }
    }

    @Test func aPassingFailureIsTriedAgain() async throws {
        try await Bench.with { bench in
            let worker = bench.worker { context throws(AgentError) in
                guard context.job.attempt == 3 else { throw ScriptedAgent.failure(isTransient: true) }
                return "third time"
            }
            let id = try await bench.submit()
            try await bench.running(worker) {
                let job = try await bench.end(of: id)
                #expect(job.status == .completed && job.attempt == 3 && job.error == nil)
            }
            #expect(try await bench.credits() == "0 held, 1 used")
        }
    }

    @Test func aFailureThatGoesOnIsGivenUpAfterThePolicysAttempts() async throws {
        try await Bench.with { bench in
            let runs = Counter()
            let worker = bench.worker { _ throws(AgentError) in
                runs.increment()
                throw ScriptedAgent.failure(isTransient: true)
            }
            let id = try await bench.submit()
            try await bench.running(worker) {
                let job = try await bench.end(of: id)
                #expect(job.status == .failed && job.attempt == 3 && job.error == ScriptedAgent.error)
            }
            #expect(runs.value == 3)
            #expect(try await bench.credits() == "0 held, 0 used")
        }
    }

    @Test func aFinalFailureIsNotTriedAgain() async throws {
        try await Bench.with { bench in
            let runs = Counter()
            let worker = bench.worker { _ throws(AgentError) in
                runs.increment()
                throw ScriptedAgent.failure(isTransient: false)
            }
            let id = try await bench.submit()
            try await bench.running(worker) {
                let job = try await bench.end(of: id)
                #expect(job.status == .failed && job.attempt == 1)
            }
            #expect(runs.value == 1)
            #expect(try await bench.credits() == "0 held, 0 used")
        }
    }

    @Test func aHintBeyondTheDeadlineIsNotWaitedFor() async throws {
        try await Bench.with { bench in
            let worker = bench.worker { _ throws(AgentError) in
                throw ScriptedAgent.failure(isTransient: true, retryAfter: .seconds(3600))
            }
            let id = try await bench.submit()
            try await bench.running(worker) {
                let job = try await bench.end(of: id)
                #expect(job.status == .failed && job.attempt == 1)
            }
        }
    }

    @Test func aPostponedJobLosesNoAttempt() async throws {
        try await Bench.with { bench in
            let runs = Counter()
            let worker = bench.worker { context throws(AgentError) in
                if runs.increment() <= 4 { throw .postponed(after: .milliseconds(5), reason: "blocked") }
                return JSON(context.job.attempt)
            }
            let id = try await bench.submit()
            try await bench.running(worker) {
                let job = try await bench.end(of: id)
                #expect(job.status == .completed && job.attempt == 1)
            }
            #expect(try await bench.result(of: id) == 1)
            #expect(runs.value == 5)
        }
    }

    /// Once such a job stayed as it was until its deadline.
    @Test func aRunThatStopsByItselfIsHandedBack() async throws {
        try await Bench.with { bench in
            let runs = Counter()
            let worker = bench.worker { _ throws(AgentError) in
                if runs.increment() == 1 { throw .interrupted }
                return "second run"
            }
            let id = try await bench.submit()
            try await bench.running(worker) {
                let job = try await bench.end(of: id)
                #expect(job.status == .completed && job.attempt == 1)
            }
        }
    }

    // MARK: What nobody can run

    @Test func aJobWhoseBundleNobodyHasFails() async throws {
        try await Bench.with { bench in
            let id = try await bench.submit(bundle: "0123abcd")
            try await bench.running(bench.worker { _ in "never" }) {
                let job = try await bench.end(of: id)
                #expect(job.status == .failed && job.attempt == 1 && job.error?.code == "SYS_5001")
                #expect(job.error?.message.contains("0123abcd") == true)
            }
            #expect(try await bench.credits() == "0 held, 0 used")
        }
    }

    @Test func aJobWithoutItsKindOrItsAgentFails() async throws {
        try await Bench.with { bench in
            let orphan = try await bench.submit("orphan")
            let unknown = try await bench.submit("unknown")
            try await bench.running(bench.worker { _ in "never" }) {
                for id in [orphan, unknown] {
                    let job = try await bench.end(of: id)
                    #expect(job.status == .failed && job.error?.code == "SYS_5001")
                    #expect(job.error?.message.contains(job.kind) == true)
                }
            }
            #expect(try await bench.credits() == "0 held, 0 used")
        }
    }

    @Test func aResultThatCannotBeStoredFailsTheJob() async throws {
        try await Bench.with { bench in
            let id = try await bench.submit()
            try await bench.running(bench.worker { _ in ["text": "a\u{0}b"] }) {
                let job = try await bench.end(of: id)
                #expect(job.status == .failed && job.error?.code == "SYS_5001")
            }
            #expect(try await bench.credits() == "0 held, 0 used")
        }
    }
}
