import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Shared jobs and their subscribers, and jobs with a stored result.
    package static let sharing: [ConformanceCase] = [
        ConformanceCase("fifty jobs with the same work have one shared job, whose result settles them all") { harness in
            let jobs = try await harness.submitSharing(users: 1...50)
            let worker = try await harness.worker()
            let claimed = try await harness.claim(worker, 100)
            #expect(claimed.count == 1 && claimed.first?.user == .system)
            let lease = try #require(claimed.first?.lease)
            #expect(claimed.first?.input == ["story": 7])
            try await harness.store.complete(lease, with: ["text": "calm"], effects: [])
            for job in jobs {
                let ended = try #require(try await harness.store.jobWithResult(job.id, of: job.user))
                #expect(ended.job.status == .completed && ended.job.progress == 100 && ended.job.attempt == 1)
                #expect(ended.job.completedAt == harness.clock.now && ended.job.revision > job.revision)
                #expect(ended.result == ["text": "calm"])
                let balance = try await harness.balance(job.user.rawValue)
                #expect(balance == CreditBalance(granted: 10, held: 0, used: 1))
            }
            #expect(try await harness.claim(worker, 100).isEmpty)
        },
        ConformanceCase("the many subscribers of one user are settled together") { harness in
            let jobs = try await harness.submitSharing(users: [1, 1, 1, 2])
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let long: JSON = ["text": JSON(String(repeating: "Calm and ", count: 1000))]
            try await harness.store.complete(lease, with: long, effects: [])
            #expect(try await harness.balance(1) == CreditBalance(granted: 10, held: 0, used: 3))
            #expect(try await harness.balance(2) == CreditBalance(granted: 10, held: 0, used: 1))
            #expect(Set(jobs.map(\.id)).count == 4)
            for job in jobs { #expect(try await harness.store.jobWithResult(job.id, of: nil)?.result == long) }
        },
        ConformanceCase("a subscriber shows the progress of its shared job, and its revision grows with it") {
            harness in
            let job = try await harness.submitSharing()
            #expect(job.status == .pending && job.blockedBy == .shared && job.attempt == 0)
            harness.clock.advance(by: .seconds(1))
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let running = try await harness.job(job.id)
            #expect(running.status == .processing && running.blockedBy == nil && running.attempt == 1)
            #expect(running.startedAt == harness.clock.now && running.revision > job.revision)
            try await harness.store.report([ProgressReport(lease: lease, progress: 40, currentStep: "explain")])
            let reported = try await harness.job(job.id)
            #expect(reported.progress == 40 && reported.currentStep == "explain")
            #expect(reported.revision > running.revision)
            #expect(try await harness.store.revisions(of: [job.id]) == [job.id: reported.revision])
            harness.clock.advance(by: .seconds(1))
            let late = try await harness.submitSharing(2)
            #expect(late.progress == 40 && late.startedAt == harness.clock.now && late.revision == 1)
            for (status, count) in [(JobStatus.processing, 1), (.pending, 0)] {
                let list = try await harness.store.jobs(JobListQuery(user: job.user, statuses: [status]))
                #expect(list.jobs.count == count && list.total == count)
            }
        },
        ConformanceCase("a final failure releases all holds, and a retry keeps the subscribers") { harness in
            let jobs = try await harness.submitSharing(users: 1...3)
            let worker = try await harness.worker()
            let first = try await harness.claimOne(worker).lease
            try await harness.store.fail(first, with: StoreHarness.retry(after: .seconds(5)))
            for job in jobs {
                let waiting = try await harness.job(job.id)
                #expect(
                    waiting.status == .pending && waiting.error == StoreHarness.anError && waiting.blockedBy == .shared)
                #expect(try await harness.balance(job.user.rawValue).held == 1)
            }
            harness.clock.advance(by: .seconds(6))
            let second = try await harness.claimOne(worker).lease
            #expect(try await harness.job(jobs[0].id).attempt == 2)
            try await harness.store.report([ProgressReport(lease: second, progress: 30, currentStep: "s")])
            try await harness.store.fail(second, with: StoreHarness.giveUp)
            for job in jobs {
                let failed = try await harness.job(job.id)
                #expect(failed.status == .failed && failed.error == StoreHarness.anError && failed.progress == 30)
                let balance = try await harness.balance(job.user.rawValue)
                #expect(balance == CreditBalance(granted: 10, held: 0, used: 0))
            }
        },
        ConformanceCase("a cancel ends only the subscriber, and the shared job continues without any") { harness in
            let jobs = try await harness.submitSharing(users: 1...2)
            let lease = try await harness.claimOne(try await harness.worker()).lease
            try await harness.store.report([ProgressReport(lease: lease, progress: 40, currentStep: "explain")])
            for job in jobs {
                let before = try await harness.job(job.id)
                let cancelled = try #require(try await harness.store.cancel(job.id, of: job.user))
                #expect(cancelled.status == .cancelled && cancelled.progress == 40 && cancelled.attempt == 1)
                #expect(cancelled.revision > before.revision)
                #expect(try await harness.balance(job.user.rawValue).held == 0)
            }
            #expect(try await harness.store.cancel(jobs[0].id, of: jobs[1].user) == nil)
            try await harness.store.complete(lease, with: 1, effects: [])
            #expect(try await harness.job(jobs[0].id).status == .cancelled)
            #expect(try await harness.balance(1) == CreditBalance(granted: 10, held: 0, used: 0))
        },
        ConformanceCase("a subscriber's own deadline ends only that job, and the shared job's deadline ends all") {
            harness in
            let early = try await harness.submitSharing(1) { $0.deadline = harness.clock.now + .seconds(10) }
            let late = try await harness.submitSharing(2)
            harness.clock.advance(by: .seconds(20))
            #expect(try await harness.store.expire(limit: 9) == [early.id])
            #expect(try await harness.job(early.id).error == .deadlinePassed)
            #expect(try await harness.job(late.id).status == .pending)
            harness.clock.advance(by: .seconds(600))
            let later = try await harness.submitSharing(3) { $0.deadline = harness.clock.now + .seconds(600) }
            #expect(try await harness.store.expire(limit: 9).contains(late.id))
            for job in [late, later] {
                #expect(try await harness.job(job.id).error == .deadlinePassed)
                #expect(try await harness.balance(job.user.rawValue).held == 0)
            }
        },
        ConformanceCase("a cancelled or poisoned shared job ends its subscribers") { harness in
            let job = try await harness.submitSharing()
            let worker = try await harness.worker()
            let sharedJob = try await harness.claimOne(worker).lease.job
            _ = try await harness.store.cancel(sharedJob, of: nil)
            #expect(try await harness.job(job.id).status == .cancelled)
            let next = try await harness.submitSharing()
            for death in 1...3 {
                let worker = try await harness.worker("mortal-\(death)")
                _ = try await harness.claimOne(worker)
                #expect(try await harness.job(next.id).status == .processing)
                _ = try await harness.store.rescue(WorkerHeartbeat(worker: worker, count: 1))
            }
            #expect(try await harness.job(next.id).error == .poison)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 0))
        },
        ConformanceCase("a job subscribes to an earlier unfinished shared job, and not to a finished one") { harness in
            let queued = harness.job(UserID.system.rawValue) { $0.uniqueKey = "story-7" }
            _ = try await harness.store.submit(queued)
            let job = try await harness.submitSharing()
            let worker = try await harness.worker()
            let claimed = try await harness.claim(worker, 9)
            #expect(claimed.map(\.lease.job) == [queued.id])
            try await harness.store.complete(claimed[0].lease, with: 1, effects: [])
            #expect(try await harness.job(job.id).status == .completed)
            try await harness.submitSharing(2)
            #expect(try await harness.claim(worker, 9).count == 1)
        },
        ConformanceCase("a submit without credits creates no shared job, and a repeated submit returns the first job") {
            harness in
            let poor = try await harness.store.submit(harness.sharing(1) { $0.cost = 11 })
            #expect(poor.missing?.required == 11)
            let worker = try await harness.worker()
            #expect(try await harness.claim(worker, 9).isEmpty)
            let promise = Idempotency(key: "k", fingerprint: "f")
            let first = try await harness.submitSharing(1) { $0.idempotency = promise }
            let again = try await harness.store.submit(harness.sharing(1) { $0.idempotency = promise })
            #expect(again.existing?.id == first.id)
            let other = Idempotency(key: "k", fingerprint: "g")
            #expect(try await harness.store.submit(harness.sharing(1) { $0.idempotency = other }).isConflict)
            let same = try await harness.store.submit(harness.sharing(1) { $0.id = first.id })
            #expect(same.existing?.id == first.id)
            #expect(try await harness.store.submit(harness.sharing(2) { $0.id = first.id }).isConflict)
            let joining = try await harness.submitSharing(1) { $0.uniqueKey = "mine" }
            let joined = try await harness.store.submit(harness.sharing(1) { $0.uniqueKey = "mine" })
            #expect(joined.existing?.id == joining.id)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 2, used: 0))
            try await harness.store.complete(try await harness.claimOne(worker).lease, with: 1, effects: [])
            #expect(try await harness.submitSharing(1) { $0.uniqueKey = "mine" }.status == .pending)
        },
        ConformanceCase("retried subscribers share one restarted job, with its journal") { harness in
            let jobs = try await harness.submitSharing(users: 1...3)
            let worker = try await harness.worker()
            let first = try await harness.claimOne(worker).lease
            _ = try await harness.store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: first)
            try await harness.store.fail(first, with: StoreHarness.giveUp)
            for job in jobs {
                let before = try await harness.job(job.id)
                let retried = try #require(try await harness.store.retry(job.id, of: job.user)?.accepted)
                #expect(retried.status == .pending && retried.blockedBy == .shared && retried.error == nil)
                #expect(retried.revision > before.revision)
                #expect(try await harness.balance(job.user.rawValue).held == 1)
            }
            let claimed = try await harness.claim(worker, 9)
            #expect(claimed.map(\.lease.job) == [first.job])
            #expect(try await harness.store.steps(of: claimed[0].lease).map(\.name) == ["a"])
            try await harness.store.complete(claimed[0].lease, with: 2, effects: [])
            for job in jobs { #expect(try await harness.store.jobWithResult(job.id, of: nil)?.result == 2) }
        },
        ConformanceCase(
            "a retried subscriber subscribes to a new shared job, and runs by itself where there can be none"
        ) {
            harness in
            let first = try await harness.submitSharing()
            let worker = try await harness.worker()
            _ = try await harness.store.cancel(first.id, of: nil)
            #expect(try await harness.store.retry(first.id, of: nil)?.accepted?.blockedBy == .shared)
            _ = try await harness.store.cancel(first.id, of: nil)
            try await harness.store.complete(try await harness.claimOne(worker).lease, with: 1, effects: [])
            let alone = try #require(try await harness.store.retry(first.id, of: nil)?.accepted)
            #expect(alone.blockedBy == nil)
            let own = try await harness.claimOne(worker)
            #expect(own.lease.job == first.id && own.input["ticker"] == "AAPL")
            try await harness.store.fail(own.lease, with: StoreHarness.giveUp)
            let second = try await harness.submitSharing(2)
            #expect(try await harness.store.retry(first.id, of: nil)?.accepted?.blockedBy == .shared)
            try await harness.store.complete(try await harness.claimOne(worker).lease, with: 2, effects: [])
            for job in [first, second] { #expect(try await harness.job(job.id).status == .completed) }
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        },
        ConformanceCase("a deleted shared job does no harm") { harness in
            let promise = Idempotency(key: "k", fingerprint: "f")
            let job = try await harness.submitSharing { $0.idempotency = promise }
            let worker = try await harness.worker()
            try await harness.store.fail(try await harness.claimOne(worker).lease, with: StoreHarness.giveUp)
            harness.clock.advance(by: .seconds(100))
            #expect(try await harness.store.deleteFinished(before: harness.clock.now, limit: 9) == 1)
            #expect(try await harness.store.retry(job.id, of: nil)?.accepted != nil)
            #expect(try await harness.claimOne(worker).lease.job == job.id)
        },
        ConformanceCase("a job with a stored result is completed and paid for at once") { harness in
            let job = try await harness.submit(cost: 2) { $0.source = .stored(["text": "calm"]) }
            #expect(job.status == .completed && job.progress == 100 && job.completedAt == harness.clock.now)
            #expect(try await harness.store.jobWithResult(job.id, of: job.user)?.result == ["text": "calm"])
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 2))
            let poor = harness.job(cost: 9) { $0.source = .stored(1) }
            #expect(try await harness.store.submit(poor).missing?.balance.remaining == 8)
            #expect(try await harness.claim(try await harness.worker(), 9).isEmpty)
        },
        ConformanceCase("a job with a start time or a concurrency key runs by itself") { harness in
            let timed = try await harness.submitSharing { $0.runAt = harness.clock.now + .seconds(5) }
            let lined = try await harness.submitSharing { $0.concurrencyKey = "s" }
            #expect(timed.blockedBy == .notBefore(harness.clock.now + .seconds(5)) && lined.blockedBy == nil)
            #expect(try await harness.claim(try await harness.worker(), 9).map(\.lease.job) == [lined.id])
        },
        ConformanceCase("subscribers take no permit of their kind, the shared job does") { harness in
            let limits = ConcurrencyLimits(fleet: 1, perUser: nil)
            try await harness.submit(9) { $0.limits = limits }
            let job = try await harness.submitSharing { $0.limits = limits }
            #expect(job.blockedBy == .shared)
            let worker = try await harness.worker()
            let first = try await harness.claim(worker, 9)
            #expect(first.count == 1)
            try await harness.store.complete(first[0].lease, with: 1, effects: [])
            let sharedJob = try await harness.claimOne(worker)
            #expect(sharedJob.user == .system)
            try await harness.store.complete(sharedJob.lease, with: 1, effects: [])
            #expect(try await harness.job(job.id).status == .completed)
        },
        ConformanceCase("no subscriber is lost while shared jobs end and others subscribe") { harness in
            let worker = try await harness.worker()
            let ends = Task {
                var ended = 0
                while !Task.isCancelled {
                    for job in try await harness.claim(worker, 9) {
                        ended += 1
                        if ended % 3 == 0 {
                            try await harness.store.fail(job.lease, with: StoreHarness.giveUp)
                        } else {
                            try await harness.store.complete(job.lease, with: 1, effects: [])
                        }
                    }
                    await Task.yield()
                }
            }
            let jobs = try await withThrowingTaskGroup(of: [Job].self) { group in
                for user in 1...8 {
                    group.addTask {
                        var jobs: [Job] = []
                        for round in 0..<8 {
                            jobs.append(try await harness.submitSharing(Int64(user)))
                            if round % 4 == 3 { _ = try await harness.store.cancel(jobs[round].id, of: nil) }
                        }
                        return jobs
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            ends.cancel()
            try await ends.value
            for job in try await harness.claim(worker, 9) {
                try await harness.store.complete(job.lease, with: 1, effects: [])
            }
            for job in jobs { #expect(try await harness.job(job.id).status.isFinished) }
            for user in 1...8 { #expect(try await harness.balance(Int64(user)).held == 0) }
        },
    ]
}

extension StoreHarness {
    /// A job with the shared work of story 7.
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

    /// Runs all submits concurrently.
    func submitSharing(users: some Sequence<Int64> & Sendable) async throws -> [Job] {
        try await withThrowingTaskGroup(of: Job.self) { group in
            for user in users { group.addTask { try await self.submitSharing(user) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
