import Agents
import JobQueue
import JSON
import SQLSupport
import Testing
import TestSupport

@testable import SQLiteStore
@testable import Worker

/// A worker deletes what is older than its settings say.
@Suite struct RetentionTests {
    @Test func aWorkerDeletesOldJournalsAndJobsByItsSettings() async throws {
        try await Fixture.with { fixture in
            let ids = [try await fixture.submit(), try await fixture.submit()]
            let worker = fixture.worker { configuration in
                configuration.retentionInterval = .milliseconds(20)
                configuration.retention.journals = .zero
            } script: { context async throws(AgentError) in
                try await context.journal.step("a", input: 1) { 2 }.output
            }
            try await fixture.running(worker) {
                for id in ids { _ = try await fixture.end(of: id) }
                #expect(try await eventually { try await fixture.store.journal(of: ids[0]).isEmpty })
            }
            #expect(try await fixture.store.job(ids[0], of: nil)?.status == .completed)
            let next = fixture.worker { configuration in
                configuration.retentionInterval = .milliseconds(20)
                configuration.retention.jobs = .zero
            } script: { _ async throws(AgentError) in
                .null
            }
            try await fixture.running(next) {
                let isGone = try await eventually { try await fixture.store.job(ids[1], of: nil) == nil }
                #expect(isGone)
            }
        }
    }

    @Test func archivesOfUsersGoAfterAWeek() async throws {
        try await Fixture.with { fixture in
            let store = fixture.store
            let id = WorkerID(rawValue: "earlier")
            try await store.register(WorkerRegistration(id: id, host: "h", processID: 1, concurrency: 9))
            let now = try await store.now()
            for (user, age) in [(UserID(rawValue: 1), Duration.seconds(8 * 86_400)), (2, .seconds(6 * 86_400))] {
                let job = try await fixture.submit()
                let claim = try await store.claim(for: id, upTo: [.background: 1, .interactive: 1])
                let lease = try #require(claim.jobs.first { $0.lease.job == job }?.lease)
                try await store.storeExportPart(0, "{}\n", under: lease)
                let export = UserExport(
                    job: job.description, user: user, epoch: lease.epoch, madeAt: now - age, lines: 1, bytes: 3,
                    parts: 1)
                try await store.complete(lease, with: [:], effects: [.record(.userExport(export))])
            }
            try await untilTheArchiveIsGone(in: fixture)
            #expect(try await store.newestExport(of: 2) != nil, "the one of six days stays")
        }
    }

    @Test func manyJobsToArchiveHoldNoOtherPassUp() async throws {
        try await Fixture.with { fixture in
            let store = fixture.store
            let id = WorkerID(rawValue: "earlier")
            // One more than are archived at once.
            let count = 501
            try await store.register(WorkerRegistration(id: id, host: "h", processID: 1, concurrency: count))
            let now = try await store.now()
            for _ in 0..<count { try await fixture.submit(cost: 0) }
            var leases: [Lease] = []
            while leases.count < count {
                let claim = try await store.claim(for: id, upTo: [.background: count, .interactive: count])
                leases += claim.jobs.map(\.lease)
            }
            let export = UserExport(
                job: leases[0].job.description, user: 1, epoch: leases[0].epoch, madeAt: now - .seconds(8 * 86_400),
                lines: 0, bytes: 0, parts: 0)
            try await store.complete(leases[0], with: [:], effects: [.record(.userExport(export))])
            for lease in leases.dropFirst() { try await store.complete(lease, with: [:], effects: []) }
            // They ended an hour ago. A trigger notes how many are archived when the user's archive goes.
            let database = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
            try database.oneOff("UPDATE job SET completed_at = completed_at - 3600000") { _ in }
            try database.oneOff("CREATE TABLE seen (archived INTEGER)") { _ in }
            try database.oneOff(
                """
                CREATE TRIGGER seen_at_deletion AFTER DELETE ON user_export
                BEGIN INSERT INTO seen SELECT count(*) FROM finished_job; END
                """
            ) { _ in }
            try await untilTheArchiveIsGone(in: fixture)
            var archived: Int64?
            try database.oneOff("SELECT archived FROM seen") { archived = $0.integer() }
            #expect(archived == 500, "the rest waits for the other passes' turns")
        }
    }

    /// Runs a worker until the first user's archive is deleted.
    private func untilTheArchiveIsGone(in fixture: Fixture) async throws {
        let worker = fixture.worker { configuration in
            configuration.retentionInterval = .milliseconds(20)
        } script: { _ async throws(AgentError) in
            .null
        }
        try await fixture.running(worker) {
            let isGone = try await eventually { try await fixture.store.newestExport(of: 1) == nil }
            #expect(isGone)
        }
    }
}
