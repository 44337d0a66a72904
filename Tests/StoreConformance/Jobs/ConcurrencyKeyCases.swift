import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Jobs with concurrency keys.
    package static let concurrencyKeys: [ConformanceCase] = [
        ConformanceCase("jobs of one concurrency key run one after the other, in the order of submission") { harness in
            let worker = try await harness.worker()
            var ids: [JobID] = []
            for priority in [0, 9, 5] {
                ids.append(
                    try await harness.submit {
                        $0.concurrencyKey = "conversation-1"
                        $0.priority = priority
                    }.id)
            }
            #expect(try await harness.job(ids[0]).blockedBy == nil)
            #expect(try await harness.job(ids[1]).blockedBy == .earlierJob(ids[0]))
            for id in ids {
                let claimed = try await harness.claim(worker, 5)
                #expect(claimed.map(\.lease.job) == [id])
                try await harness.store.complete(try #require(claimed.first).lease, with: 1, effects: [])
            }
        },
        ConformanceCase("other keys and other users are not delayed") { harness in
            try await harness.submit(1) { $0.concurrencyKey = "conversation-1" }
            try await harness.submit(1) { $0.concurrencyKey = "other" }
            try await harness.submit(2) { $0.concurrencyKey = "conversation-1" }
            #expect(try await harness.claim(try await harness.worker(), 5).count == 3)
        },
        ConformanceCase("a job that waits for its retry keeps the key") { harness in
            let worker = try await harness.worker()
            let head = try await harness.submit { $0.concurrencyKey = "conversation-1" }
            let next = try await harness.submit { $0.concurrencyKey = "conversation-1" }
            let lease = try await harness.claimOne(worker).lease
            try await harness.store.fail(lease, with: StoreHarness.retry(after: .seconds(5)))
            #expect(try await harness.claim(worker, 5).isEmpty)
            harness.clock.advance(by: .seconds(5))
            let again = try await harness.claim(worker, 5)
            #expect(again.map(\.lease.job) == [head.id])
            try await harness.store.fail(try #require(again.first).lease, with: StoreHarness.giveUp)
            #expect(try await harness.claim(worker, 5).map(\.lease.job) == [next.id])
        },
        ConformanceCase("a cancelled job leaves the key's queue at any position") { harness in
            let worker = try await harness.worker()
            var ids: [JobID] = []
            for _ in 0..<4 { ids.append(try await harness.submit(cost: 1) { $0.concurrencyKey = "conversation-1" }.id) }
            let last = try await harness.job(ids[3]).revision
            _ = try await harness.store.cancel(ids[2], of: nil)
            let behind = try await harness.job(ids[3])
            #expect(behind.blockedBy == .earlierJob(ids[1]) && behind.revision > last)
            _ = try await harness.store.cancel(ids[0], of: nil)
            let claimed = try await harness.claim(worker, 5)
            #expect(claimed.map(\.lease.job) == [ids[1]])
            _ = try await harness.store.cancel(ids[1], of: nil)
            #expect(try await harness.claim(worker, 5).map(\.lease.job) == [ids[3]])
            #expect(try await harness.balance().held == 1)
        },
        ConformanceCase("an expired job releases the key") { harness in
            try await harness.submit { $0.concurrencyKey = "conversation-1" }
            let next = try await harness.submit {
                $0.concurrencyKey = "conversation-1"
                $0.deadline = harness.clock.now + .seconds(9999)
            }
            harness.clock.advance(by: .seconds(600))
            #expect(try await harness.store.expire(limit: 5).count == 1)
            #expect(try await harness.claim(try await harness.worker(), 5).map(\.lease.job) == [next.id])
        },
        ConformanceCase("a blocked job with a later start waits for both") { harness in
            let worker = try await harness.worker()
            let due = harness.clock.now + .seconds(30)
            try await harness.submit { $0.concurrencyKey = "conversation-1" }
            let next = try await harness.submit {
                $0.concurrencyKey = "conversation-1"
                $0.runAt = due
            }
            let lease = try await harness.claimOne(worker).lease
            try await harness.store.complete(lease, with: 1, effects: [])
            #expect(try await harness.job(next.id).blockedBy == .notBefore(due))
            #expect(try await harness.claim(worker, 5).isEmpty)
            harness.clock.advance(by: .seconds(30))
            #expect(try await harness.claim(worker, 5).map(\.lease.job) == [next.id])
        },
        ConformanceCase("a retried job waits for the present holder of its key") { harness in
            let worker = try await harness.worker()
            let first = try await harness.submit { $0.concurrencyKey = "conversation-1" }
            _ = try await harness.store.cancel(first.id, of: nil)
            let second = try await harness.submit { $0.concurrencyKey = "conversation-1" }
            let third = try await harness.submit { $0.concurrencyKey = "conversation-1" }
            let retried = try #require(try await harness.store.retry(first.id, of: nil)?.accepted)
            #expect(retried.blockedBy == .earlierJob(second.id))
            #expect(try await harness.job(third.id).blockedBy == .earlierJob(first.id))
            for id in [second.id, first.id, third.id] {
                let lease = try await harness.claimOne(worker).lease
                #expect(lease.job == id)
                try await harness.store.complete(lease, with: 1, effects: [])
            }
        },
        ConformanceCase("a rescued job keeps the key") { harness in
            let worker = try await harness.worker("dying")
            let head = try await harness.submit { $0.concurrencyKey = "conversation-1" }
            try await harness.submit { $0.concurrencyKey = "conversation-1" }
            _ = try await harness.claimOne(worker)
            let beat = try #require(try await harness.store.heartbeats().first)
            _ = try await harness.store.rescue(beat)
            #expect(try await harness.claim(try await harness.worker("w2"), 5).map(\.lease.job) == [head.id])
        },
    ]
}
