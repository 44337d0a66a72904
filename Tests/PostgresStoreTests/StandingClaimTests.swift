import SQLSupport
import JSON
import JobQueue
import PostgresTesting
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// Claims that wait for a submit and go along in its transaction.
@Suite struct PendingClaimTests {
    private let fixture: PostgresFixture
    private let store: PostgresStore
    private let bench: Bench
    private let worker: WorkerID

    init() async throws {
        fixture = try await PostgresFixture()
        store = try await fixture.openStore()
        bench = Bench(store: store, clock: fixture.clock, fixture: fixture)
        worker = try await bench.worker()
    }

    /// A claim that waits, once it does.
    private func standing(
        for worker: WorkerID, upTo slots: [QueueName: Int] = [.background: 2]
    ) async -> Task<Claim?, any Error> {
        let task = Task { [store] in try await store.claimWithNextSubmit(for: worker, upTo: slots) }
        await untilStanding()
        return task
    }

    private func untilStanding() async {
        while store.writers.waitingCount(in: store.writes.claimWithSubmit) == 0 { await Task.yield() }
    }

    @Test func itTakesTheJobInTheTransactionThatStoresIt() async throws {
        let standing = await standing(for: worker)
        let job = try await bench.submit(cost: 1)
        let claim = try #require(try await standing.value)
        #expect(claim.jobs.map(\.lease.job) == [job.id] && claim.jobs.first?.attempt == 1)
        let transactions = "SELECT DISTINCT l.xmin = b.xmin AND l.xmin = j.xmin FROM lease AS l, balance AS b, job AS j"
        #expect(try await fixture.database.sql(transactions) == ["t"])
        #expect(try await bench.claim(worker).isEmpty)
        #expect(try await store.leases(of: worker) == Set(claim.jobs.map(\.lease)))
        try await store.complete(claim.jobs[0].lease, with: 1, effects: [])
        #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        await fixture.remove()
    }

    @Test func itGoesOnWaitingWhereTheJobIsNotForIt() async throws {
        let standing = await standing(for: worker, upTo: [.interactive: 1])
        let other = try await bench.submit()
        await untilStanding()
        let job = try await bench.submit { $0.queue = .interactive }
        #expect(try await standing.value?.jobs.map(\.lease.job) == [job.id])
        #expect(try await bench.claim(worker, 9).map(\.lease.job) == [other.id])
        await fixture.remove()
    }

    @Test func whatWasWithdrawnTakesNothing() async throws {
        let standing = await standing(for: worker)
        standing.cancel()
        #expect(try await standing.value == nil)
        let late = Task { [store, worker] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.claimWithNextSubmit(for: worker, upTo: [.background: 1])
        }
        #expect(try await late.value == nil)
        let job = try await bench.submit()
        #expect(try await bench.claim(worker).map(\.lease.job) == [job.id])
        await fixture.remove()
    }

    @Test func aJobIsTakenInThoughTheWorkerThatWaitsIsDead() async throws {
        let standing = await standing(for: worker)
        _ = try await bench.rescue(worker)
        let job = try await bench.submit(cost: 1)
        await #expect(throws: StoreError.workerUnknown) { try await standing.value }
        #expect(try await bench.claim(try await bench.worker("other")).map(\.lease.job) == [job.id])
        await fixture.remove()
    }

    @Test func aSubmitThatIsRefusedTakesNobodyAlong() async throws {
        let standing = await standing(for: worker)
        await #expect(throws: StoreError.self) { try await bench.submit { $0.maxAttempts = 0 } }
        await #expect(throws: StoreError.self) { try await standing.value }
        let job = try await bench.submit()
        #expect(try await bench.claim(worker, 9).map(\.lease.job) == [job.id])
        await fixture.remove()
    }

    @Test func itEndsWithTheStore() async throws {
        let standing = await standing(for: worker)
        await store.close()
        await #expect(throws: BatchExecutor.closed) { try await standing.value }
        await #expect(throws: BatchExecutor.closed) {
            try await store.claimWithNextSubmit(for: worker, upTo: [.background: 1])
        }
        await fixture.remove()
    }

    /// Who hears of a job that is gone claims for nothing.
    @Test func aJobThatIsTakenIsNotAnnounced() async throws {
        let verb = store.writes.submit.verb
        let inputs = [1, 2].map { SubmitInput(job: bench.job($0), text: "{}") }
        let connection = try PostgresConnection(PostgresURL(fixture.database.url), limit: .seconds(30))
        let rows = try connection.run(
            verb.statements(inputs, .init(now: fixture.clock.now, isRepetition: false)), limit: .seconds(30))
        for (taken, isAnnounced) in [(inputs, false), ([inputs[0]], true), ([], true)] {
            var answer = BatchOperation<SubmitInput, SubmitOutcome>.Answer(
                rows: rows, isRepetition: false, taken: Set(taken.map { $0.job.id }))
            _ = try verb.read(&answer, inputs)
            #expect(answer.madeReady == isAnnounced && answer.madeVisible)
        }
        await fixture.remove()
    }

    /// Whether the transaction was carried out or not is unknown to whoever waited; the next claim tells.
    @Test func noJobIsLostOrTakenTwiceHoweverManyConnectionsAreKilled() async throws {
        let count = 100
        _ = try await store.grant(1000, to: UserID(rawValue: 1), note: "", startingCredits: 10)
        var done = 0
        try await fixture.whileConnectionsAreKilled {
            async let submitted: Void = {
                for _ in 0..<count { _ = try await store.submit(bench.job(cost: 1)) }
            }()
            while done < count {
                let standing = Task { [store, worker] in
                    try await store.claimWithNextSubmit(for: worker, upTo: [.background: 5])
                }
                // As a worker does: it claims at a signal, and whenever it has waited in vain.
                let limit = Task {
                    try await Task.sleep(for: .milliseconds(50))
                    standing.cancel()
                }
                var jobs = (try? await standing.value)?.jobs ?? []
                limit.cancel()
                if jobs.isEmpty { jobs = try await bench.claim(worker, 5) }
                for job in jobs { try await store.complete(job.lease, with: 1, effects: []) }
                done += jobs.count
            }
            try await submitted
        }
        #expect(done == count)
        #expect(try await bench.balance() == CreditBalance(granted: 1010, held: 0, used: count))
        #expect(try await store.auditCredits() == [])
        #expect(try await store.leases(of: worker).isEmpty)
        await fixture.remove()
    }
}
