import JobQueue
import JSON
import PostgresTesting
import SQLSupport
import Testing
import TestSupport

@testable import PostgresStore
@testable import StoreConformance

/// Claims whose commit waits for a synchronous standby that is away. The server carries them out much later than their
/// callers give them up.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HangingCommitTests {
    private static let jobs = 10

    /// Opens a store that gives statements up soon, on a server of its own.
    private static func with(_ body: (PostgresCluster, PostgresDatabase, PostgresStore) async throws -> Void)
        async throws
    {
        let cluster = try await PostgresCluster.start()
        do {
            let database = try await cluster.makeDatabase()
            var options = PostgresStore.Options()
            options.answerLimit = .seconds(1)
            options.timeout = .seconds(4)
            let store = try await PostgresStore.open(try PostgresURL(database.url), options: options)
            try await body(cluster, database, store)
            await store.close()
        } catch {
            await cluster.close()
            throw error
        }
        await cluster.close()
    }

    private static func hang(_ cluster: PostgresCluster) async throws {
        try await cluster.sql("ALTER SYSTEM SET synchronous_standby_names = 'ghost'")
        try await cluster.sql("SELECT pg_reload_conf()")
        // The commits of the store's sessions hang as soon as they have read the setting.
        while try await cluster.sql("SHOW synchronous_standby_names") != ["ghost"] { await Task.yield() }
    }

    private static func goOn(_ cluster: PostgresCluster) async throws {
        try await cluster.sql("ALTER SYSTEM RESET synchronous_standby_names")
        try await cluster.sql("SELECT pg_reload_conf()")
    }

    /// Waits until so many commits of the database wait for the standby.
    private static func untilHanging(_ database: PostgresDatabase) async throws {
        let hanging =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'"
        while try await database.sql(hanging) == ["0"] { await Task.yield() }
    }

    private static func sessions(_ database: PostgresDatabase) async throws -> Set<String> {
        Set(try await database.sql("SELECT pid FROM pg_stat_activity WHERE datname = current_database()"))
    }

    private static func beat(_ store: PostgresStore, as name: String) async throws {
        let worker = WorkerID(rawValue: name)
        try await store.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 1))
        try await store.heartbeat(worker)
    }

    /// A worker named `ended` that beats once, and whose sessions have ended then.
    private static func beatAndClose(_ fixture: PostgresFixture) async throws {
        let others = try await sessions(fixture.database)
        let ended = try await fixture.openStore()
        try await beat(ended, as: "ended")
        let closed = try await sessions(fixture.database).subtracting(others)
        await ended.close()
        // The server ends a session a little later than its connection is closed.
        while try await !sessions(fixture.database).isDisjoint(with: closed) { await Task.yield() }
    }

    private static func submit(_ store: PostgresStore) async throws -> JobID {
        var generator = SystemRandomNumberGenerator()
        let now = try await store.now()
        let job = NewJob(
            id: JobID(at: now, using: &generator), user: UserID(rawValue: 1), kind: "drill", input: [:], bundle: "b",
            cost: 0, deadline: now + .seconds(600), startingCredits: 10)
        let submission = try await store.submit(job)
        return try #require(submission.accepted).id
    }

    @Test func aClaimThatCommitsAfterItWasGivenUpLeavesNoJobWithoutAWorker() async throws {
        try await Self.with { cluster, database, store in
            let worker = WorkerID(rawValue: "w")
            try await store.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 20))
            for _ in 0..<Self.jobs { _ = try await Self.submit(store) }
            try await Self.hang(cluster)
            let first = Task { try await store.claim(for: worker, upTo: [.background: Self.jobs]) }
            try await Self.untilHanging(database)
            // The claim is given up and asked for again while its commit hangs.
            var claimed = Set((try? await first.value)?.jobs.map(\.lease) ?? [])
            for _ in 0..<2 where claimed.isEmpty {
                claimed.formUnion(
                    (try? await store.claim(for: worker, upTo: [.background: Self.jobs]))?.jobs.map(\.lease) ?? [])
            }
            try await Self.goOn(cluster)
            for _ in 0..<50 where claimed.count < Self.jobs {
                claimed.formUnion(
                    (try? await store.claim(for: worker, upTo: [.background: Self.jobs]))?.jobs.map(\.lease) ?? [])
            }
            #expect(claimed.count == Self.jobs, "a worker holds jobs that it does not know")
            #expect(try await store.leases(of: worker) == claimed)
        }
    }

    @Test func aClaimThatWentAlongWithASubmitThatHangsLeavesNoJobWithoutAWorker() async throws {
        try await Self.with { cluster, database, store in
            let worker = WorkerID(rawValue: "w")
            try await store.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 20))
            _ = try await Self.submit(store)
            let before = try await store.claim(for: worker, upTo: [.background: 5]).jobs.map(\.lease)
            try await store.complete(try #require(before.first), with: [:], effects: [])
            let pending = Task { try await store.claimWithNextSubmit(for: worker, upTo: [.background: 5]) }
            while store.writers.waitingCount(in: store.writes.claimWithSubmit) == 0 { await Task.yield() }
            try await Self.hang(cluster)
            let submit = Task { try await Self.submit(store) }
            try await Self.untilHanging(database)
            // It fails with the first try of the submit, whose commit is still to come.
            var claimed = Set((try? await pending.value)?.jobs.map(\.lease) ?? [])
            _ = try? await store.claim(for: worker, upTo: [.background: 5])
            try await Self.goOn(cluster)
            _ = try? await submit.value
            for _ in 0..<50 where claimed.isEmpty {
                claimed.formUnion(
                    (try? await store.claim(for: worker, upTo: [.background: 5]))?.jobs.map(\.lease) ?? [])
            }
            #expect(claimed.count == 1, "a worker holds a job that it does not know")
            #expect(try await store.leases(of: worker) == claimed)
        }
    }

    /// A heartbeat need not be durable, so a standby that is away declares no worker dead.
    @Test func heartbeatsDoNotWaitForTheStandby() async throws {
        try await Self.with { cluster, _, store in
            let worker = WorkerID(rawValue: "w")
            try await store.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 20))
            try await Self.hang(cluster)
            let before = try await store.heartbeats()
            try await store.heartbeat(worker)
            let after = try await store.heartbeats()
            #expect(after.first?.count == before.first.map { $0.count + 1 })
            try await Self.goOn(cluster)
        }
    }

    // MARK: Sessions

    @Test func aWorkerWhoseConnectionIsClosedIsSilentSoonAndOneThatIsStoppedIsNot() async throws {
        let fixture = try await PostgresFixture()
        let observer = try await fixture.openStore()
        _ = try await observer.observe(as: FleetObserver(worker: nil))
        try await Self.beat(try await fixture.openStore(), as: "stopped")
        try await Self.beatAndClose(fixture)
        var silent: [String: Int] = [:]
        for second in 1...14 {
            fixture.clock.advance(by: .seconds(1))
            for other in try await observer.observe(as: FleetObserver(worker: nil)).others where other.isSilent {
                let name = other.heartbeat.worker.rawValue
                silent[name] = min(silent[name] ?? second, second)
            }
        }
        #expect(silent["ended"] == 4, "\(silent)")
        #expect(silent["stopped"] == 12, "\(silent)")
        await fixture.remove()
    }

    /// A process that has just started, and beats a moment before an older one each time, knows nothing of sessions that
    /// ended before.
    @Test func theLookOfAYoungProcessDoesNotStandForThatOfAnOlderOne() async throws {
        let fixture = try await PostgresFixture()
        let old = try await fixture.openStore()
        _ = try await old.observe(as: FleetObserver(worker: nil))
        try await Self.beatAndClose(fixture)
        let young = try await fixture.openStore()
        var silentAt: Int?
        for second in 1...14 where silentAt == nil {
            fixture.clock.advance(by: .milliseconds(900))
            let seen = try await young.observe(as: FleetObserver(worker: nil)).others
            #expect(seen.isEmpty)
            fixture.clock.advance(by: .milliseconds(100))
            let others = try await old.observe(as: FleetObserver(worker: nil)).others
            if others.contains(where: \.isSilent) { silentAt = second }
        }
        #expect(silentAt == 4)
        await fixture.remove()
    }

    /// After a restart of the server the sessions of all workers have ended.
    @Test func anObserverThatConnectedAfterAHeartbeatDrawsNoConclusionFromClosedSessions() async throws {
        let fixture = try await PostgresFixture()
        let ended = try await fixture.openStore()
        _ = try await ended.observe(as: FleetObserver(worker: nil))
        let worker = WorkerID(rawValue: "ended")
        try await ended.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 1))
        try await ended.heartbeat(worker)
        await ended.close()
        let observer = try await fixture.openStore()
        var silentAt: Int?
        for second in 1...14 where silentAt == nil {
            fixture.clock.advance(by: .seconds(1))
            let others = try await observer.observe(as: FleetObserver(worker: nil)).others
            if others.contains(where: \.isSilent) { silentAt = second }
        }
        #expect(silentAt == 12)
        await fixture.remove()
    }

    // MARK: Claims that find nothing

    @Test func aClaimThatFindsNothingWritesNothing() async throws {
        let fixture = try await PostgresFixture()
        let store = try await fixture.openStore()
        let worker = WorkerID(rawValue: "w")
        try await store.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 1))
        _ = try await store.claim(for: worker, upTo: [.background: 1])
        let next = "SELECT pg_snapshot_xmax(pg_current_snapshot())"
        let before = try await fixture.database.sql(next)
        for _ in 0..<20 { _ = try await store.claim(for: worker, upTo: [.interactive: 5, .background: 5]) }
        #expect(try await fixture.database.sql(next) == before, "a claim took a transaction number")
        await fixture.remove()
    }
}
