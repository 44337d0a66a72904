import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// Jobs that follow a leader, and jobs whose result is there already.
    package static let sharing: [ConformanceCase] = [
        ConformanceCase("fifty who want the same have one leader, and its result settles them all") { bench in
            let jobs = try await bench.submitSharing(users: 1...50)
            let worker = try await bench.worker()
            let claimed = try await bench.claim(worker, 100)
            #expect(claimed.count == 1 && claimed.first?.user == .system)
            let lease = try #require(claimed.first?.lease)
            #expect(claimed.first?.input == ["story": 7])
            try await bench.store.complete(lease, with: ["text": "calm"], effects: [])
            for job in jobs {
                let ended = try #require(try await bench.store.jobWithResult(job.id, of: job.user))
                #expect(ended.job.status == .completed && ended.job.progress == 100 && ended.job.attempt == 1)
                #expect(ended.job.completedAt == bench.clock.now && ended.job.revision > job.revision)
                #expect(ended.result == ["text": "calm"])
                let balance = try await bench.balance(job.user.rawValue)
                #expect(balance == CreditBalance(granted: 10, held: 0, used: 1))
            }
            #expect(try await bench.claim(worker, 100).isEmpty)
        },
        ConformanceCase("one user's many followers are settled together") { bench in
            let jobs = try await bench.submitSharing(users: [1, 1, 1, 2])
            let lease = try await bench.claimOne(try await bench.worker()).lease
            try await bench.store.complete(lease, with: 1, effects: [])
            #expect(try await bench.balance(1) == CreditBalance(granted: 10, held: 0, used: 3))
            #expect(try await bench.balance(2) == CreditBalance(granted: 10, held: 0, used: 1))
            #expect(Set(jobs.map(\.id)).count == 4)
        },
        ConformanceCase("a follower shows how its leader is doing, and its revision grows with it") { bench in
            let job = try await bench.submitSharing()
            #expect(job.status == .pending && job.blockedBy == .shared && job.attempt == 0)
            bench.clock.advance(by: .seconds(1))
            let lease = try await bench.claimOne(try await bench.worker()).lease
            let running = try await bench.job(job.id)
            #expect(running.status == .processing && running.blockedBy == nil && running.attempt == 1)
            #expect(running.startedAt == bench.clock.now && running.revision > job.revision)
            try await bench.store.report([ProgressReport(lease: lease, progress: 40, currentStep: "explain")])
            let reported = try await bench.job(job.id)
            #expect(reported.progress == 40 && reported.currentStep == "explain")
            #expect(reported.revision > running.revision)
            #expect(try await bench.store.revisions(of: [job.id]) == [job.id: reported.revision])
            bench.clock.advance(by: .seconds(1))
            let late = try await bench.submitSharing(2)
            #expect(late.progress == 40 && late.startedAt == bench.clock.now && late.revision == 1)
            for (status, count) in [(JobStatus.processing, 1), (.pending, 0)] {
                let list = try await bench.store.jobs(JobListQuery(user: job.user, status: status))
                #expect(list.jobs.count == count && list.total == count)
            }
        },
        ConformanceCase("a failure for good releases all holds, a retry is followed") { bench in
            let jobs = try await bench.submitSharing(users: 1...3)
            let worker = try await bench.worker()
            let first = try await bench.claimOne(worker).lease
            try await bench.store.fail(first, with: Bench.retry(after: .seconds(5)))
            for job in jobs {
                let waiting = try await bench.job(job.id)
                #expect(waiting.status == .pending && waiting.error == Bench.anError && waiting.blockedBy == .shared)
                #expect(try await bench.balance(job.user.rawValue).held == 1)
            }
            bench.clock.advance(by: .seconds(6))
            let second = try await bench.claimOne(worker).lease
            #expect(try await bench.job(jobs[0].id).attempt == 2)
            try await bench.store.report([ProgressReport(lease: second, progress: 30, currentStep: "s")])
            try await bench.store.fail(second, with: Bench.giveUp)
            for job in jobs {
                let failed = try await bench.job(job.id)
                #expect(failed.status == .failed && failed.error == Bench.anError && failed.progress == 30)
                let balance = try await bench.balance(job.user.rawValue)
                #expect(balance == CreditBalance(granted: 10, held: 0, used: 0))
            }
        },
        ConformanceCase("a cancel touches only the follower, and the leader goes on without any") { bench in
            let jobs = try await bench.submitSharing(users: 1...2)
            let lease = try await bench.claimOne(try await bench.worker()).lease
            try await bench.store.report([ProgressReport(lease: lease, progress: 40, currentStep: "explain")])
            for job in jobs {
                let before = try await bench.job(job.id)
                let cancelled = try #require(try await bench.store.cancel(job.id, of: job.user))
                #expect(cancelled.status == .cancelled && cancelled.progress == 40 && cancelled.attempt == 1)
                #expect(cancelled.revision > before.revision)
                #expect(try await bench.balance(job.user.rawValue).held == 0)
            }
            #expect(try await bench.store.cancel(jobs[0].id, of: jobs[1].user) == nil)
            try await bench.store.complete(lease, with: 1, effects: [])
            #expect(try await bench.job(jobs[0].id).status == .cancelled)
            #expect(try await bench.balance(1) == CreditBalance(granted: 10, held: 0, used: 0))
        },
        ConformanceCase("a follower's own deadline ends it alone, the leader's ends all") { bench in
            let early = try await bench.submitSharing(1) { $0.deadline = bench.clock.now + .seconds(10) }
            let late = try await bench.submitSharing(2)
            bench.clock.advance(by: .seconds(20))
            #expect(try await bench.store.expire(limit: 9) == [early.id])
            #expect(try await bench.job(early.id).error == .deadlinePassed)
            #expect(try await bench.job(late.id).status == .pending)
            bench.clock.advance(by: .seconds(600))
            let later = try await bench.submitSharing(3) { $0.deadline = bench.clock.now + .seconds(600) }
            #expect(try await bench.store.expire(limit: 9).contains(late.id))
            for job in [late, later] {
                #expect(try await bench.job(job.id).error == .deadlinePassed)
                #expect(try await bench.balance(job.user.rawValue).held == 0)
            }
        },
        ConformanceCase("who cancels or buries the leader ends its followers too") { bench in
            let job = try await bench.submitSharing()
            let worker = try await bench.worker()
            let sharedJob = try await bench.claimOne(worker).lease.job
            _ = try await bench.store.cancel(sharedJob, of: nil)
            #expect(try await bench.job(job.id).status == .cancelled)
            let next = try await bench.submitSharing()
            for death in 1...3 {
                let worker = try await bench.worker("mortal-\(death)")
                _ = try await bench.claimOne(worker)
                #expect(try await bench.job(next.id).status == .processing)
                _ = try await bench.store.rescue(WorkerHeartbeat(worker: worker, count: 1))
            }
            #expect(try await bench.job(next.id).error == .poison)
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 0))
        },
        ConformanceCase("a leader that was queued before is joined, and one that has ended is not") { bench in
            let queued = bench.job(UserID.system.rawValue) { $0.uniqueKey = "story-7" }
            _ = try await bench.store.submit(queued)
            let job = try await bench.submitSharing()
            let worker = try await bench.worker()
            let claimed = try await bench.claim(worker, 9)
            #expect(claimed.map(\.lease.job) == [queued.id])
            try await bench.store.complete(claimed[0].lease, with: 1, effects: [])
            #expect(try await bench.job(job.id).status == .completed)
            try await bench.submitSharing(2)
            #expect(try await bench.claim(worker, 9).count == 1)
        },
        ConformanceCase("who has no credits brings no leader, and who asks again is answered with the first") { bench in
            let poor = try await bench.store.submit(bench.sharing(1) { $0.cost = 11 })
            #expect(poor.missing?.required == 11)
            let worker = try await bench.worker()
            #expect(try await bench.claim(worker, 9).isEmpty)
            let promise = Idempotency(key: "k", fingerprint: "f")
            let first = try await bench.submitSharing(1) { $0.idempotency = promise }
            let again = try await bench.store.submit(bench.sharing(1) { $0.idempotency = promise })
            #expect(again.existing?.id == first.id)
            let other = Idempotency(key: "k", fingerprint: "g")
            #expect(try await bench.store.submit(bench.sharing(1) { $0.idempotency = other }).isConflict)
            let same = try await bench.store.submit(bench.sharing(1) { $0.id = first.id })
            #expect(same.existing?.id == first.id)
            #expect(try await bench.store.submit(bench.sharing(2) { $0.id = first.id }).isConflict)
            let joining = try await bench.submitSharing(1) { $0.uniqueKey = "mine" }
            let joined = try await bench.store.submit(bench.sharing(1) { $0.uniqueKey = "mine" })
            #expect(joined.existing?.id == joining.id)
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 2, used: 0))
            try await bench.store.complete(try await bench.claimOne(worker).lease, with: 1, effects: [])
            #expect(try await bench.submitSharing(1) { $0.uniqueKey = "mine" }.status == .pending)
        },
        ConformanceCase("followers who try again have one leader again, with its journal") { bench in
            let jobs = try await bench.submitSharing(users: 1...3)
            let worker = try await bench.worker()
            let first = try await bench.claimOne(worker).lease
            _ = try await bench.store.append(Bench.step("a"), replacingFrom: nil, effects: [], under: first)
            try await bench.store.fail(first, with: Bench.giveUp)
            for job in jobs {
                let before = try await bench.job(job.id)
                let retried = try #require(try await bench.store.retry(job.id, of: job.user)?.accepted)
                #expect(retried.status == .pending && retried.blockedBy == .shared && retried.error == nil)
                #expect(retried.revision > before.revision)
                #expect(try await bench.balance(job.user.rawValue).held == 1)
            }
            let claimed = try await bench.claim(worker, 9)
            #expect(claimed.map(\.lease.job) == [first.job])
            #expect(try await bench.store.steps(of: claimed[0].lease).map(\.name) == ["a"])
            try await bench.store.complete(claimed[0].lease, with: 2, effects: [])
            for job in jobs { #expect(try await bench.store.jobWithResult(job.id, of: nil)?.result == 2) }
        },
        ConformanceCase("a follower who tries again joins a new leader, and runs itself where there can be none") {
            bench in
            let first = try await bench.submitSharing()
            let worker = try await bench.worker()
            _ = try await bench.store.cancel(first.id, of: nil)
            #expect(try await bench.store.retry(first.id, of: nil)?.accepted?.blockedBy == .shared)
            _ = try await bench.store.cancel(first.id, of: nil)
            try await bench.store.complete(try await bench.claimOne(worker).lease, with: 1, effects: [])
            let alone = try #require(try await bench.store.retry(first.id, of: nil)?.accepted)
            #expect(alone.blockedBy == nil)
            let own = try await bench.claimOne(worker)
            #expect(own.lease.job == first.id && own.input["ticker"] == "AAPL")
            try await bench.store.fail(own.lease, with: Bench.giveUp)
            let second = try await bench.submitSharing(2)
            #expect(try await bench.store.retry(first.id, of: nil)?.accepted?.blockedBy == .shared)
            try await bench.store.complete(try await bench.claimOne(worker).lease, with: 2, effects: [])
            for job in [first, second] { #expect(try await bench.job(job.id).status == .completed) }
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        },
        ConformanceCase("a deleted leader is not missed") { bench in
            let promise = Idempotency(key: "k", fingerprint: "f")
            let job = try await bench.submitSharing { $0.idempotency = promise }
            let worker = try await bench.worker()
            try await bench.store.fail(try await bench.claimOne(worker).lease, with: Bench.giveUp)
            bench.clock.advance(by: .seconds(100))
            #expect(try await bench.store.deleteFinished(before: bench.clock.now, limit: 9) == 1)
            #expect(try await bench.store.retry(job.id, of: nil)?.accepted != nil)
            #expect(try await bench.claimOne(worker).lease.job == job.id)
        },
        ConformanceCase("a job whose result is there is complete and paid for at once") { bench in
            let job = try await bench.submit(cost: 2) { $0.source = .stored(["text": "calm"]) }
            #expect(job.status == .completed && job.progress == 100 && job.completedAt == bench.clock.now)
            #expect(try await bench.store.jobWithResult(job.id, of: job.user)?.result == ["text": "calm"])
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 2))
            let poor = bench.job(cost: 9) { $0.source = .stored(1) }
            #expect(try await bench.store.submit(poor).missing?.balance.remaining == 8)
            #expect(try await bench.claim(try await bench.worker(), 9).isEmpty)
        },
        ConformanceCase("what waits for its time or in a line runs itself") { bench in
            let timed = try await bench.submitSharing { $0.runAt = bench.clock.now + .seconds(5) }
            let lined = try await bench.submitSharing { $0.concurrencyKey = "s" }
            #expect(timed.blockedBy == .notBefore(bench.clock.now + .seconds(5)) && lined.blockedBy == nil)
            #expect(try await bench.claim(try await bench.worker(), 9).map(\.lease.job) == [lined.id])
        },
        ConformanceCase("followers take no slot of their kind, the leader does") { bench in
            let limits = ConcurrencyLimits(fleet: 1, perUser: nil)
            try await bench.submit(9) { $0.limits = limits }
            let job = try await bench.submitSharing { $0.limits = limits }
            #expect(job.blockedBy == .shared)
            let worker = try await bench.worker()
            let first = try await bench.claim(worker, 9)
            #expect(first.count == 1)
            try await bench.store.complete(first[0].lease, with: 1, effects: [])
            let sharedJob = try await bench.claimOne(worker)
            #expect(sharedJob.user == .system)
            try await bench.store.complete(sharedJob.lease, with: 1, effects: [])
            #expect(try await bench.job(job.id).status == .completed)
        },
        ConformanceCase("nobody is forgotten while leaders end and others join") { bench in
            let worker = try await bench.worker()
            let ends = Task {
                var ended = 0
                while !Task.isCancelled {
                    for job in try await bench.claim(worker, 9) {
                        ended += 1
                        if ended % 3 == 0 {
                            try await bench.store.fail(job.lease, with: Bench.giveUp)
                        } else {
                            try await bench.store.complete(job.lease, with: 1, effects: [])
                        }
                    }
                    await Task.yield()
                }
            }
            let jobs = try await withThrowingTaskGroup(of: [Job].self) { group in
                for user in 1...8 {
                    group.addTask {
                        var jobs: [Job] = []
                        for turn in 0..<8 {
                            jobs.append(try await bench.submitSharing(Int64(user)))
                            if turn % 4 == 3 { _ = try await bench.store.cancel(jobs[turn].id, of: nil) }
                        }
                        return jobs
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            ends.cancel()
            try await ends.value
            for job in try await bench.claim(worker, 9) {
                try await bench.store.complete(job.lease, with: 1, effects: [])
            }
            for job in jobs { #expect(try await bench.job(job.id).status.isFinished) }
            for user in 1...8 { #expect(try await bench.balance(Int64(user)).held == 0) }
        },
    ]
}

extension Bench {
    /// A job that shares the work of story 7.
    func sharing(_ user: Int64 = 1, _ change: (inout NewJob) -> Void = { _ in }) -> NewJob {
        job(user, cost: 1) { job in
            job.source = .shared(
                SharedWork(
                    id: makeID(), key: "story-7", input: ["story": 7], deadline: clock.now + .seconds(610)))
            change(&job)
        }
    }

    @discardableResult
    func submitSharing(
        _ user: Int64 = 1, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout NewJob) -> Void = { _ in }
    ) async throws -> Job {
        let submission = try await store.submit(sharing(user, change))
        return try #require(submission.accepted, sourceLocation: sourceLocation)
    }

    /// All at once.
    func submitSharing(users: some Sequence<Int64> & Sendable) async throws -> [Job] {
        try await withThrowingTaskGroup(of: Job.self) { group in
            for user in users { group.addTask { try await self.submitSharing(user) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
