import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// The turns of users, whatever became of their jobs' earlier runs.
    package static let turns: [ConformanceCase] = [
        ConformanceCase("a user's jobs that return from an outage do not go before another user's job") { harness in
            let worker = try await harness.worker()
            for _ in 0..<60 { try await harness.submit(1) }
            for claimed in try await harness.claim(worker, 60) {
                try await harness.store.fail(claimed.lease, with: StoreHarness.retry(after: .seconds(30)))
            }
            harness.clock.advance(by: .seconds(31))
            // Makes the due jobs ready, and takes none.
            #expect(try await harness.claim(worker, 0).isEmpty)
            try await harness.submit(2)
            let users = try await harness.claim(worker, 3).map(\.user.rawValue)
            #expect(users.contains(2), "\(users)")
        },
        ConformanceCase("returned jobs of several users are claimed in turn") { harness in
            let worker = try await harness.worker("dying")
            for user in 1...3 { for _ in 0..<20 { try await harness.submit(Int64(user)) } }
            #expect(try await harness.claim(worker, 60).count == 60)
            #expect(try await harness.rescue(worker).requeued.count == 60)
            let users = try await harness.claim(try await harness.worker("living"), 30).map(\.user.rawValue)
            for user in 1...3 { #expect((9...11).contains(users.filter { $0 == user }.count), "\(users)") }
        },
        ConformanceCase("a returned job is claimed before the later jobs of its user") { harness in
            let worker = try await harness.worker()
            let first = try await harness.submit(1).id
            let lease = try await harness.claimOne(worker).lease
            for _ in 0..<20 { try await harness.submit(1) }
            try await harness.store.snooze([lease], after: .zero)
            #expect(try await harness.claimOne(worker).lease.job == first)
        },
        ConformanceCase("a user with 100 cancelled jobs starts the next one as a newcomer does") { harness in
            let worker = try await harness.worker()
            var cancelled: [JobID] = []
            for _ in 0..<100 { cancelled.append(try await harness.submit(1).id) }
            let kept = try await harness.submit(1).id
            for _ in 0..<20 { try await harness.submit(2) }
            for job in cancelled { _ = try await harness.store.cancel(job, of: 1) }
            let firstJobs = try await harness.claim(worker, 2)
            #expect(firstJobs.contains { $0.lease.job == kept }, "\(firstJobs.map(\.user))")
            cancelled = []
            for _ in 0..<100 { cancelled.append(try await harness.submit(1).id) }
            for job in cancelled.reversed() { _ = try await harness.store.cancel(job, of: 1) }
            let next = try await harness.submit(1).id
            let nextJobs = try await harness.claim(worker, 2)
            #expect(nextJobs.contains { $0.lease.job == next }, "\(nextJobs.map(\.user))")
        },
        ConformanceCase("a user whose jobs expire before they run keeps the turns of the others") { harness in
            let worker = try await harness.worker()
            for _ in 0..<50 {
                try await harness.submit(1) { $0.deadline = harness.clock.now + .seconds(10) }
            }
            let kept = try await harness.submit(1).id
            for _ in 0..<20 { try await harness.submit(2) }
            harness.clock.advance(by: .seconds(11))
            #expect(try await harness.store.expire(limit: 100).count == 50)
            let jobs = try await harness.claim(worker, 2)
            #expect(jobs.contains { $0.lease.job == kept }, "\(jobs.map(\.user))")
        },
        ConformanceCase("jobs after a cancel get no second job at a position of their user") { harness in
            let worker = try await harness.worker()
            var jobs: [JobID] = []
            for _ in 0..<10 { jobs.append(try await harness.submit(1).id) }
            for job in jobs.prefix(5) { _ = try await harness.store.cancel(job, of: 1) }
            for _ in 0..<5 { jobs.append(try await harness.submit(1).id) }
            for _ in 0..<10 { try await harness.submit(2) }
            let claimed = try await harness.claim(worker, 20)
            for place in 1...20 {
                let own = claimed.prefix(place).filter { $0.user == 1 }.count
                #expect(abs(2 * own - place) <= 2, "\(claimed.map(\.user))")
            }
            // The job that moved up is claimed in its own order.
            #expect(claimed.filter { $0.user == 1 }.map(\.lease.job) == Array(jobs.dropFirst(5)))
        },
        ConformanceCase("cancels and claims at the same time lose no job and leave no user behind") { harness in
            let worker = try await harness.worker()
            for _ in 0..<5 {
                var ids: [JobID] = []
                for user in 0..<60 { ids.append(try await harness.submit(Int64(user % 3 + 1)).id) }
                let doomed = ids.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
                let early = try await withThrowingTaskGroup(of: [ClaimedJob].self) { group in
                    for job in doomed {
                        group.addTask {
                            _ = try await harness.store.cancel(job, of: nil)
                            return []
                        }
                    }
                    group.addTask { try await harness.claim(worker, 15) }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                // A claim may pass a position at the moment at which a job gets it. Within a second one looks back.
                let spared = Set(ids).subtracting(doomed)
                var late = try await harness.claim(worker, 60)
                for _ in 0..<2000 where !Set((early + late).map(\.lease.job)).isSuperset(of: spared) {
                    late += try await harness.claim(worker, 60)
                }
                let started = Set((early + late).map(\.lease.job))
                #expect(started.isSuperset(of: spared))
                for job in early + late where try await harness.job(job.lease.job).status == .processing {
                    try await harness.store.complete(job.lease, with: 1, effects: [])
                }
            }
        },
        ConformanceCase("between two starts of a waiting user no other user starts more than two jobs") { harness in
            for _ in 0..<4 {
                var history = TurnHistory(harness)
                try await history.run(rounds: 60)
            }
        },
    ]
}
