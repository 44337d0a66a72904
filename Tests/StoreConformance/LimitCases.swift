import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// Limits of concurrency.
    package static let limits: [ConformanceCase] = [
        ConformanceCase("no more jobs of a kind run than its limit allows, and a job that waits says so") { bench in
            let worker = try await bench.worker()
            var ids: [JobID] = []
            for user in 1...5 { ids.append(try await bench.limited(Int64(user), fleet: 2).id) }
            #expect(try await bench.job(ids[1]).blockedBy == nil)
            #expect(try await bench.job(ids[2]).blockedBy == .limit)
            let first = try await bench.claim(worker, 9)
            #expect(first.map(\.lease.job) == Array(ids.prefix(2)))
            let revision = try await bench.job(ids[2]).revision
            try await bench.store.complete(first[0].lease, with: 1, effects: [])
            let promoted = try await bench.job(ids[2])
            #expect(promoted.blockedBy == nil && promoted.revision > revision)
            #expect(try await bench.claim(worker, 9).map(\.lease.job) == [ids[2]])
            #expect(try await bench.job(ids[3]).blockedBy == .limit)
        },
        ConformanceCase("an accepted job that has to wait says so at once") { bench in
            try await bench.limited(fleet: 1)
            #expect(try await bench.limited(fleet: 1).blockedBy == .limit)
        },
        ConformanceCase("a limit for each user holds up nobody else") { bench in
            let worker = try await bench.worker()
            for _ in 0..<3 { for user in 1...3 { try await bench.limited(Int64(user), perUser: 1) } }
            for _ in 0..<3 {
                let claimed = try await bench.claim(worker, 9)
                #expect(claimed.map(\.user.rawValue).sorted() == [1, 2, 3])
                for job in claimed { try await bench.store.complete(job.lease, with: 1, effects: []) }
            }
            #expect(try await bench.claim(worker, 9).isEmpty)
        },
        ConformanceCase("both limits hold together") { bench in
            let worker = try await bench.worker()
            for _ in 0..<4 { for user in 1...4 { try await bench.limited(Int64(user), fleet: 3, perUser: 2) } }
            var done = 0
            while true {
                let claimed = try await bench.claim(worker, 99)
                guard !claimed.isEmpty else { break }
                #expect(claimed.count <= 3)
                for user in 1...4 { #expect(claimed.filter { $0.user.rawValue == user }.count <= 2) }
                for job in claimed { try await bench.store.complete(job.lease, with: 1, effects: []) }
                done += claimed.count
            }
            #expect(done == 16)
        },
        ConformanceCase("other kinds and jobs without limits are not held up") { bench in
            let worker = try await bench.worker()
            for _ in 0..<3 { try await bench.limited(fleet: 1) }
            for _ in 0..<3 { try await bench.limited(fleet: 1) { $0.kind = "chat" } }
            for _ in 0..<3 { try await bench.submit() }
            #expect(try await bench.claim(worker, 99).count == 5)
        },
        ConformanceCase("free slots go to users in turn, whoever queued more") { bench in
            let worker = try await bench.worker()
            for _ in 0..<20 { try await bench.limited(1, fleet: 1) }
            for user in 2...3 { for _ in 0..<3 { try await bench.limited(Int64(user), fleet: 1) } }
            var users: [Int64] = []
            for _ in 0..<10 {
                let job = try await bench.claimOne(worker)
                users.append(job.user.rawValue)
                try await bench.store.complete(job.lease, with: 1, effects: [])
            }
            #expect(users.prefix(10).filter { $0 == 1 }.count == 4)
            #expect(Set(users[1...3]) == [1, 2, 3])
        },
        ConformanceCase("a user's waiting jobs go by priority, then by age") { bench in
            let worker = try await bench.worker()
            var ids: [JobID] = []
            for priority in [0, 1, 9, 1] { ids.append(try await bench.limited(fleet: 1) { $0.priority = priority }.id) }
            var order: [JobID] = []
            for _ in ids {
                let job = try await bench.claimOne(worker)
                order.append(job.lease.job)
                try await bench.store.complete(job.lease, with: 1, effects: [])
            }
            #expect(order == [0, 2, 1, 3].map { ids[$0] })
        },
        ConformanceCase("every end of a job gives its slot to the next") { bench in
            let worker = try await bench.worker()
            let ends: [@Sendable (ClaimedJob) async throws -> Void] = [
                { try await bench.store.complete($0.lease, with: 1, effects: []) },
                { try await bench.store.fail($0.lease, with: Bench.giveUp) },
                { _ = try await bench.store.cancel($0.lease.job, of: nil) },
                { try await bench.store.fail($0.lease, with: Bench.retry(after: .seconds(1))) },
                { try await bench.store.snooze([$0.lease], after: .seconds(1)) },
                { _ in
                    bench.clock.advance(by: .seconds(599))
                    try await bench.limited(2, fleet: 1) { $0.deadline = bench.clock.now + .seconds(9999) }
                    bench.clock.advance(by: .seconds(1))
                    _ = try await bench.store.expire(limit: 100)
                },
            ]
            for end in ends {
                try await bench.limited(1, fleet: 1)
                try await bench.limited(1, fleet: 1)
                let running = try await bench.claim(worker, 9)
                #expect(running.count == 1)
                try await end(running[0])
                let next = try await bench.claim(worker, 9)
                #expect(next.count == 1 && next.first?.lease.job != running[0].lease.job)
                // Away with everything, for the next round.
                for job in running + next { _ = try await bench.store.cancel(job.lease.job, of: nil) }
                for job in try await bench.claim(worker, 9) { _ = try await bench.store.cancel(job.lease.job, of: nil) }
                #expect(try await bench.claim(worker, 9).isEmpty)
            }
        },
        ConformanceCase("a submit that is refused leaves no limits behind") { bench in
            let worker = try await bench.worker()
            let refused = bench.job(1, cost: 11) { $0.limits = ConcurrencyLimits(fleet: 1) }
            let outcome = try await bench.store.submit(refused)
            #expect(outcome.accepted == nil)
            for user: Int64 in 2...4 { try await bench.limited(user, fleet: 2) }
            #expect(try await bench.claim(worker, 9).count == 2)
        },
        ConformanceCase("of submits at once the first that is accepted sets the limits") { bench in
            let worker = try await bench.worker()
            let refused = bench.job(1, cost: 11) { $0.limits = ConcurrencyLimits(fleet: 1) }
            let accepted = (2...9).map { user in bench.job(user) { $0.limits = ConcurrencyLimits(fleet: 5) } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for job in [refused] + accepted { group.addTask { _ = try await bench.store.submit(job) } }
                try await group.waitForAll()
            }
            #expect(try await bench.claim(worker, 20).count == 5)
        },
        ConformanceCase("a rescue gives back the slots of jobs that do not come back, and no others") { bench in
            let dying = try await bench.worker("dying")
            let job = try await bench.limited(1, fleet: 1)
            let next = try await bench.limited(2, fleet: 1)
            for round in 1...3 {
                if round > 1 { _ = try await bench.worker("dying") }
                #expect(try await bench.claim(dying, 9).map(\.lease.job) == [job.id])
                let beat = try #require(try await bench.store.heartbeats().first { $0.worker == dying })
                let rescue = try await bench.store.rescue(beat)
                #expect(rescue.poisoned.isEmpty == (round < 3))
            }
            let living = try await bench.worker("living")
            #expect(try await bench.claim(living, 9).map(\.lease.job) == [next.id])
        },
        ConformanceCase("a job that comes back at once keeps its slot") { bench in
            let worker = try await bench.worker()
            let job = try await bench.limited(1, fleet: 1)
            try await bench.limited(2, fleet: 1)
            for _ in 0..<2 {
                let lease = try await bench.claimOne(worker).lease
                #expect(lease.job == job.id)
                try await bench.store.snooze([lease], after: .zero)
            }
            try await bench.store.deregister(worker)
            let other = try await bench.worker("w2")
            #expect(try await bench.claim(other, 9).map(\.lease.job) == [job.id])
        },
        ConformanceCase("a job that pauses waits for a slot again when its time has come") { bench in
            let worker = try await bench.worker()
            let first = try await bench.limited(1, fleet: 1)
            let second = try await bench.limited(2, fleet: 1)
            let lease = try await bench.claimOne(worker).lease
            try await bench.store.fail(lease, with: Bench.retry(after: .seconds(5)))
            let running = try await bench.claimOne(worker).lease
            #expect(running.job == second.id)
            bench.clock.advance(by: .seconds(5))
            #expect(try await bench.claim(worker, 9).isEmpty)
            #expect(try await bench.job(first.id).blockedBy == .limit)
            try await bench.store.complete(running, with: 1, effects: [])
            #expect(try await bench.claim(worker, 9).map(\.lease.job) == [first.id])
        },
        ConformanceCase("a job that waits for a slot can be cancelled, passes its deadline, and is tried again") {
            bench in
            let worker = try await bench.worker()
            let holder = try await bench.limited(1, fleet: 1) { $0.deadline = bench.clock.now + .seconds(9999) }
            let cancelled = try await bench.limited(1, cost: 1, fleet: 1)
            let late = try await bench.limited(1, cost: 1, fleet: 1)
            let lease = try await bench.claimOne(worker).lease
            #expect(try await bench.store.cancel(cancelled.id, of: nil)?.status == .cancelled)
            bench.clock.advance(by: .seconds(600))
            #expect(try await bench.store.expire(limit: 9) == [late.id])
            #expect(try await bench.balance().held == 0)
            let again = try #require(try await bench.store.retry(cancelled.id, of: nil)?.accepted)
            #expect(again.blockedBy == .limit)
            try await bench.store.complete(lease, with: 1, effects: [])
            #expect(lease.job == holder.id)
            #expect(try await bench.claim(worker, 9).map(\.lease.job) == [cancelled.id])
        },
        ConformanceCase("a scheduled job takes no slot before its time") { bench in
            let worker = try await bench.worker()
            let later = try await bench.limited(fleet: 1) { $0.runAt = bench.clock.now + .seconds(30) }
            let now = try await bench.limited(fleet: 1)
            #expect(later.blockedBy == .notBefore(bench.clock.now + .seconds(30)))
            let lease = try await bench.claimOne(worker).lease
            #expect(lease.job == now.id)
            bench.clock.advance(by: .seconds(30))
            #expect(try await bench.claim(worker, 9).isEmpty)
            try await bench.store.complete(lease, with: 1, effects: [])
            #expect(try await bench.claim(worker, 9).map(\.lease.job) == [later.id])
        },
        ConformanceCase("a job behind another of its serial key takes no slot, and the head keeps the key") { bench in
            let worker = try await bench.worker()
            let other = try await bench.limited(2, fleet: 1)
            let head = try await bench.limited(1, fleet: 1) { $0.concurrencyKey = "talk" }
            let next = try await bench.limited(1, fleet: 1) { $0.concurrencyKey = "talk" }
            #expect(try await bench.job(head.id).blockedBy == .limit)
            #expect(try await bench.job(next.id).blockedBy == .earlierJob(head.id))
            for id in [other.id, head.id, next.id] {
                let claimed = try await bench.claim(worker, 9)
                #expect(claimed.map(\.lease.job) == [id])
                try await bench.store.complete(try #require(claimed.first).lease, with: 1, effects: [])
            }
        },
        ConformanceCase("other limits hold at once for all who wait") { bench in
            let worker = try await bench.worker()
            for user in 1...9 { try await bench.limited(Int64(user), fleet: 1) }
            #expect(try await bench.claim(worker, 99).count == 1)
            try await bench.store.adopt(bundle: "b", limits: ["research": ConcurrencyLimits(fleet: 4)])
            let running = try await bench.claim(worker, 99)
            #expect(running.count == 3)
            // A submit does not bring the old limits back.
            try await bench.limited(1, fleet: 99)
            #expect(try await bench.claim(worker, 99).isEmpty)
            try await bench.store.adopt(bundle: "b", limits: ["research": ConcurrencyLimits(fleet: 2)])
            for job in running.prefix(2) { try await bench.store.complete(job.lease, with: 1, effects: []) }
            #expect(try await bench.claim(worker, 99).isEmpty)
            try await bench.store.complete(running[2].lease, with: 1, effects: [])
            #expect(try await bench.claim(worker, 99).count == 1)
            try await bench.store.adopt(bundle: "b", limits: ["research": .none])
            #expect(try await bench.claim(worker, 99).count == 5)
        },
        ConformanceCase("a limit for each user can become one for the fleet, and back") { bench in
            let worker = try await bench.worker()
            for _ in 0..<3 { for user in 1...3 { try await bench.limited(Int64(user), perUser: 1) } }
            let running = try await bench.claim(worker, 99)
            #expect(running.count == 3)
            try await bench.store.adopt(bundle: "b", limits: ["research": ConcurrencyLimits(fleet: 4)])
            let fourth = try await bench.claim(worker, 99)
            #expect(fourth.count == 1)
            try await bench.store.adopt(bundle: "b", limits: ["research": ConcurrencyLimits(perUser: 2)])
            #expect(try await bench.claim(worker, 99).count == 2)
            for job in running + fourth { try await bench.store.complete(job.lease, with: 1, effects: []) }
            #expect(try await bench.claim(worker, 99).count == 3)
        },
        ConformanceCase("workers and clients at once never pass the limits and leave no slot behind") { bench in
            let handles = [bench.store, try await bench.fixture.open()]
            for name in 0..<4 { _ = try await bench.worker("w\(name)") }
            for place in 0..<60 { try await bench.limited(Int64(place % 5), fleet: 7, perUser: 2) }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for place in 0..<4 {
                    group.addTask {
                        let (store, worker) = (handles[place % 2], WorkerID(rawValue: "w\(place)"))
                        var most = 0
                        for turn in 0..<20 {
                            let jobs = try await store.claim(for: worker, upTo: [.background: 9]).jobs
                            most = max(most, jobs.count)
                            for (number, job) in jobs.enumerated() {
                                switch (turn + number + place) % 4 {
                                case 0: try await store.complete(job.lease, with: 1, effects: [])
                                case 1: try await store.fail(job.lease, with: Bench.giveUp)
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
            while case let jobs = try await bench.claim(worker, 99), !jobs.isEmpty {
                for job in jobs { try await bench.store.complete(job.lease, with: 1, effects: []) }
            }
            #expect(try await bench.store.health().filter { !$0.isGood }.isEmpty)
            for _ in 0..<9 { try await bench.limited(1, fleet: 7, perUser: 2) }
            #expect(try await bench.claim(worker, 99).count == 2)
        },
        ConformanceCase("jobs that wait for a slot do not stand in the way of others") { bench in
            let worker = try await bench.worker()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5000 { group.addTask { try await bench.limited(1, fleet: 1) } }
                try await group.waitForAll()
            }
            for _ in 0..<100 { try await bench.submit(2) }
            #expect(try await bench.claim(worker, 101).count == 101)
        },
    ]
}

extension Bench {
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
