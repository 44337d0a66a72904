import JSON
import JobQueue
import PostgresTesting
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// A server that is away, frozen or busy with a lock, as the callers of a store see it.
@Suite(.timeLimit(.minutes(5))) struct OutageTests {
    /// The store asks a frozen server once more, over a connection of its own, and tells once that it is away.
    @Test func callersWithLittleTimeHearSoonThatTheServerIsFrozen() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try await cluster.makeDatabase()
        let store = try await PostgresStore.open(try PostgresURL(database.url))
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        var events = store.events().makeAsyncIterator()
        try await harness.submit()
        try await cluster.freeze()
        let start = ContinuousClock.now
        let job = harness.job(cost: 1) {
            $0.deadline = $0.deadline + .seconds(100_000_000)
            $0.idempotency = Idempotency(key: "k", fingerprint: "f")
        }
        await #expect(throws: StoreError.self) {
            try await StoreTimeout.$current.withValue(.milliseconds(1600)) { _ = try await store.submit(job) }
        }
        // 1.6 s, and as much again for a busy machine.
        #expect(.now - start < .milliseconds(3200))
        guard case .unavailable = await events.next() else { throw HarnessFailure("nobody told of the outage") }
        guard case .unavailable = store.availability else { throw HarnessFailure("the store believes in its server") }
        // Callers with time wait for the server's return, however long it takes.
        async let patient = store.heartbeats()
        try await cluster.thaw()
        guard case .available = await events.next() else { throw HarnessFailure("nobody told of the return") }
        #expect(store.availability == .available)
        _ = try await patient
        // Whether or not the first try was carried out, there is one job and one hold.
        switch try await store.submit(job) {
        case .accepted(let found), .existing(let found): #expect(found.id == job.id)
        default: throw HarnessFailure("the repetition was refused")
        }
        #expect(try await database.sql("SELECT count(*) FROM job WHERE idempotency_key = 'k'") == ["1"])
        #expect(try await harness.balance().held == 1)
        await store.close()
        #expect(await events.next() == nil, "an event too many")
        await fixture.remove()
        await cluster.close()
    }

    /// A table's lock stands for a million jobs, which are counted for longer than the caller waits.
    @Test func aQuestionThatTakesLongIsNoOutageAndLeavesRoomForOthers() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try await cluster.makeDatabase()
        let store = try await PostgresStore.open(try PostgresURL(database.url))
        let connection = try PostgresConnection(PostgresURL(database.url), limit: .seconds(60))
        _ = try connection.runScript("BEGIN; LOCK TABLE ready IN ACCESS EXCLUSIVE MODE", limit: .seconds(60))
        let start = ContinuousClock.now
        // For longer than requests of the usual length may wait before the server counts as away.
        while .now - start < .seconds(5) {
            await #expect(throws: StoreError.self) {
                try await StoreTimeout.$current.withValue(.milliseconds(300)) {
                    _ = try await store.jobCounts(submittedSince: Timestamp(milliseconds: 0))
                }
            }
            #expect(store.availability == .available)
        }
        // As many questions wait as there are connections that read.
        _ = try await StoreTimeout.$current.withValue(.seconds(10)) { try await store.jobTimes(limit: 1) }
        _ = try await StoreTimeout.$current.withValue(.seconds(10)) { try await store.now() }
        _ = try connection.runScript("COMMIT", limit: .seconds(60))
        #expect(try await store.jobCounts(submittedSince: Timestamp(milliseconds: 0)).isEmpty)
        await store.close()
        await cluster.close()
    }

    /// The server takes connections and answers a constant all the time.
    @Test func aServerWhoseTablesAreAllLockedIsAwayUntilItAnswersARequest() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try await cluster.makeDatabase()
        let store = try await PostgresStore.open(try PostgresURL(database.url))
        var events = store.events().makeAsyncIterator()
        _ = try await store.heartbeats()
        let connection = try PostgresConnection(PostgresURL(database.url), limit: .seconds(60))
        _ = try connection.runScript(
            """
            BEGIN;
            DO $$ DECLARE t text; BEGIN
                FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
                    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', t);
                END LOOP;
            END $$
            """, limit: .seconds(60))
        let requests = Task {
            while !Task.isCancelled {
                _ = try? await StoreTimeout.$current.withValue(.milliseconds(300)) { try await store.heartbeats() }
                _ = try? await StoreTimeout.$current.withValue(.milliseconds(300)) { try await store.now() }
            }
        }
        guard case .unavailable = await events.next() else { throw HarnessFailure("nobody told of the outage") }
        guard case .unavailable = store.availability else { throw HarnessFailure("the store believes in its server") }
        _ = try connection.runScript("COMMIT", limit: .seconds(60))
        guard case .available(let outage) = await events.next() else {
            throw HarnessFailure("nobody told of the return")
        }
        #expect(outage >= .seconds(2))
        #expect(store.availability == .available)
        requests.cancel()
        await requests.value
        await store.close()
        #expect(await events.next() == nil, "an event too many")
        await cluster.close()
    }

    @Test func aRefusedConnectionIsNoticedAtOnceAndTheReturnSoon() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try await cluster.makeDatabase()
        let store = try await PostgresStore.open(try PostgresURL(database.url))
        var events = store.events().makeAsyncIterator()
        _ = try await store.heartbeats()
        for how in [PostgresCluster.Stop.fast, .crash] {
            try await cluster.stop(how)
            await #expect(throws: StoreError.self) {
                try await StoreTimeout.$current.withValue(.milliseconds(1600)) { _ = try await store.heartbeats() }
            }
            guard case .unavailable = await events.next() else { throw HarnessFailure("nobody told of the outage") }
            try await cluster.start()
            guard case .available = await events.next() else { throw HarnessFailure("nobody told of the return") }
            _ = try await store.heartbeats()
        }
        await store.close()
        await cluster.close()
    }

    /// A lock such as that of `CREATE INDEX` blocks steps, completions, claims and submits; three of them would hold all
    /// connections that write.
    @Test func heartbeatsGoOnWhileATableIsLocked() async throws {
        let fixture = try await PostgresFixture()
        let store = try await fixture.openStore { options in
            options.answerLimit = .seconds(8)
            options.timeout = .seconds(60)
        }
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        let worker = try await harness.worker()
        let leases = [try await harness.running(), try await harness.running(by: 2)]
        try await harness.submit(3)
        let connection = try PostgresConnection(PostgresURL(fixture.database.url), limit: .seconds(60))
        _ = try connection.runScript(
            "BEGIN; LOCK TABLE job, step, lease, ready, balance IN SHARE MODE", limit: .seconds(60))
        async let appended = store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: leases[0])
        async let completed: Void = store.complete(leases[1], with: 1, effects: [])
        async let claimed = harness.claim(worker, 1)
        async let submitted = store.submit(harness.job(4))
        // Nobody waits for a lock for longer than a second, so that these are beyond their first try by then.
        var beats = 0
        let end = ContinuousClock.now + .seconds(4)
        while .now < end {
            try await store.heartbeat(worker)
            #expect(try await store.leases(of: worker).isSuperset(of: leases))
            #expect(try await store.heartbeats().count == 1)
            beats += 1
            // A moment of the server's time between two beats.
            _ = try await fixture.database.sql("SELECT pg_sleep(0.1)")
        }
        _ = try connection.runScript("COMMIT", limit: .seconds(60))
        #expect(beats >= 3)
        _ = try await (appended, completed, submitted)
        #expect(try await claimed.count == 1)
        await fixture.remove()
    }

    /// A statement that the server ended for its length was not executed, and must not be repeated whole for ever.
    @Test func aStatementThatTakesTooLongIsAnsweredAsUnavailable() async throws {
        let fixture = try await PostgresFixture()
        let store = try await fixture.openStore { $0.answerLimit = .milliseconds(400) }
        try await fixture.database.sql(
            """
            CREATE OR REPLACE FUNCTION grant_slowly() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
            CREATE TRIGGER slow BEFORE INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION grant_slowly()
            """)
        await #expect(throws: StoreError.unavailable(reason: "it took too long")) {
            _ = try await store.grant(1, to: UserID(rawValue: 1), note: "", startingCredits: 10)
        }
        await fixture.remove()
    }
}
