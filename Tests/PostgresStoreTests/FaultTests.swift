import SQLSupport
import JSON
import JobQueue
import PostgresTesting
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// Broken connections, restarted servers, and rows that the database refuses.
@Suite struct FaultTests {
    /// Server processes are killed all the time, between statements and within them.
    @Test func noWriteIsLostOrDoneTwiceWhileConnectionsAreKilled() async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        _ = try await harness.store.grant(1000, to: UserID(rawValue: 1), note: "", startingCredits: 10)
        let worker = try await harness.worker()
        try await fixture.whileConnectionsAreKilled { try await lifeCycles(100, harness, worker) }
        #expect(try await harness.balance() == CreditBalance(granted: 1010, held: 0, used: 100))
        #expect(try await harness.store.auditCredits() == [])
        #expect(try await harness.store.leases(of: worker).isEmpty)
        await fixture.remove()
    }

    @Test func aRestartOfTheServerUnderLoadLosesNoJob() async throws {
        let cluster = try await PostgresCluster.start()
        let clock = ManualStoreClock()
        var options = PostgresFixture.options
        options.now = { clock.now }
        let database = try await cluster.makeDatabase()
        let store = try await PostgresStore.open(try PostgresURL(database.url), options: options)
        let harness = StoreHarness(store: store, clock: clock, fixture: try await PostgresFixture(clock: clock))
        _ = try await store.grant(1000, to: UserID(rawValue: 1), note: "", startingCredits: 10)
        let worker = try await harness.worker()
        async let work: Void = lifeCycles(60, harness, worker)
        for how in [PostgresCluster.Stop.fast, .crash] {
            try await cluster.stop(how)
            try await cluster.start()
        }
        try await work
        #expect(try await harness.balance() == CreditBalance(granted: 1010, held: 0, used: 60))
        #expect(try await store.auditCredits() == [])
        var signals = store.changes(.ready).makeAsyncIterator()
        _ = await signals.next()
        try await harness.submit()
        #expect(await signals.next() != nil)
        await store.close()
        await harness.fixture.remove()
        await cluster.close()
    }

    /// The server writes its log only when a commit waits for it.
    @Test func anAcceptedJobSurvivesAnImmediateCrash() async throws {
        var settings = PostgresCluster.Options()
        settings.settings = ["wal_writer_delay": "10s", "wal_writer_flush_after": "0"]
        let cluster = try await PostgresCluster.start(settings)
        let database = try await cluster.makeDatabase()
        let store = try await PostgresStore.open(try PostgresURL(database.url), options: PostgresFixture.options)
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        var accepted = 0
        for _ in 0..<3 {
            // The first submit after a restart waits for connections; the second is quick.
            for _ in 0..<2 {
                try await harness.submit()
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

    @Test func anAbsentServerIsUnavailableAfterTheTimeout() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try await cluster.makeDatabase()
        let options = { (timeout: Duration) in
            var options = PostgresFixture.options
            options.timeout = timeout
            return options
        }
        let url = try PostgresURL(database.url)
        let shortTimeout = try await PostgresStore.open(url, options: options(.milliseconds(300)))
        let longTimeout = try await PostgresStore.open(url, options: options(.seconds(60)))
        _ = try await longTimeout.heartbeats()
        try await cluster.stop(.crash)
        await #expect(throws: StoreError.self) {
            try await shortTimeout.store(bundle: "h", archive: "a") as Void
        }
        async let later: Void = longTimeout.store(bundle: "h", archive: "a")
        try await cluster.start()
        try await later
        #expect(try await longTimeout.archive(ofBundle: "h") == "a")
        for store in [shortTimeout, longTimeout] { await store.close() }
        await cluster.close()
    }

    /// A row that the tables refuse fails alone; the other rows of its batch are stored.
    @Test func aRefusedRequestFailsAloneInItsBatch() async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let outcomes = await withTaskGroup(of: (Int, StoreError?).self) { group in
            for place in 0..<50 {
                let job = harness.job(Int64(place)) { $0.maxAttempts = place == 13 || place == 31 ? 0 : 1 }
                group.addTask {
                    do throws(StoreError) {
                        _ = try await harness.store.submit(job)
                        return (place, nil)
                    } catch {
                        return (place, error)
                    }
                }
            }
            return await group.reduce(into: [Int: StoreError]()) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes.keys.sorted() == [13, 31])
        #expect(try await harness.claim(try await harness.worker(), 99).count == 48)
        await fixture.remove()
    }

    /// A claim whose caller has given up may have claimed jobs; the worker's next claim returns them.
    @Test func theJobsOfALostClaimComeWithTheNextOne() async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let worker = try await harness.worker()
        for _ in 0..<3 { try await harness.submit() }
        let memory = ClaimMemory()
        let executor = BatchExecutor(timeout: .seconds(60), threads: 1, concurrency: 1)
        let queue = executor.queue(.claim(memory))
        let input = try ClaimInput(worker, [.background: 2])
        let statement = queue.operation.statements([input], .init(now: fixture.clock.now, isRepetition: false))
        let connection = try PostgresConnection(PostgresURL(fixture.database.url), limit: .seconds(30))
        _ = try connection.run(statement, limit: .seconds(30))
        queue.operation.abandoned(input)
        let next = try ClaimInput(worker, [.background: 5])
        let again = queue.operation.statements([next], .init(now: fixture.clock.now, isRepetition: false))
        let rows = try connection.run(again, limit: .seconds(30))
        var answer = BatchOperation<ClaimInput, ClaimOutcome>.Answer(rows: rows, isRepetition: false)
        guard case .done(let outcome) = try queue.operation.read(&answer, [next]).first else {
            throw HarnessFailure("undone")
        }
        #expect(outcome.rows.count == 3)
        #expect(Set(outcome.rows.map(\.job.lease)) == (try await harness.store.leases(of: worker)))
        #expect(memory.lostClaims(of: worker, askedBy: 0).isEmpty)
        await fixture.remove()
    }

    /// Whether or not the first try was executed, it raised the version by one at most: the next two tries decide.
    @Test(arguments: [true, false]) func budgetsAreExchangedAfterALostAnswer(_ isExecuted: Bool) async throws {
        let fixture = try await PostgresFixture()
        _ = try await fixture.openStore()
        let executor = BatchExecutor(timeout: .seconds(60), threads: 1, concurrency: 1)
        let memory = BudgetMemory()
        let queue = executor.queue(.exchange(memory))
        let connection = try PostgresConnection(PostgresURL(fixture.database.url), limit: .seconds(30))
        let requests = [
            BudgetRequest(
                budget: "claude/sonnet", holder: BudgetHolder(id: "a"), calls: [CallNeed(input: 1, output: 1)])
        ]
        func send(isRepetition: Bool) throws -> [PostgresRows] {
            let context = BatchOperation<[BudgetRequest], [BudgetReply]>.Context(
                now: fixture.clock.now, isRepetition: isRepetition)
            return try connection.run(queue.operation.statements([requests], context), limit: .seconds(30))
        }
        func read(_ rows: [PostgresRows]) throws -> [BudgetReply]? {
            var answer = BatchOperation<[BudgetRequest], [BudgetReply]>.Answer(rows: rows, isRepetition: true)
            guard case .done(let replies) = try queue.operation.read(&answer, [requests]).first else { return nil }
            return replies
        }
        #expect(try read(try send(isRepetition: false)) == nil, "the process has no copy yet")
        if isExecuted { _ = try send(isRepetition: false) }
        var replies: [BudgetReply]?
        for _ in 0..<2 where replies == nil { replies = try read(try send(isRepetition: true)) }
        #expect(replies?.first?.granted == 1)
        await fixture.remove()
    }

    private func lifeCycles(_ count: Int, _ harness: StoreHarness, _ worker: WorkerID) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { _ = try await harness.store.submit(harness.job(cost: 1)) } }
            group.addTask {
                var done = 0
                while done < count {
                    for job in try await harness.claim(worker, 10) {
                        try await harness.store.report([
                            ProgressReport(lease: job.lease, progress: 50, currentStep: "half")
                        ])
                        _ = try await harness.store.append(
                            StoreHarness.step("a"), replacingFrom: nil, effects: [], under: job.lease)
                        try await harness.store.complete(job.lease, with: 1, effects: [])
                        done += 1
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
