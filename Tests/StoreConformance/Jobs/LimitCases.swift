import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Limits of kinds and their permits.
    package static let limits: [ConformanceCase] = [
        ConformanceCase("no more jobs of a kind run than its limit allows, and a waiting job shows it") { harness in
            let worker = try await harness.worker()
            var ids: [JobID] = []
            for user in 1...5 { ids.append(try await harness.limited(Int64(user), fleet: 2).id) }
            #expect(try await harness.job(ids[1]).blockedBy == nil)
            #expect(try await harness.job(ids[2]).blockedBy == .limit)
            let first = try await harness.claim(worker, 9)
            #expect(first.map(\.lease.job) == Array(ids.prefix(2)))
            let revision = try await harness.job(ids[2]).revision
            try await harness.store.complete(first[0].lease, with: 1, effects: [])
            let promoted = try await harness.job(ids[2])
            #expect(promoted.blockedBy == nil && promoted.revision > revision)
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [ids[2]])
            #expect(try await harness.job(ids[3]).blockedBy == .limit)
        },
        ConformanceCase("an accepted job that has to wait shows it at once") { harness in
            try await harness.limited(fleet: 1)
            #expect(try await harness.limited(fleet: 1).blockedBy == .limit)
        },
        ConformanceCase("a limit for each user does not delay other users") { harness in
            let worker = try await harness.worker()
            for _ in 0..<3 { for user in 1...3 { try await harness.limited(Int64(user), perUser: 1) } }
            for _ in 0..<3 {
                let claimed = try await harness.claim(worker, 9)
                #expect(claimed.map(\.user.rawValue).sorted() == [1, 2, 3])
                for job in claimed { try await harness.store.complete(job.lease, with: 1, effects: []) }
            }
            #expect(try await harness.claim(worker, 9).isEmpty)
        },
        ConformanceCase("both limits hold together") { harness in
            let worker = try await harness.worker()
            for _ in 0..<4 { for user in 1...4 { try await harness.limited(Int64(user), fleet: 3, perUser: 2) } }
            var done = 0
            while true {
                let claimed = try await harness.claim(worker, 99)
                guard !claimed.isEmpty else { break }
                #expect(claimed.count <= 3)
                for user in 1...4 { #expect(claimed.filter { $0.user.rawValue == user }.count <= 2) }
                for job in claimed { try await harness.store.complete(job.lease, with: 1, effects: []) }
                done += claimed.count
            }
            #expect(done == 16)
        },
        ConformanceCase("other kinds and jobs without limits are not delayed") { harness in
            let worker = try await harness.worker()
            for _ in 0..<3 { try await harness.limited(fleet: 1) }
            for _ in 0..<3 { try await harness.limited(fleet: 1) { $0.kind = "chat" } }
            for _ in 0..<3 { try await harness.submit() }
            #expect(try await harness.claim(worker, 99).count == 5)
        },
        ConformanceCase("free permits go to users in round, regardless of their number of jobs") { harness in
            let worker = try await harness.worker()
            for _ in 0..<20 { try await harness.limited(1, fleet: 1) }
            for user in 2...3 { for _ in 0..<3 { try await harness.limited(Int64(user), fleet: 1) } }
            var users: [Int64] = []
            for _ in 0..<10 {
                let job = try await harness.claimOne(worker)
                users.append(job.user.rawValue)
                try await harness.store.complete(job.lease, with: 1, effects: [])
            }
            #expect(users.prefix(10).filter { $0 == 1 }.count == 4)
            #expect(Set(users[1...3]) == [1, 2, 3])
        },
        ConformanceCase("a user's waiting jobs are promoted by priority, then by age") { harness in
            let worker = try await harness.worker()
            var ids: [JobID] = []
            for priority in [0, 1, 9, 1] {
                ids.append(try await harness.limited(fleet: 1) { $0.priority = priority }.id)
            }
            var order: [JobID] = []
            for _ in ids {
                let job = try await harness.claimOne(worker)
                order.append(job.lease.job)
                try await harness.store.complete(job.lease, with: 1, effects: [])
            }
            #expect(order == [0, 2, 1, 3].map { ids[$0] })
        },
        ConformanceCase("every end of a job gives its permit to the next") { harness in
            let worker = try await harness.worker()
            let ends: [@Sendable (ClaimedJob) async throws -> Void] = [
                { try await harness.store.complete($0.lease, with: 1, effects: []) },
                { try await harness.store.fail($0.lease, with: StoreHarness.giveUp) },
                { _ = try await harness.store.cancel($0.lease.job, of: nil) },
                { try await harness.store.fail($0.lease, with: StoreHarness.retry(after: .seconds(1))) },
                { try await harness.store.snooze([$0.lease], after: .seconds(1)) },
                { _ in
                    harness.clock.advance(by: .seconds(599))
                    try await harness.limited(2, fleet: 1) { $0.deadline = harness.clock.now + .seconds(9999) }
                    harness.clock.advance(by: .seconds(1))
                    _ = try await harness.store.expire(limit: 100)
                },
            ]
            for end in ends {
                try await harness.limited(1, fleet: 1)
                try await harness.limited(1, fleet: 1)
                let running = try await harness.claim(worker, 9)
                #expect(running.count == 1)
                try await end(running[0])
                let next = try await harness.claim(worker, 9)
                #expect(next.count == 1 && next.first?.lease.job != running[0].lease.job)
                // Cancels all jobs for the next round.
                for job in running + next { _ = try await harness.store.cancel(job.lease.job, of: nil) }
                for job in try await harness.claim(worker, 9) {
                    _ = try await harness.store.cancel(job.lease.job, of: nil)
                }
                #expect(try await harness.claim(worker, 9).isEmpty)
            }
        },
        ConformanceCase("a refused submit sets no limits") { harness in
            let worker = try await harness.worker()
            let refused = harness.job(1, cost: 11) { $0.limits = ConcurrencyLimits(fleet: 1) }
            let outcome = try await harness.store.submit(refused)
            #expect(outcome.accepted == nil)
            for user: Int64 in 2...4 { try await harness.limited(user, fleet: 2) }
            #expect(try await harness.claim(worker, 9).count == 2)
        },
        ConformanceCase("the first accepted of concurrent submits sets the limits") { harness in
            let worker = try await harness.worker()
            let refused = harness.job(1, cost: 11) { $0.limits = ConcurrencyLimits(fleet: 1) }
            let accepted = (2...9).map { user in harness.job(user) { $0.limits = ConcurrencyLimits(fleet: 5) } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for job in [refused] + accepted { group.addTask { _ = try await harness.store.submit(job) } }
                try await group.waitForAll()
            }
            #expect(try await harness.claim(worker, 20).count == 5)
        },
        ConformanceCase("a rescue returns the permits of jobs that do not come back, and no others") { harness in
            let dying = try await harness.worker("dying")
            let job = try await harness.limited(1, fleet: 1)
            let next = try await harness.limited(2, fleet: 1)
            for round in 1...3 {
                if round > 1 { _ = try await harness.worker("dying") }
                #expect(try await harness.claim(dying, 9).map(\.lease.job) == [job.id])
                let beat = try #require(try await harness.store.heartbeats().first { $0.worker == dying })
                let rescue = try await harness.store.rescue(beat)
                #expect(rescue.poisoned.isEmpty == (round < 3))
            }
            let living = try await harness.worker("living")
            #expect(try await harness.claim(living, 9).map(\.lease.job) == [next.id])
        },
        ConformanceCase("a job that comes back at once keeps its permit") { harness in
            let worker = try await harness.worker()
            let job = try await harness.limited(1, fleet: 1)
            try await harness.limited(2, fleet: 1)
            for _ in 0..<2 {
                let lease = try await harness.claimOne(worker).lease
                #expect(lease.job == job.id)
                try await harness.store.snooze([lease], after: .zero)
            }
            try await harness.store.deregister(worker)
            let other = try await harness.worker("w2")
            #expect(try await harness.claim(other, 9).map(\.lease.job) == [job.id])
        },
        ConformanceCase("a job waits for a permit again after its pause") { harness in
            let worker = try await harness.worker()
            let first = try await harness.limited(1, fleet: 1)
            let second = try await harness.limited(2, fleet: 1)
            let lease = try await harness.claimOne(worker).lease
            try await harness.store.fail(lease, with: StoreHarness.retry(after: .seconds(5)))
            let running = try await harness.claimOne(worker).lease
            #expect(running.job == second.id)
            harness.clock.advance(by: .seconds(5))
            #expect(try await harness.claim(worker, 9).isEmpty)
            #expect(try await harness.job(first.id).blockedBy == .limit)
            try await harness.store.complete(running, with: 1, effects: [])
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [first.id])
        },
        ConformanceCase("a job that waits for a permit can be cancelled, expire and be retried") {
            harness in
            let worker = try await harness.worker()
            let holder = try await harness.limited(1, fleet: 1) { $0.deadline = harness.clock.now + .seconds(9999) }
            let cancelled = try await harness.limited(1, cost: 1, fleet: 1)
            let late = try await harness.limited(1, cost: 1, fleet: 1)
            let lease = try await harness.claimOne(worker).lease
            #expect(try await harness.store.cancel(cancelled.id, of: nil)?.status == .cancelled)
            harness.clock.advance(by: .seconds(600))
            #expect(try await harness.store.expire(limit: 9) == [late.id])
            #expect(try await harness.balance().held == 0)
            let again = try #require(try await harness.store.retry(cancelled.id, of: nil)?.accepted)
            #expect(again.blockedBy == .limit)
            try await harness.store.complete(lease, with: 1, effects: [])
            #expect(lease.job == holder.id)
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [cancelled.id])
        },
        ConformanceCase("a scheduled job takes no permit before its time") { harness in
            let worker = try await harness.worker()
            let later = try await harness.limited(fleet: 1) { $0.runAt = harness.clock.now + .seconds(30) }
            let now = try await harness.limited(fleet: 1)
            #expect(later.blockedBy == .notBefore(harness.clock.now + .seconds(30)))
            let lease = try await harness.claimOne(worker).lease
            #expect(lease.job == now.id)
            harness.clock.advance(by: .seconds(30))
            #expect(try await harness.claim(worker, 9).isEmpty)
            try await harness.store.complete(lease, with: 1, effects: [])
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [later.id])
        },
        ConformanceCase("a job behind another of its concurrency key takes no permit, and the first job keeps the key")
        { harness in
            let worker = try await harness.worker()
            let other = try await harness.limited(2, fleet: 1)
            let head = try await harness.limited(1, fleet: 1) { $0.concurrencyKey = "conversation-1" }
            let next = try await harness.limited(1, fleet: 1) { $0.concurrencyKey = "conversation-1" }
            #expect(try await harness.job(head.id).blockedBy == .limit)
            #expect(try await harness.job(next.id).blockedBy == .earlierJob(head.id))
            for id in [other.id, head.id, next.id] {
                let claimed = try await harness.claim(worker, 9)
                #expect(claimed.map(\.lease.job) == [id])
                try await harness.store.complete(try #require(claimed.first).lease, with: 1, effects: [])
            }
        },
        ConformanceCase("changed limits apply at once to all waiting jobs") { harness in
            let worker = try await harness.worker()
            for user in 1...9 { try await harness.limited(Int64(user), fleet: 1) }
            #expect(try await harness.claim(worker, 99).count == 1)
            try await harness.store.adopt(bundle: "b", limits: ["research": ConcurrencyLimits(fleet: 4)])
            let running = try await harness.claim(worker, 99)
            #expect(running.count == 3)
            // A submit does not restore the old limits.
            try await harness.limited(1, fleet: 99)
            #expect(try await harness.claim(worker, 99).isEmpty)
            try await harness.store.adopt(bundle: "b", limits: ["research": ConcurrencyLimits(fleet: 2)])
            for job in running.prefix(2) { try await harness.store.complete(job.lease, with: 1, effects: []) }
            #expect(try await harness.claim(worker, 99).isEmpty)
            try await harness.store.complete(running[2].lease, with: 1, effects: [])
            #expect(try await harness.claim(worker, 99).count == 1)
            try await harness.store.adopt(bundle: "b", limits: ["research": .none])
            #expect(try await harness.claim(worker, 99).count == 5)
        },
        ConformanceCase("a limit for each user can become a limit for the fleet, and back") { harness in
            let worker = try await harness.worker()
            for _ in 0..<3 { for user in 1...3 { try await harness.limited(Int64(user), perUser: 1) } }
            let running = try await harness.claim(worker, 99)
            #expect(running.count == 3)
            try await harness.store.adopt(bundle: "b", limits: ["research": ConcurrencyLimits(fleet: 4)])
            let fourth = try await harness.claim(worker, 99)
            #expect(fourth.count == 1)
            try await harness.store.adopt(bundle: "b", limits: ["research": ConcurrencyLimits(perUser: 2)])
            #expect(try await harness.claim(worker, 99).count == 2)
            for job in running + fourth { try await harness.store.complete(job.lease, with: 1, effects: []) }
            #expect(try await harness.claim(worker, 99).count == 3)
        },
        ConformanceCase("concurrent workers and clients never exceed the limits and leave no permit behind") {
            harness in
            let handles = [harness.store, try await harness.fixture.open()]
            for name in 0..<4 { _ = try await harness.worker("w\(name)") }
            for place in 0..<60 { try await harness.limited(Int64(place % 5), fleet: 7, perUser: 2) }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for place in 0..<4 {
                    group.addTask {
                        let (store, worker) = (handles[place % 2], WorkerID(rawValue: "w\(place)"))
                        var most = 0
                        for round in 0..<20 {
                            let jobs = try await store.claim(for: worker, upTo: [.background: 9]).jobs
                            most = max(most, jobs.count)
                            for (number, job) in jobs.enumerated() {
                                switch (round + number + place) % 4 {
                                case 0: try await store.complete(job.lease, with: 1, effects: [])
                                case 1: try await store.fail(job.lease, with: StoreHarness.giveUp)
                                case 2: _ = try await store.cancel(job.lease.job, of: nil)
                                default: try await store.snooze([job.lease], after: .zero)
                                }
                            }
                        }
                        return most
                    }
                }
                for try await most in group { #expect(most <= 7) }
            }
            let worker = WorkerID(rawValue: "w0")
            while case let jobs = try await harness.claim(worker, 99), !jobs.isEmpty {
                for job in jobs { try await harness.store.complete(job.lease, with: 1, effects: []) }
            }
            #expect(try await harness.badReadings().isEmpty)
            for _ in 0..<9 { try await harness.limited(1, fleet: 7, perUser: 2) }
            #expect(try await harness.claim(worker, 99).count == 2)
        },
        ConformanceCase("jobs that wait for a permit do not delay others") { harness in
            let worker = try await harness.worker()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5000 { group.addTask { try await harness.limited(1, fleet: 1) } }
                try await group.waitForAll()
            }
            for _ in 0..<100 { try await harness.submit(2) }
            #expect(try await harness.claim(worker, 101).count == 101)
        },
    ]
}

extension StoreHarness {
    /// Submits a job of a kind with limits.
    @discardableResult
    func limited(
        _ user: Int64 = 1, cost: Int = 0, fleet: Int? = nil, perUser: Int? = nil,
        _ change: (inout NewJob) -> Void = { _ in }
    ) async throws -> Job {
        try await submit(user, cost: cost) { job in
            job.limits = ConcurrencyLimits(fleet: fleet, perUser: perUser)
            change(&job)
        }
    }
}
