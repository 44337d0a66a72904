import JSON
import JobQueue
import Prompts
import SQLSupport
import SQLiteStore
import TestSupport
import Testing

@testable import Worker

/// Jobs that a worker cannot run, and leases whose jobs it does not run.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AbilitiesTests {
    @Test func aWorkerLeavesKindsOfUnknownAgentsToOthersAndSaysSoInItsRecord() async throws {
        try await Fixture.with { fixture in
            try await fixture.store.adopt(bundle: fixture.bundle.hash, limits: [:])
            let orphan = try await fixture.submit("orphan")
            let job = try await fixture.submit()
            try await fixture.running(fixture.worker { _ in "done" }) {
                #expect(try await fixture.end(of: job).status == .completed)
                let left = try await fixture.job(orphan)
                #expect(left.status == .pending && left.attempt == 0 && left.error == nil)
                let record = try await fixture.abilities()
                #expect(record["kinds"] == ["work"])
                #expect(record["missing"]?["orphan"]?.string == "this version has no agent 'absent'")
            }
        }
    }

    @Test func aWorkerWithoutModelsFailsNoJobAndAnAbleOneRunsIt() async throws {
        try await Fixture.with { fixture in
            try await fixture.store.adopt(bundle: fixture.bundle.hash, limits: [:])
            let id = try await fixture.submit()
            let keyless = fixture.worker(missing: { _ in "no model of tier 'fast' can be reached" }) { _ in "never" }
            try await fixture.running(keyless) {
                try await fixture.untilRecorded { $0["missing"]?["work"] != nil }
                #expect(try await fixture.job(id).attempt == 0)
                try await fixture.running(fixture.worker { _ in "done" }) {
                    let job = try await fixture.end(of: id)
                    #expect(job.attempt == 1)
                }
            }
            #expect(try await fixture.result(of: id) == "done")
            #expect(try await fixture.credits() == "0 held, 1 used")
        }
    }

    /// Without a current bundle the worker learns it from the job itself.
    @Test func aJobThatTurnsOutToBeOfAnUnknownAgentReturnsToPending() async throws {
        try await Fixture.with { fixture in
            let orphan = try await fixture.submit("orphan")
            try await fixture.running(fixture.worker { _ in "never" }) {
                let job = try await fixture.wait(for: orphan) { $0.status == .pending && $0.attempt == 1 }
                #expect(job.error == nil)
                try await fixture.untilRecorded { $0["missing"]?["orphan"] != nil }
            }
            #expect(try await fixture.credits() == "1 held, 0 used")
        }
    }

    @Test func aBundleThatCannotBeReadIsLeftToOthers() async throws {
        try await Fixture.with { fixture in
            try await fixture.store.store(bundle: "future", archive: "{\"format\":99}")
            let id = try await fixture.submit(bundle: "future")
            let job = try await fixture.submit()
            try await fixture.running(fixture.worker { _ in "done" }) {
                #expect(try await fixture.end(of: job).status == .completed)
                try await fixture.untilRecorded { $0["unreadable_bundles"] == ["future"] }
                _ = try await fixture.wait(for: id) { $0.status == .pending }
            }
        }
    }

    /// A full budget excludes its kinds from claims: interactive ones among them would wait with the background jobs.
    @Test func theClaimsOfInteractiveJobsWaitForNoBudget() {
        func kind(_ name: String, _ queue: QueueName, _ prompts: [String: String]) -> JobKind {
            JobKind(
                name: name, title: name, agent: "scripted", credits: 0, queue: queue, deadline: .seconds(170),
                estimate: .seconds(1), retries: RetryPolicy(attempts: 1, initialPause: .zero, longestPause: .zero),
                tier: "deep", prompts: prompts, stages: [],
                inputSchema: [:])
        }
        let kinds = [
            kind("research", .background, ["draft": "research"]), kind("ingest", .background, [:]),
            kind("interpret", .interactive, ["answer": "interpret"]),
        ]
        #expect(Abilities.tiers(of: kinds) == ["research": "deep"])
    }

    // MARK: Idle leases

    /// As after a claim whose answer was lost for good.
    @Test func aJobThatIsHeldAndDoesNotRunIsHandedBackAndRuns() async throws {
        try await Fixture.with { fixture in
            let worker = WorkerID(rawValue: "worker-1")
            try await fixture.store.register(
                WorkerRegistration(id: worker, host: "here", processID: 1, concurrency: 1))
            let id = try await fixture.submit()
            let claim = try await fixture.store.claim(for: worker, upTo: [.background: 1])
            #expect(claim.jobs.map(\.lease.job) == [id])
            try await fixture.running(fixture.worker { _ in "done" }) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .completed && job.attempt == 1, "no attempt is lost")
            }
            #expect(try await fixture.credits() == "0 held, 1 used")
        }
    }

    @Test func aLeaseIsIdleAfterALimitOnly() {
        var idle = IdleLeases(limit: .seconds(3))
        let start = ContinuousClock.now
        var generator = SeededRandom(seed: 1)
        let leases = (0..<2).map { Lease(job: JobID(at: Timestamp(milliseconds: $0), using: &generator), epoch: 1) }
        #expect(idle.note([leases[0]], at: start).isEmpty)
        #expect(idle.note(Set(leases), at: start + .seconds(2)).isEmpty)
        #expect(idle.note(Set(leases), at: start + .seconds(3)) == [leases[0]])
        #expect(idle.note([], at: start + .seconds(4)).isEmpty)
        #expect(idle.note(Set(leases), at: start + .seconds(6)).isEmpty, "they were running in between")
    }

    @Test func aJobThatTwoAnswersNameRunsOnce() {
        let running = RunningJobs()
        var generator = SeededRandom(seed: 1)
        let id = JobID(at: Timestamp(milliseconds: 1), using: &generator)
        #expect(running.add(Lease(job: id, epoch: 2), queue: .background))
        #expect(!running.add(Lease(job: id, epoch: 2), queue: .background))
        #expect(!running.add(Lease(job: id, epoch: 1), queue: .background))
        #expect(running.add(Lease(job: id, epoch: 3), queue: .background))
    }
}
