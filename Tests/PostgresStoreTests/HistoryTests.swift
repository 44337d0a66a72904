import JSON
import JobQueue
import PostgresTesting
import SQLSupport
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// Finished jobs in a table of their own.
@Suite struct HistoryTests {
    @Test func finishedJobsAreMovedAndARetryMovesThemBack() async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let worker = try await harness.worker()
        let pending = try await harness.submit { $0.runAt = fixture.clock.now + .seconds(9000) }
        let failed = try await harness.submit()
        let first = try await harness.claimOne(worker).lease
        try await harness.store.fail(first, with: StoreHarness.giveUp)
        try await harness.submit()
        try await harness.store.complete(try await harness.claimOne(worker).lease, with: 1, effects: [])
        fixture.clock.advance(by: .seconds(60))
        #expect(try await harness.store.archiveFinished(before: fixture.clock.now, limit: 100) == 2)
        #expect(try await harness.store.archiveFinished(before: fixture.clock.now, limit: 100) == 0)
        #expect(try await rows(fixture) == ["\(pending.id)", "2"])
        _ = try await harness.store.retry(failed.id, of: failed.user)
        #expect(try await rows(fixture) == ["\(pending.id)", "\(failed.id)", "1"])
        #expect(try await harness.claimOne(worker).lease.job == failed.id)
        await fixture.remove()
    }

    /// The view has all columns of a completed job, whose row has few of them once it is archived.
    @Test(arguments: [("revision", 1), ("1 << 20", 0)])
    func theViewReadsTheSameOfAnArchivedJob(revision: String, compact: Int) async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let worker = try await harness.worker()
        let job = try await harness.submit(cost: 3) { job in
            job.priority = 7
            job.maxAttempts = 4
            job.requestID = "r"
        }
        let lease = try await harness.claimOne(worker).lease
        fixture.clock.advance(by: .seconds(2))
        let result: JSON = ["report": JSON((0..<90).map { "line \($0)" }.joined(separator: "; "))]
        try await harness.store.complete(lease, with: result, effects: [])
        try await fixture.database.sql("UPDATE job SET revision = \(revision)")
        let view = "SELECT r::text FROM job_record AS r"
        let before = try await fixture.database.sql(view)
        fixture.clock.advance(by: .seconds(60))
        #expect(try await harness.store.archiveFinished(before: fixture.clock.now, limit: 100) == 1)
        #expect(try await fixture.database.sql(view) == before && before.count == 1)
        let session = "SET ROLE dossier_reader; SET dossier.user_id = '\(job.user.rawValue)'; "
        #expect(try await fixture.database.sql(session + view) == before)
        let shape = "SELECT count(counts) || ' ' || count(packed) || ' ' || count(request_id) FROM finished_job"
        #expect(try await fixture.database.sql(shape) == ["\(compact) \(compact) \(1 - compact)"])
        #expect(try await harness.store.jobWithResult(job.id, of: job.user)?.result == result)
        #expect(try await harness.store.auditCredits().isEmpty)
        try await harness.store.complete(lease, with: result, effects: [])
        await fixture.remove()
    }

    @Test func aJobIsWholeInTheTableOfUnfinishedJobs() async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        try await harness.submit()
        for column in ["priority", "deadline", "epoch", "queue", "bundle"] {
            await #expect(throws: TestingFailure.self, "\(column)") {
                try await fixture.database.sql("UPDATE job SET \(column) = NULL")
            }
        }
        await fixture.remove()
    }

    private func rows(_ fixture: PostgresFixture) async throws -> [String] {
        try await fixture.database.sql(
            "SELECT id::text FROM ONLY job UNION ALL (SELECT count(*)::text FROM finished_job)")
    }

    @Test func aReaderSeesArchivedJobsOfItsUserAlone() async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let worker = try await harness.worker()
        for user: Int64 in 1...2 {
            try await harness.submit(user)
            let lease = try await harness.claimOne(worker).lease
            _ = try await harness.store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: lease)
            try await harness.store.complete(lease, with: ["of": JSON(user)], effects: [])
        }
        fixture.clock.advance(by: .seconds(60))
        #expect(try await harness.store.archiveFinished(before: fixture.clock.now, limit: 100) == 2)
        let session = "SET ROLE dossier_reader; SET dossier.user_id = '2'; "
        #expect(try await fixture.database.sql(session + "SELECT user_id, result FROM job") == ["2|{\"of\":2}"])
        #expect(try await fixture.database.sql(session + "SELECT user_id, status FROM job_record") == ["2|completed"])
        #expect(try await fixture.database.sql(session + "SELECT count(*) FROM step") == ["1"])
        await #expect(throws: TestingFailure.self) {
            try await fixture.database.sql(session + "SELECT count(*) FROM finished_job")
        }
        await fixture.remove()
    }

    /// Retention goes on where it was: deleted rows whose index entries an open transaction keeps are not read again.
    @Test func deletingBesideAnOpenTransactionDoesNotReadWhatWasDeleted() async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql(
            """
            INSERT INTO finished_job (
                number, id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, queue, limited,
                kind, bundle, input, status, progress, result, completed_at, epoch, revision, attempt, deaths, blocked,
                waiting, interrupted)
            SELECT
                n, (lpad(to_hex(1000 * n), 12, '0') || lpad(to_hex(n), 20, '0'))::uuid, 1, 0, 0, 1, 1000 * n, 1000,
                1000 * n, 'background', false, 'k', 'b', '{}', 'completed', 100, '1', 1000 * n + 5,
                1, 1, 1, 0, false, false, false
            FROM generate_series(1, 20000) AS n;
            ANALYZE finished_job
            """)
        let holder = try PostgresConnection(PostgresURL(database.url), limit: .seconds(30))
        _ = try holder.runScript(
            "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*)::text FROM job", limit: .seconds(30))
        var pages: [Int] = []
        for _ in 0..<90 {
            let plan = try await database.sql(
                """
                EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF)
                SELECT delete_finished_jobs(NULL, 20000001, 0, 200)
                """)
            let line = try #require(plan.first { $0.contains("Buffers:") })
            let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
            pages.append(numbers.reduce(0, +))
        }
        #expect(try await database.sql("SELECT count(*) FROM job") == ["2000"])
        let early = try #require(pages[5..<25].min())
        let late = try #require(pages[70...].min())
        #expect(late < 2 * early, "\(early) pages at the beginning, \(late) at the end")
        _ = try holder.runScript("COMMIT", limit: .seconds(30))
        await database.remove()
    }

    @Test func outputsAreKeptCompressed() async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let figures = JSON.array((0..<5000).map { ["id": JSON("revenue.FY\($0)"), "value": JSON($0 * 7919)] })
        let lease = try await harness.running()
        _ = try await harness.store.append(
            StoreHarness.step("gather", output: figures), replacingFrom: nil, effects: [], under: lease)
        #expect(try await fixture.database.sql("SELECT length(output) FROM step") == ["0"])
        let sizes = try await fixture.database.sql("SELECT pg_column_size(packed) FROM step").compactMap { Int($0) }
        #expect(try #require(sizes.first) * 4 < figures.compact.utf8.count)
        await fixture.remove()
    }
}
