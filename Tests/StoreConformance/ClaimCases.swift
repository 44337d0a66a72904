import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Who gets which job, and when.
    package static let claiming: [ConformanceCase] = [
        ConformanceCase("jobs of one user run by priority, then in the order of submission") { harness in
            var ids: [Int: JobID] = [:]
            for (place, priority) in [0, 5, 0, 9, 5].enumerated() {
                ids[place] = try await harness.submit { $0.priority = priority }.id
            }
            let claimed = try await harness.claim(try await harness.worker(), 5).map(\.lease.job)
            #expect(claimed == [3, 1, 4, 0, 2].map { ids[$0] })
        },
        ConformanceCase("a job whose slot went to a more important one comes before younger ones") { harness in
            let worker = try await harness.worker()
            let first = try await harness.submit().id
            let second = try await harness.submit().id
            let important = try await harness.submit { $0.priority = 2 }.id
            for id in [important, first, second] {
                #expect(try await harness.claimOne(worker).lease.job == id)
            }
        },
        ConformanceCase("a user's priorities take nothing from others") { harness in
            for priority in 1...5 {
                try await harness.submit(1)
                try await harness.submit(2) { $0.priority = priority }
            }
            let worker = try await harness.worker()
            for _ in 0..<5 {
                #expect(Set(try await harness.claim(worker, 2).map(\.user.rawValue)) == [1, 2])
            }
        },
        ConformanceCase("whoever was away comes back as an equal, not before everybody") { harness in
            let worker = try await harness.worker()
            try await harness.submit(1)
            for _ in 0..<30 { try await harness.submit(2) }
            #expect(try await harness.claim(worker, 31).count == 31)
            for user in [2, 1] { for _ in 0..<10 { try await harness.submit(Int64(user)) } }
            let users = try await harness.claim(worker, 10).map(\.user.rawValue)
            #expect((4...6).contains(users.filter { $0 == 1 }.count))
        },
        ConformanceCase("a new user is served next, though another one queued ten thousand jobs") { harness in
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
        ConformanceCase("users with long queues are served in turn") { harness in
            for user in 1...4 { for _ in 0..<50 { try await harness.submit(Int64(user)) } }
            let users = try await harness.claim(try await harness.worker(), 40).map(\.user.rawValue)
            for user in 1...4 { #expect(users.filter { $0 == user }.count == 10) }
        },
        ConformanceCase("whoever withdrew their queue does not start behind") { harness in
            for _ in 0..<100 { _ = try await harness.store.cancel(try await harness.submit(1).id, of: nil) }
            for _ in 0..<100 { try await harness.submit(2) }
            try await harness.submit(1)
            let users = try await harness.claim(try await harness.worker(), 3).map(\.user.rawValue)
            #expect(users.contains(1))
        },
        ConformanceCase("an empty queue forgives nobody and punishes nobody") { harness in
            let worker = try await harness.worker()
            for _ in 0..<50 { try await harness.submit(1) }
            #expect(try await harness.claim(worker, 50).count == 50)
            for _ in 0..<3 { try await harness.submit(1) }
            for _ in 0..<3 { try await harness.submit(2) }
            let users = try await harness.claim(worker, 4).map(\.user.rawValue)
            #expect(users.filter { $0 == 1 }.count == 2)
        },
        ConformanceCase("lanes have slots of their own") { harness in
            for _ in 0..<3 { try await harness.submit() }
            let chat = try await harness.submit { $0.queue = .interactive }
            let worker = try await harness.worker()
            let claim = try await harness.store.claim(for: worker, upTo: [.interactive: 2, .background: 1])
            #expect(claim.jobs.count == 2)
            #expect(claim.jobs.contains { $0.lease.job == chat.id && $0.queue == .interactive })
            #expect(try await harness.claim(worker, 5, queue: .interactive).isEmpty)
            #expect(try await harness.claim(worker, 5).count == 2)
        },
        ConformanceCase("a job that comes back is not behind the queue that grew meanwhile") { harness in
            let worker = try await harness.worker()
            let job = try await harness.submit(1)
            let lease = try await harness.claimOne(worker).lease
            for _ in 0..<20 { try await harness.submit(2) }
            try await harness.store.fail(lease, with: StoreHarness.retry(after: .seconds(1)))
            harness.clock.advance(by: .seconds(1))
            #expect(try await harness.claim(worker, 2).contains { $0.lease.job == job.id })
        },
        ConformanceCase("jobs that become due are claimed in the order of their time") { harness in
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
        ConformanceCase("no slots, no jobs") { harness in
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
        ConformanceCase("every claim has an epoch above all earlier ones of the job") { harness in
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
