import Agents
import JSON
import JobQueue
import Prompts
import SQLiteStore
import Testing

@testable import Worker

@Suite(.serialized, .timeLimit(.minutes(2))) struct ScheduleTests {
    // MARK: The plan

    private static let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func plan(_ schedule: String, at now: Timestamp = start) async throws -> SchedulePlan {
        var plan: SchedulePlan?
        try await Fixture.with(schedule: schedule) { fixture in
            plan = SchedulePlan(bundle: fixture.bundle.hash, kinds: fixture.bundle.kinds, at: now)
        }
        return try #require(plan)
    }

    @Test func lastRunIsDueAtFirstSinceItMayNotBeEnqueued() async throws {
        var plan = try await plan("{every: 1 h, input: {a: 1}}")
        let due = try #require(plan.due(at: Self.start).first)
        #expect(due.run.timestamp == Timestamp(milliseconds: 1_799_996_400_000 + 3_600_000))
        #expect(due.kind.name == "work" && due.schedule.input["a"] == 1)
        plan.take(due.run)
        #expect(plan.due(at: Self.start).isEmpty)
        #expect(plan.pause(at: Self.start) == .seconds(3600))
        #expect(plan.due(at: Self.start + .seconds(3600)).map(\.run.timestamp) == [Self.start + .seconds(3600)])
    }

    @Test func missedRunsBecomeOne() async throws {
        var plan = try await plan("{every: 1 min}")
        for due in plan.due(at: Self.start) { plan.take(due.run) }
        let later = Self.start + .seconds(601)
        #expect(plan.due(at: later).map(\.run.timestamp) == [Self.start + .seconds(600)])
        // A run that is not taken stays due.
        #expect(plan.due(at: later).count == 1)
        for due in plan.due(at: later) { plan.take(due.run) }
        #expect(plan.due(at: later).isEmpty)
    }

    @Test func schedulesOfOneKindKeepTheirOwnTimes() async throws {
        var plan = try await plan("[{every: 1 min}, {cron: '0 * * * *', zone: UTC}]")
        for due in plan.due(at: Self.start) { plan.take(due.run) }
        #expect(plan.due(at: Self.start + .seconds(60)).count == 1)
        #expect(plan.due(at: Self.start + .seconds(3600)).count == 2)
    }

    // MARK: The worker

    @Test func scheduledJobsRunOnceAndCostNothing() async throws {
        try await Fixture.with(schedule: "{every: 1 s, input: {from: plan}}") { fixture in
            try await fixture.store.adopt(bundle: fixture.bundle.hash, limits: [:])
            let workers = (0..<2).map { _ in fixture.worker { context in context.job.input } }
            try await fixture.running(workers[0]) {
                try await fixture.running(workers[1]) {
                    for await _ in fixture.store.changes(.visible) {
                        let query = JobListQuery(user: .system, statuses: [.completed])
                        if try await fixture.store.jobs(query).total >= 2 { break }
                    }
                }
            }
            let jobs = try await fixture.store.jobs(JobListQuery(user: .system)).jobs
            #expect(jobs.allSatisfy { $0.cost == 0 && $0.kind == "work" && $0.input == ["from": "plan"] })
            #expect(jobs.allSatisfy { $0.bundle == fixture.bundle.hash && $0.maxAttempts == 3 })
            // Both workers saw each run; no two jobs are of the same one.
            let seconds = jobs.map { $0.createdAt.milliseconds / 1000 }
            #expect(Set(seconds).count >= seconds.count - 1)
            let balance = try await fixture.store.balance(of: .system, startingCredits: 0)
            #expect(balance == CreditBalance(granted: 0, held: 0, used: 0))
        }
    }
}
