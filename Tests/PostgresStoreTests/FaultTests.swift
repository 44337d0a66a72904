import SQLSupport
import JSON
import JobQueue
import PostgresTesting
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// Connections that break, servers that go away, rows that the database refuses.
@Suite struct FaultTests {
    /// Backends are killed all the time, between statements and within them.
    @Test func noWriteIsLostOrDoneTwiceHoweverManyConnectionsAreKilled() async throws {
        let fixture = try await PostgresFixture()
        let bench = Bench(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        _ = try await bench.store.grant(1000, to: UserID(rawValue: 1), note: "", startingCredits: 10)
        let worker = try await bench.worker()
        try await fixture.whileConnectionsAreKilled { try await lifeCycles(100, bench, worker) }
        #expect(try await bench.balance() == CreditBalance(granted: 1010, held: 0, used: 100))
        #expect(try await bench.store.auditCredits() == [])
        #expect(try await bench.store.leases(of: worker).isEmpty)
        await fixture.remove()
    }

    @Test func aRestartOfTheServerUnderLoadLosesNothing() async throws {
        let cluster = try await PostgresCluster.start()
        let clock = ManualClock()
        var options = PostgresFixture.options
        options.now = { clock.now }
        let database = try await cluster.makeDatabase()
        let store = try await PostgresStore.open(try PostgresURL(database.url), options: options)
        let bench = Bench(store: store, clock: clock, fixture: try await PostgresFixture(clock: clock))
        _ = try await store.grant(1000, to: UserID(rawValue: 1), note: "", startingCredits: 10)
        let worker = try await bench.worker()
        async let work: Void = lifeCycles(60, bench, worker)
        for how in [PostgresCluster.Stop.fast, .crash] {
            try await cluster.stop(how)
            try await cluster.start()
        }
        try await work
        #expect(try await bench.balance() == CreditBalance(granted: 1010, held: 0, used: 60))
        #expect(try await store.auditCredits() == [])
        var signals = store.changes(.ready).makeAsyncIterator()
        _ = await signals.next()
        try await bench.submit()
        #expect(await signals.next() != nil)
        await store.close()
        await bench.fixture.remove()
        await cluster.close()
    }

    /// The server writes nothing by itself here that nobody waits for.
    @Test func whatWasAcceptedOutlivesACrashThatComesAtOnce() async throws {
        var settings = PostgresCluster.Options()
        settings.settings = ["wal_writer_delay": "10s", "wal_writer_flush_after": "0"]
        let cluster = try await PostgresCluster.start(settings)
        let database = try await cluster.makeDatabase()
        let store = try await PostgresStore.open(try PostgresURL(database.url), options: PostgresFixture.options)
        let fixture = try await PostgresFixture()
        let bench = Bench(store: store, clock: fixture.clock, fixture: fixture)
        var accepted = 0
        for _ in 0..<3 {
            // The first after a restart waits for connections; the second is quick.
            for _ in 0..<2 {
                try await bench.submit()
                accepted += 1
            }
            try await cluster.stop(.crash)
            try await cluster.start()
            #expect(try await database.sql("SELECT count(*) FROM job") == ["\(accepted)"])
        }
        await store.close()
        await fixture.remove()
        await cluster.close()
    }

    @Test func aServerThatStaysAwayIsUnavailableAfterAWhile() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try await cluster.makeDatabase()
        let options = { (timeout: Duration) in
            var options = PostgresFixture.options
            options.timeout = timeout
            return options
        }
        let url = try PostgresURL(database.url)
        let impatient = try await PostgresStore.open(url, options: options(.milliseconds(300)))
        let patient = try await PostgresStore.open(url, options: options(.seconds(60)))
        _ = try await patient.heartbeats()
        try await cluster.stop(.crash)
        await #expect(throws: StoreError.self) {
            try await impatient.store(bundle: "h", archive: "a") as Void
        }
        async let later: Void = patient.store(bundle: "h", archive: "a")
        try await cluster.start()
        try await later
        #expect(try await patient.archive(ofBundle: "h") == "a")
        for store in [impatient, patient] { await store.close() }
        await cluster.close()
    }

    /// One row that the tables refuse is found and refused alone; its neighbours are stored.
    @Test func aRequestThatFailsFailsAloneInItsBatch() async throws {
        let fixture = try await PostgresFixture()
        let bench = Bench(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let outcomes = await withTaskGroup(of: (Int, StoreError?).self) { group in
            for place in 0..<50 {
                let job = bench.job(Int64(place)) { $0.maxAttempts = place == 13 || place == 31 ? 0 : 1 }
                group.addTask {
                    do throws(StoreError) {
                        _ = try await bench.store.submit(job)
                        return (place, nil)
                    } catch {
                        return (place, error)
                    }
                }
            }
            return await group.reduce(into: [Int: StoreError]()) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes.keys.sorted() == [13, 31])
        #expect(try await bench.claim(try await bench.worker(), 99).count == 48)
        await fixture.remove()
    }

    /// A claim whose answer nobody waited for any more gave the worker jobs all the same: they come with its next one.
    @Test func whatALostClaimTookComesWithTheNextOne() async throws {
        let fixture = try await PostgresFixture()
        let bench = Bench(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let worker = try await bench.worker()
        for _ in 0..<3 { try await bench.submit() }
        let memory = ClaimMemory()
        let desk = BatchExecutor(timeout: .seconds(60), concurrency: 1)
        let queue = desk.queue(.claim(memory))
        let input = try ClaimInput(worker, [.background: 2])
        let statement = queue.verb.statements([input], .init(now: fixture.clock.now, isRepetition: false))
        let connection = try PostgresConnection(PostgresURL(fixture.database.url), limit: .seconds(30))
        _ = try connection.run(statement, limit: .seconds(30))
        queue.verb.abandoned(input)
        let next = try ClaimInput(worker, [.background: 5])
        let again = queue.verb.statements([next], .init(now: fixture.clock.now, isRepetition: false))
        let rows = try connection.run(again, limit: .seconds(30))
        var answer = BatchOperation<ClaimInput, ClaimOutcome>.Answer(rows: rows, isRepetition: false)
        guard case .done(let outcome) = try queue.verb.read(&answer, [next]).first else { throw BenchFailure("undone") }
        #expect(outcome.rows.count == 3)
        #expect(Set(outcome.rows.map(\.job.lease)) == (try await bench.store.leases(of: worker)))
        #expect(memory.lostClaims(of: worker).isEmpty)
        await fixture.remove()
    }

    /// Whether the first try was carried out or not, it moved no further than one version: the next two tries decide.
    @Test(arguments: [true, false]) func budgetsAreDecidedOnAfterALostAnswer(_ isCarriedOut: Bool) async throws {
        let fixture = try await PostgresFixture()
        _ = try await fixture.openStore()
        let desk = BatchExecutor(timeout: .seconds(60), concurrency: 1)
        let memory = BudgetMemory()
        let queue = desk.queue(.exchange(memory))
        let connection = try PostgresConnection(PostgresURL(fixture.database.url), limit: .seconds(30))
        let orders = [
            BudgetRequest(
                budget: "claude/sonnet", limits: BudgetLimits(requestsPerMinute: 60), need: BudgetAmount(requests: 1))
        ]
        func send(isRepetition: Bool) throws -> [PostgresRows] {
            let context = BatchOperation<[BudgetRequest], [BudgetReply]>.Context(
                now: fixture.clock.now, isRepetition: isRepetition)
            return try connection.run(queue.verb.statements([orders], context), limit: .seconds(30))
        }
        func read(_ rows: [PostgresRows]) throws -> [BudgetReply]? {
            var answer = BatchOperation<[BudgetRequest], [BudgetReply]>.Answer(rows: rows, isRepetition: true)
            guard case .done(let replies) = try queue.verb.read(&answer, [orders]).first else { return nil }
            return replies
        }
        #expect(try read(try send(isRepetition: false)) == nil, "nothing was known yet")
        if isCarriedOut { _ = try send(isRepetition: false) }
        var replies: [BudgetReply]?
        for _ in 0..<2 where replies == nil { replies = try read(try send(isRepetition: true)) }
        #expect(replies?.first?.granted?.requests == 1)
        await fixture.remove()
    }

    private func lifeCycles(_ count: Int, _ bench: Bench, _ worker: WorkerID) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { _ = try await bench.store.submit(bench.job(cost: 1)) } }
            group.addTask {
                var done = 0
                while done < count {
                    for job in try await bench.claim(worker, 10) {
                        try await bench.store.report([
                            ProgressReport(lease: job.lease, progress: 50, currentStep: "half")
                        ])
                        _ = try await bench.store.append(
                            Bench.step("a"), replacingFrom: nil, effects: [], under: job.lease)
                        try await bench.store.complete(job.lease, with: 1, effects: [])
                        done += 1
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
