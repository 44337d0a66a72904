import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Many at once, in one process and in two.
    package static let concurrency: [ConformanceCase] = [
        ConformanceCase("one credit and a hundred submits at once accept exactly one job") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            let outcomes = try await gather(100) { place in
                try await handles[place % 2].submit(harness.job(cost: 1) { $0.startingCredits = 1 })
            }
            #expect(outcomes.filter { $0.accepted != nil }.count == 1)
            #expect(outcomes.filter { $0.missing != nil }.count == 99)
            #expect(try await harness.balance() == CreditBalance(granted: 1, held: 1, used: 0))
        },
        ConformanceCase("one idempotency key in a hundred submits at once makes one job") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            let outcomes = try await gather(100) { place in
                try await handles[place % 2].submit(
                    harness.job(cost: 1) { $0.idempotency = Idempotency(key: "k", fingerprint: "f") })
            }
            #expect(outcomes.filter { $0.accepted != nil }.count == 1)
            #expect(Set(outcomes.compactMap { ($0.accepted ?? $0.existing)?.id }).count == 1)
            #expect(try await harness.balance().held == 1)
        },
        ConformanceCase("claims at once never give one job twice, and give them all") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            for place in 0..<200 { try await harness.submit(Int64(place % 7)) }
            for name in 0..<8 { _ = try await harness.worker("w\(name)") }
            let claims = try await gather(40) { place in
                try await handles[place % 2].claim(
                    for: WorkerID(rawValue: "w\(place % 8)"), upTo: [.background: 7]
                ).jobs.map(\.lease.job)
            }
            let jobs = claims.flatMap { $0 }
            #expect(jobs.count == 200 && Set(jobs).count == 200)
        },
        ConformanceCase("cancel, completion and failure at once end a job once") { harness in
            let worker = try await harness.worker()
            for _ in 0..<20 { try await harness.submit(cost: 0) }
            let user = UserID(rawValue: 1)
            _ = try await harness.store.grant(1000, to: user, note: "", startingCredits: 10)
            for _ in 0..<20 { try await harness.submit(cost: 1) }
            let leases = try await harness.claim(worker, 40).map(\.lease)
            _ = try await gather(leases.count * 3) { place in
                let lease = leases[place / 3]
                switch place % 3 {
                case 0: try? await harness.store.complete(lease, with: 1, effects: [])
                case 1: try? await harness.store.fail(lease, with: StoreHarness.giveUp)
                default: _ = try? await harness.store.cancel(lease.job, of: nil)
                }
            }
            let completed = try await harness.store.jobs(JobListQuery(user: user, status: .completed, perPage: 100))
            let paid = completed.jobs.filter { $0.cost == 1 }.count
            #expect(try await harness.balance() == CreditBalance(granted: 1010, held: 0, used: paid))
        },
        ConformanceCase("two handles see each other's commits") { harness in
            let other = try await harness.fixture.open()
            let job = try await harness.submit(cost: 1)
            #expect(try await other.job(job.id, of: job.user)?.id == job.id)
            let worker = try await harness.worker()
            let claimed = try #require(try await other.claim(for: worker, upTo: [.background: 1]).jobs.first)
            try await harness.store.complete(claimed.lease, with: 1, effects: [])
            #expect(try await other.jobWithResult(job.id, of: nil)?.result == 1)
        },
        ConformanceCase("what was acknowledged is there when the database is opened again") { harness in
            let job = try await harness.submit(cost: 1)
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let reopened = try await harness.fixture.open()
            #expect(try await reopened.job(job.id, of: nil)?.status == .processing)
            try await reopened.complete(lease, with: 1, effects: [])
            #expect(try await harness.balance().used == 1)
        },
        ConformanceCase("life cycles of many users at once leave nothing behind") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            let worker = try await harness.worker()
            _ = try await gather(100) { place in
                _ = try await handles[place % 2].submit(
                    harness.job(Int64(place % 9), cost: 1) { $0.startingCredits = 99 })
                for job in try await handles[place % 2].claim(for: worker, upTo: [.background: 2]).jobs {
                    try await handles[(place + 1) % 2].complete(job.lease, with: 1, effects: [])
                }
            }
            // A claim may miss a job whose submit was on its way; a later one finds it.
            var used = 0
            let end = ContinuousClock.now + .seconds(60)
            while used < 100, ContinuousClock.now < end {
                for job in try await harness.claim(worker, 200) {
                    try await harness.store.complete(job.lease, with: 1, effects: [])
                }
                used = 0
                for user in 0..<9 { used += try await harness.balance(Int64(user)).used }
            }
            #expect(used == 100)
            for user in 0..<9 { #expect(try await harness.balance(Int64(user)).held == 0) }
            #expect(try await harness.store.leases(of: worker).isEmpty)
        },
    ]

    /// Runs so many bodies at once and collects what they return.
    private static func gather<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for place in 0..<count { group.addTask { try await body(place) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
