import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// Jobs of one serial key.
    package static let concurrencyKeys: [ConformanceCase] = [
        ConformanceCase("jobs of one serial key run one after the other, in the order of submission") { bench in
            let worker = try await bench.worker()
            var ids: [JobID] = []
            for priority in [0, 9, 5] {
                ids.append(
                    try await bench.submit {
                        $0.concurrencyKey = "talk"
                        $0.priority = priority
                    }.id)
            }
            #expect(try await bench.job(ids[0]).blockedBy == nil)
            #expect(try await bench.job(ids[1]).blockedBy == .earlierJob(ids[0]))
            for id in ids {
                let claimed = try await bench.claim(worker, 5)
                #expect(claimed.map(\.lease.job) == [id])
                try await bench.store.complete(try #require(claimed.first).lease, with: 1, effects: [])
            }
        },
        ConformanceCase("other keys and other users are not held up") { bench in
            try await bench.submit(1) { $0.concurrencyKey = "talk" }
            try await bench.submit(1) { $0.concurrencyKey = "other" }
            try await bench.submit(2) { $0.concurrencyKey = "talk" }
            #expect(try await bench.claim(try await bench.worker(), 5).count == 3)
        },
        ConformanceCase("a head that waits for its retry keeps the key") { bench in
            let worker = try await bench.worker()
            let head = try await bench.submit { $0.concurrencyKey = "talk" }
            let next = try await bench.submit { $0.concurrencyKey = "talk" }
            let lease = try await bench.claimOne(worker).lease
            try await bench.store.fail(lease, with: Bench.retry(after: .seconds(5)))
            #expect(try await bench.claim(worker, 5).isEmpty)
            bench.clock.advance(by: .seconds(5))
            let again = try await bench.claim(worker, 5)
            #expect(again.map(\.lease.job) == [head.id])
            try await bench.store.fail(try #require(again.first).lease, with: Bench.giveUp)
            #expect(try await bench.claim(worker, 5).map(\.lease.job) == [next.id])
        },
        ConformanceCase("a cancelled one leaves the line, wherever it stands") { bench in
            let worker = try await bench.worker()
            var ids: [JobID] = []
            for _ in 0..<4 { ids.append(try await bench.submit(cost: 1) { $0.concurrencyKey = "talk" }.id) }
            let last = try await bench.job(ids[3]).revision
            _ = try await bench.store.cancel(ids[2], of: nil)
            let behind = try await bench.job(ids[3])
            #expect(behind.blockedBy == .earlierJob(ids[1]) && behind.revision > last)
            _ = try await bench.store.cancel(ids[0], of: nil)
            let claimed = try await bench.claim(worker, 5)
            #expect(claimed.map(\.lease.job) == [ids[1]])
            _ = try await bench.store.cancel(ids[1], of: nil)
            #expect(try await bench.claim(worker, 5).map(\.lease.job) == [ids[3]])
            #expect(try await bench.balance().held == 1)
        },
        ConformanceCase("a deadline passes the key on") { bench in
            try await bench.submit { $0.concurrencyKey = "talk" }
            let next = try await bench.submit {
                $0.concurrencyKey = "talk"
                $0.deadline = bench.clock.now + .seconds(9999)
            }
            bench.clock.advance(by: .seconds(600))
            #expect(try await bench.store.expire(limit: 5).count == 1)
            #expect(try await bench.claim(try await bench.worker(), 5).map(\.lease.job) == [next.id])
        },
        ConformanceCase("a blocked job whose time is to come waits for both") { bench in
            let worker = try await bench.worker()
            let due = bench.clock.now + .seconds(30)
            try await bench.submit { $0.concurrencyKey = "talk" }
            let next = try await bench.submit {
                $0.concurrencyKey = "talk"
                $0.runAt = due
            }
            let lease = try await bench.claimOne(worker).lease
            try await bench.store.complete(lease, with: 1, effects: [])
            #expect(try await bench.job(next.id).blockedBy == .notBefore(due))
            #expect(try await bench.claim(worker, 5).isEmpty)
            bench.clock.advance(by: .seconds(30))
            #expect(try await bench.claim(worker, 5).map(\.lease.job) == [next.id])
        },
        ConformanceCase("a job tried again waits for whoever has its key now") { bench in
            let worker = try await bench.worker()
            let first = try await bench.submit { $0.concurrencyKey = "talk" }
            _ = try await bench.store.cancel(first.id, of: nil)
            let second = try await bench.submit { $0.concurrencyKey = "talk" }
            let third = try await bench.submit { $0.concurrencyKey = "talk" }
            let retried = try #require(try await bench.store.retry(first.id, of: nil)?.accepted)
            #expect(retried.blockedBy == .earlierJob(second.id))
            #expect(try await bench.job(third.id).blockedBy == .earlierJob(first.id))
            for id in [second.id, first.id, third.id] {
                let lease = try await bench.claimOne(worker).lease
                #expect(lease.job == id)
                try await bench.store.complete(lease, with: 1, effects: [])
            }
        },
        ConformanceCase("a rescued head keeps the key") { bench in
            let worker = try await bench.worker("dying")
            let head = try await bench.submit { $0.concurrencyKey = "talk" }
            try await bench.submit { $0.concurrencyKey = "talk" }
            _ = try await bench.claimOne(worker)
            let beat = try #require(try await bench.store.heartbeats().first)
            _ = try await bench.store.rescue(beat)
            #expect(try await bench.claim(try await bench.worker("w2"), 5).map(\.lease.job) == [head.id])
        },
    ]
}
