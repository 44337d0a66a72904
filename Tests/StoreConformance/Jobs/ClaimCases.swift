import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// The order of claims.
    package static let claiming: [ConformanceCase] = [
        ConformanceCase("jobs of one user run by priority, then in the order of submission") { harness in
            var ids: [Int: JobID] = [:]
            for (place, priority) in [0, 5, 0, 9, 5].enumerated() {
                ids[place] = try await harness.submit { $0.priority = priority }.id
            }
            let claimed = try await harness.claim(try await harness.worker(), 5).map(\.lease.job)
            #expect(claimed == [3, 1, 4, 0, 2].map { ids[$0] })
        },
        ConformanceCase("a job whose position went to a more important one is claimed before younger ones") { harness in
            let worker = try await harness.worker()
            let first = try await harness.submit().id
            let second = try await harness.submit().id
            let important = try await harness.submit { $0.priority = 2 }.id
            for id in [important, first, second] {
                #expect(try await harness.claimOne(worker).lease.job == id)
            }
        },
        ConformanceCase("a user's priorities take no positions from other users") { harness in
            for priority in 1...5 {
                try await harness.submit(1)
                try await harness.submit(2) { $0.priority = priority }
            }
            let worker = try await harness.worker()
            for _ in 0..<5 {
                #expect(Set(try await harness.claim(worker, 2).map(\.user.rawValue)) == [1, 2])
            }
        },
        ConformanceCase("a user who returns is served as an equal of the others") { harness in
            let worker = try await harness.worker()
            try await harness.submit(1)
            for _ in 0..<30 { try await harness.submit(2) }
            #expect(try await harness.claim(worker, 31).count == 31)
            for user in [2, 1] { for _ in 0..<10 { try await harness.submit(Int64(user)) } }
            let users = try await harness.claim(worker, 10).map(\.user.rawValue)
            #expect((4...6).contains(users.filter { $0 == 1 }.count))
        },
        ConformanceCase("a new user is served next although another one has ten thousand queued jobs") { harness in
            let worker = try await harness.worker()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10_000 { group.addTask { try await harness.submit(1) } }
                try await group.waitForAll()
            }
            #expect(try await harness.claim(worker, 10).count == 10)
            try await harness.submit(2)
            try await harness.submit(2)
            let users = try await harness.claim(worker, 6).map(\.user.rawValue)
            #expect(users.prefix(2).contains(2))
            #expect(users.filter { $0 == 2 }.count == 2)
        },
        ConformanceCase("users with many jobs are served in turn") { harness in
            for user in 1...4 { for _ in 0..<50 { try await harness.submit(Int64(user)) } }
            let users = try await harness.claim(try await harness.worker(), 40).map(\.user.rawValue)
            for user in 1...4 { #expect(users.filter { $0 == user }.count == 10) }
        },
        ConformanceCase("a user who cancelled all jobs does not start behind") { harness in
            for _ in 0..<100 { _ = try await harness.store.cancel(try await harness.submit(1).id, of: nil) }
            for _ in 0..<100 { try await harness.submit(2) }
            try await harness.submit(1)
            let users = try await harness.claim(try await harness.worker(), 3).map(\.user.rawValue)
            #expect(users.contains(1))
        },
        ConformanceCase("an empty queue neither favours nor delays a user") { harness in
            let worker = try await harness.worker()
            for _ in 0..<50 { try await harness.submit(1) }
            #expect(try await harness.claim(worker, 50).count == 50)
            for _ in 0..<3 { try await harness.submit(1) }
            for _ in 0..<3 { try await harness.submit(2) }
            let users = try await harness.claim(worker, 4).map(\.user.rawValue)
            #expect(users.filter { $0 == 1 }.count == 2)
        },
        ConformanceCase("queues are claimed independently") { harness in
            for _ in 0..<3 { try await harness.submit() }
            let chat = try await harness.submit { $0.queue = .interactive }
            let worker = try await harness.worker()
            let claim = try await harness.store.claim(for: worker, upTo: [.interactive: 2, .background: 1])
            #expect(claim.jobs.count == 2)
            #expect(claim.jobs.contains { $0.lease.job == chat.id && $0.queue == .interactive })
            #expect(try await harness.claim(worker, 5, queue: .interactive).isEmpty)
            #expect(try await harness.claim(worker, 5).count == 2)
        },
        ConformanceCase("a job that returns is not behind jobs that were queued meanwhile") { harness in
            let worker = try await harness.worker()
            let job = try await harness.submit(1)
            let lease = try await harness.claimOne(worker).lease
            for _ in 0..<20 { try await harness.submit(2) }
            try await harness.store.fail(lease, with: StoreHarness.retry(after: .seconds(1)))
            harness.clock.advance(by: .seconds(1))
            #expect(try await harness.claim(worker, 2).contains { $0.lease.job == job.id })
        },
        ConformanceCase("jobs that become due are claimed in the order of their times") { harness in
            let start = harness.clock.now
            let late = try await harness.submit { $0.runAt = start + .seconds(20) }
            let soon = try await harness.submit(2) { $0.runAt = start + .seconds(10) }
            let worker = try await harness.worker()
            #expect(try await harness.store.claim(for: worker, upTo: [.background: 9]).nextDue == start + .seconds(10))
            harness.clock.advance(by: .seconds(10))
            let first = try await harness.store.claim(for: worker, upTo: [.background: 9])
            #expect(first.jobs.map(\.lease.job) == [soon.id] && first.nextDue == start + .seconds(20))
            harness.clock.advance(by: .seconds(10))
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [late.id])
        },
        ConformanceCase("a claim without capacity claims no job") { harness in
            try await harness.submit()
            let worker = try await harness.worker()
            #expect(try await harness.store.claim(for: worker, upTo: [:]).jobs.isEmpty)
            #expect(try await harness.claim(worker, 0).isEmpty)
            #expect(try await harness.claim(worker, -1).isEmpty)
        },
        ConformanceCase("an idle worker gets the next job once, with the submit or by a claim") { harness in
            let worker = try await harness.worker()
            let pending = Task { [store = harness.store as? any PiggybackedClaims] in
                try await store?.claimWithNextSubmit(for: worker, upTo: [.background: 1])
            }
            let job = try await harness.submit()
            var leases = try await harness.claim(worker, 9).map(\.lease)
            pending.cancel()
            leases += try await pending.value?.jobs.map(\.lease) ?? []
            #expect(leases.map(\.job) == [job.id])
            #expect(try await harness.store.leases(of: worker) == Set(leases))
        },
        ConformanceCase("every claim has a higher epoch than all earlier ones of the job") { harness in
            try await harness.submit()
            let worker = try await harness.worker()
            var epochs: [Int64] = []
            for _ in 0..<4 {
                let lease = try await harness.claimOne(worker).lease
                epochs.append(lease.epoch)
                try await harness.store.snooze([lease], after: .zero)
            }
            #expect(epochs == epochs.sorted() && Set(epochs).count == 4)
        },
    ]
}

extension ConformanceSuite {
    /// Concurrent operations, in one process and in two.
    package static let concurrency: [ConformanceCase] = [
        ConformanceCase("a hundred concurrent submits with one credit accept exactly one job") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            let outcomes = try await gather(100) { place in
                try await handles[place % 2].submit(harness.job(cost: 1) { $0.startingCredits = 1 })
            }
            #expect(outcomes.filter { $0.accepted != nil }.count == 1)
            #expect(outcomes.filter { $0.missing != nil }.count == 99)
            #expect(try await harness.balance() == CreditBalance(granted: 1, held: 1, used: 0))
        },
        ConformanceCase("a hundred concurrent submits with one idempotency key create one job") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            let outcomes = try await gather(100) { place in
                try await handles[place % 2].submit(
                    harness.job(cost: 1) { $0.idempotency = Idempotency(key: "k", fingerprint: "f") })
            }
            #expect(outcomes.filter { $0.accepted != nil }.count == 1)
            #expect(Set(outcomes.compactMap { ($0.accepted ?? $0.existing)?.id }).count == 1)
            #expect(try await harness.balance().held == 1)
        },
        ConformanceCase("concurrent claims give out every job exactly once") { harness in
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
        ConformanceCase("concurrent cancel, completion and failure end a job once") { harness in
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
            let completed = try await harness.store.jobs(JobListQuery(user: user, statuses: [.completed], perPage: 100))
            let paid = completed.jobs.filter { $0.cost == 1 }.count
            #expect(try await harness.balance() == CreditBalance(granted: 1010, held: 0, used: paid))
        },
        ConformanceCase("two stores of one database see each other's commits") { harness in
            let other = try await harness.fixture.open()
            let job = try await harness.submit(cost: 1)
            #expect(try await other.job(job.id, of: job.user)?.id == job.id)
            let worker = try await harness.worker()
            let claimed = try #require(try await other.claim(for: worker, upTo: [.background: 1]).jobs.first)
            try await harness.store.complete(claimed.lease, with: 1, effects: [])
            #expect(try await other.jobWithResult(job.id, of: nil)?.result == 1)
        },
        ConformanceCase("acknowledged writes are present after the database is opened again") { harness in
            let job = try await harness.submit(cost: 1)
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let reopened = try await harness.fixture.open()
            #expect(try await reopened.job(job.id, of: nil)?.status == .processing)
            try await reopened.complete(lease, with: 1, effects: [])
            #expect(try await harness.balance().used == 1)
        },
        ConformanceCase("concurrent life cycles of many users leave nothing behind") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            let worker = try await harness.worker()
            _ = try await gather(100) { place in
                _ = try await handles[place % 2].submit(
                    harness.job(Int64(place % 9), cost: 1) { $0.startingCredits = 99 })
                for job in try await handles[place % 2].claim(for: worker, upTo: [.background: 2]).jobs {
                    try await handles[(place + 1) % 2].complete(job.lease, with: 1, effects: [])
                }
            }
            // A claim may miss a job whose submit is not committed yet; a later claim finds it.
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

    /// Runs a number of bodies concurrently and collects their values.
    private static func gather<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for place in 0..<count { group.addTask { try await body(place) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
