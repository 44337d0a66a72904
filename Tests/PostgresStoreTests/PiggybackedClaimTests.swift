import SQLSupport
import JSON
import JobQueue
import PostgresTesting
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// Claims in the transactions of submits.
@Suite struct PiggybackedClaimTests {
    private let fixture: PostgresFixture
    private let store: PostgresStore
    private let harness: StoreHarness
    private let worker: WorkerID

    init() async throws {
        fixture = try await PostgresFixture()
        store = try await fixture.openStore()
        harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        worker = try await harness.worker()
    }

    /// Starts a claim, and waits until the store has it.
    private func pendingClaim(
        for worker: WorkerID, upTo slots: [QueueName: Int] = [.background: 2]
    ) async -> Task<Claim?, any Error> {
        let task = Task { [store] in try await store.claimWithNextSubmit(for: worker, upTo: slots) }
        await untilPending()
        return task
    }

    private func untilPending() async {
        while store.writers.waitingCount(in: store.writes.claimWithSubmit) == 0 { await Task.yield() }
    }

    @Test func aPendingClaimTakesTheJobInTheTransactionThatStoresIt() async throws {
        let pending = await pendingClaim(for: worker)
        let job = try await harness.submit(cost: 1)
        let claim = try #require(try await pending.value)
        #expect(claim.jobs.map(\.lease.job) == [job.id] && claim.jobs.first?.attempt == 1)
        let transactions = "SELECT DISTINCT l.xmin = b.xmin AND l.xmin = j.xmin FROM lease AS l, balance AS b, job AS j"
        #expect(try await fixture.database.sql(transactions) == ["t"])
        #expect(try await harness.claim(worker).isEmpty)
        #expect(try await store.leases(of: worker) == Set(claim.jobs.map(\.lease)))
        try await store.complete(claim.jobs[0].lease, with: 1, effects: [])
        #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        await fixture.remove()
    }

    @Test func aPendingClaimSkipsJobsOfAnotherQueue() async throws {
        let pending = await pendingClaim(for: worker, upTo: [.interactive: 1])
        let other = try await harness.submit()
        await untilPending()
        let job = try await harness.submit { $0.queue = .interactive }
        #expect(try await pending.value?.jobs.map(\.lease.job) == [job.id])
        #expect(try await harness.claim(worker, 9).map(\.lease.job) == [other.id])
        await fixture.remove()
    }

    @Test func aCancelledClaimTakesNoJob() async throws {
        let pending = await pendingClaim(for: worker)
        pending.cancel()
        #expect(try await pending.value == nil)
        let late = Task { [store, worker] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.claimWithNextSubmit(for: worker, upTo: [.background: 1])
        }
        #expect(try await late.value == nil)
        let job = try await harness.submit()
        #expect(try await harness.claim(worker).map(\.lease.job) == [job.id])
        await fixture.remove()
    }

    @Test func aJobIsStoredAlthoughTheWaitingWorkerIsDead() async throws {
        let pending = await pendingClaim(for: worker)
        _ = try await harness.rescue(worker)
        let job = try await harness.submit(cost: 1)
        await #expect(throws: StoreError.workerUnknown) { try await pending.value }
        #expect(try await harness.claim(try await harness.worker("other")).map(\.lease.job) == [job.id])
        await fixture.remove()
    }

    @Test func aRefusedSubmitFailsThePendingClaim() async throws {
        let pending = await pendingClaim(for: worker)
        await #expect(throws: StoreError.self) { try await harness.submit { $0.maxAttempts = 0 } }
        await #expect(throws: StoreError.self) { try await pending.value }
        let job = try await harness.submit()
        #expect(try await harness.claim(worker, 9).map(\.lease.job) == [job.id])
        await fixture.remove()
    }

    @Test func aPendingClaimEndsWithTheStore() async throws {
        let pending = await pendingClaim(for: worker)
        await store.close()
        await #expect(throws: BatchExecutor.closed) { try await pending.value }
        await #expect(throws: BatchExecutor.closed) {
            try await store.claimWithNextSubmit(for: worker, upTo: [.background: 1])
        }
        await fixture.remove()
    }

    /// A notice of a claimed job would make other workers claim without result.
    @Test func aJobThatIsClaimedAtOnceIsNotAnnounced() async throws {
        let operation = store.writes.submit.operation
        let inputs = [1, 2].map { SubmitInput(job: harness.job($0), text: "{}") }
        let connection = try PostgresConnection(PostgresURL(fixture.database.url), limit: .seconds(30))
        let rows = try connection.run(
            operation.statements(inputs, .init(now: fixture.clock.now, isRepetition: false)), limit: .seconds(30))
        for (taken, isAnnounced) in [(inputs, false), ([inputs[0]], true), ([], true)] {
            var answer = BatchOperation<SubmitInput, SubmitOutcome>.Answer(
                rows: rows, isRepetition: false, taken: Set(taken.map { $0.job.id }))
            _ = try operation.read(&answer, inputs)
            #expect(answer.madeReady == isAnnounced && answer.madeVisible)
        }
        await fixture.remove()
    }

    /// The worker cannot know whether a broken transaction was executed; its next claim shows it.
    @Test func noJobIsLostOrTakenTwiceWhileConnectionsAreKilled() async throws {
        let count = 100
        _ = try await store.grant(1000, to: UserID(rawValue: 1), note: "", startingCredits: 10)
        var done = 0
        try await fixture.whileConnectionsAreKilled {
            async let submitted: Void = {
                for _ in 0..<count { _ = try await store.submit(harness.job(cost: 1)) }
            }()
            while done < count {
                let pending = Task { [store, worker] in
                    try await store.claimWithNextSubmit(for: worker, upTo: [.background: 5])
                }
                // Like a worker, it claims at a signal and after a fruitless wait.
                let limit = Task {
                    try await Task.sleep(for: .milliseconds(50))
                    pending.cancel()
                }
                var jobs = (try? await pending.value)?.jobs ?? []
                limit.cancel()
                if jobs.isEmpty { jobs = try await harness.claim(worker, 5) }
                for job in jobs { try await store.complete(job.lease, with: 1, effects: []) }
                done += jobs.count
            }
            try await submitted
        }
        #expect(done == count)
        #expect(try await harness.balance() == CreditBalance(granted: 1010, held: 0, used: count))
        #expect(try await store.auditCredits() == [])
        #expect(try await store.leases(of: worker).isEmpty)
        await fixture.remove()
    }
}
