import DossierAPI
import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// What operators read of the jobs of all users.
    package static let operators: [ConformanceCase] = [
        ConformanceCase("an operator finds jobs by each member, newest first, and by pages") { harness in
            let store = harness.store
            let account = try await store.account(for: "alice")
            let failed = try await harness.running(by: account.id.rawValue)
            try await store.fail(failed, with: StoreHarness.giveUp)
            let later = harness.clock.now + .seconds(60)
            let scheduled = try await harness.submit(2) { $0.runAt = later }
            harness.clock.advance(by: .seconds(1))
            let cancelled = try await harness.submit(3) { $0.queue = .interactive }
            _ = try await store.cancel(cancelled.id, of: nil)
            let running = try await harness.running(by: 4)
            let ready = try await harness.submit(account.id.rawValue)
            let all = [ready.id, running.job, cancelled.id, scheduled.id, failed.job]
            #expect(try await harness.found { _ in } == all)
            #expect(try await harness.found { $0.statuses = [.failed] } == [failed.job])
            #expect(try await harness.found { $0.statuses = [.cancelled] } == [cancelled.id])
            #expect(try await harness.found { $0.statuses = [.processing] } == [running.job])
            #expect(try await harness.found { $0.statuses = [.pending] } == [ready.id, scheduled.id])
            #expect(
                try await harness.found { $0.statuses = [.failed, .cancelled] } == [cancelled.id, failed.job])
            #expect(
                try await harness.found { $0.statuses = [.processing, .pending] }
                    == [ready.id, running.job, scheduled.id])
            #expect(try await harness.found { $0.user = account.id } == [ready.id, failed.job])
            #expect(
                try await harness.found {
                    $0.user = account.id
                    $0.statuses = [.pending]
                } == [ready.id])
            #expect(try await harness.found { $0.queue = .interactive } == [cancelled.id])
            #expect(try await harness.found { $0.code = "EXT_4004" } == [failed.job])
            #expect(try await harness.found { $0.code = "JOB_0000" } == [])
            #expect(try await harness.found { $0.kind = "research" } == all)
            #expect(try await harness.found { $0.kind = "other" } == [])
            #expect(try await harness.found { $0.worker = WorkerID(rawValue: "w1") } == [running.job])
            #expect(try await harness.found { $0.worker = WorkerID(rawValue: "w2") } == [])
            #expect(try await harness.found { $0.bundle = ready.bundle } == all)
            #expect(try await harness.found { $0.createdTo = cancelled.createdAt } == [scheduled.id, failed.job])
            #expect(
                try await harness.found { $0.createdFrom = cancelled.createdAt }
                    == [ready.id, running.job, cancelled.id])
            var (pages, place): ([[JobID]], Int64?) = ([], .max)
            while let below = place {
                let page = try await store.jobRecords(JobFilter(), below: below, limit: 2, at: harness.clock.now)
                pages.append(page.jobs.map(\.job.id))
                place = page.next
            }
            #expect(pages.map(\.count) == [2, 2, 1] && pages.flatMap(\.self) == all)
        },
        ConformanceCase("an operator finds jobs by the beginnings of words of their subjects") { harness in
            let subjects = [
                "AAPL as Warren Buffett", "“Ölpreis” steigt: was nun?", "https://example.com/news/oil-price", nil,
                "NVDA as Peter Lynch", "Don't panic",
            ]
            for subject in subjects { try await harness.submit { $0.subject = subject } }
            let expected: [([String], [Int])] = [
                (["buf"], [0]), (["AS", "w"], [0]), (["as"], [4, 0]), (["uffett"], []), (["ölp"], [1]),
                (["ÖLPREIS"], [1]),
                (["lpreis"], []), (["example", "oil"], [2]), (["price"], [2]), (["lynch", "aapl"], []),
                (["panic"], [5]),
            ]
            for (words, places) in expected {
                var filter = JobFilter()
                filter.subjectWords = words
                let page = try await harness.store.jobRecords(filter, below: .max, limit: 10, at: harness.clock.now)
                #expect(page.jobs.map(\.job.subject) == places.map { subjects[$0] }, "\(words)")
                #expect(page.next == nil && page.searchedTo == nil)
            }
        },
        ConformanceCase("an operator sees who a job is for, where it runs and what it cost") { harness in
            let store = harness.store
            let account = try await store.account(for: "alice")
            let lease = try await harness.running(by: account.id.rawValue)
            let none = try await store.jobRecord(lease.job, at: harness.clock.now)
            #expect(none?.call == nil && none?.costMicroDollars == 0)
            let id = "\(lease.job)/\(lease.epoch)/draft/0"
            _ = try await store.begin(
                harness.call(id, state: .running, certainty: .estimated), under: lease, limits: SpendLimits())
            let begun = harness.clock.now
            harness.clock.advance(by: .seconds(3))
            let silent = try #require(try await store.jobRecord(lease.job, at: harness.clock.now))
            #expect(silent.subject == "alice" && silent.worker == WorkerID(rawValue: "w1"))
            #expect(silent.epoch == lease.epoch && silent.costMicroDollars == 500)
            #expect(silent.call == JobRecord.RunningCall(provider: "claude", model: "sonnet", heardAt: begun))
            #expect(silent.job.id == lease.job && silent.job.status == .processing)
            try await store.correct([harness.call(id, state: .running, certainty: .counted)])
            let heard = try await store.jobRecord(lease.job, at: harness.clock.now)
            #expect(heard?.call?.heardAt == harness.clock.now)
            try await store.settle([harness.call(id, state: .ok, certainty: .told)], of: lease)
            let settled = try await store.jobRecord(lease.job, at: harness.clock.now)
            #expect(settled?.call == nil && settled?.costMicroDollars == 500)
            let calls = try await store.modelCalls(of: lease.job, limit: 10)
            #expect(calls.map(\.step) == ["draft"] && calls[0].state == .ok && !calls[0].isEstimated)
            #expect(calls[0].startedAt == begun && calls[0].endedAt == harness.clock.now)
            #expect(try await store.modelCalls(of: lease.job, limit: 0) == [])
            #expect(try await store.jobRecord(harness.makeID(), at: harness.clock.now) == nil)
            try await store.complete(lease, with: ["x": 1], effects: [])
            let done = try #require(try await store.jobRecord(lease.job, at: harness.clock.now))
            #expect(done.worker == nil && done.job.status == .completed)
            let service = try await harness.submit(UserID.system.rawValue)
            #expect(try await store.jobRecord(service.id, at: harness.clock.now)?.subject == "system")
        },
        ConformanceCase("the ready jobs before one are counted up to a number") { harness in
            let store = harness.store
            var places: [Int64] = []
            for _ in 0..<4 {
                let job = try await harness.submit()
                places.append(try #require(try await store.jobRecord(job.id, at: harness.clock.now)).place)
            }
            var ahead: [Int] = []
            for place in places { ahead.append(try await store.jobsAhead(of: place, limit: 100)) }
            #expect(ahead == [0, 1, 2, 3])
            #expect(try await store.jobsAhead(of: places[3], limit: 2) == 2)
        },
        ConformanceCase("the job that does another one's work, and the permits of a user, are told") { harness in
            let store = harness.store
            let shared = try await harness.submitSharing(users: 7...8)
            let work = try #require(try await store.sharedJob(of: shared[0].id))
            #expect(try await store.sharedJob(of: shared[1].id) == work && !shared.map(\.id).contains(work))
            #expect(try await store.sharedJob(of: work) == nil)
            for _ in 0..<3 {
                try await harness.submit(1) {
                    $0.kind = "limited"
                    $0.limits = ConcurrencyLimits(perUser: 2)
                }
            }
            #expect(try await store.permits(of: "limited", for: UserID(rawValue: 1)) == 2)
            #expect(try await store.permits(of: "limited", for: UserID(rawValue: 2)) == 0)
        },
        ConformanceCase("the numbers of the fleet are those of its jobs") { harness in
            let store = harness.store
            let empty = try await store.fleetState(at: harness.clock.now)
            #expect(empty.queues.values.allSatisfy { $0 == FleetCounts.QueueCounts() } && empty.heldCredits == 0)
            #expect(try await store.endedJobs(since: harness.clock.now, at: harness.clock.now) == [])
            let old = try await harness.running()
            try await store.fail(old, with: StoreHarness.giveUp)
            harness.clock.advance(by: .seconds(2 * 3600))
            let lease = try await harness.running(cost: 2)
            try await store.complete(lease, with: ["x": 1], effects: [])
            let cancelled = try await harness.submit()
            _ = try await store.cancel(cancelled.id, of: nil)
            let held = try await harness.submit(1, cost: 3)
            let later = harness.clock.now + .seconds(60)
            try await harness.submit { $0.runAt = later }
            try await harness.submit { $0.queue = .interactive }
            var counts = try await store.fleetState(at: harness.clock.now)
            #expect(counts.queues[.background] == FleetCounts.QueueCounts(oldestReadyAt: held.createdAt))
            counts.add(try await store.pendingJobs(at: harness.clock.now))
            #expect(
                counts.queues[.background]
                    == FleetCounts.QueueCounts(ready: 1, scheduled: 1, oldestReadyAt: held.createdAt))
            #expect(counts.queues[.interactive]?.ready == 1)
            #expect(counts.heldCredits == 3)
            #expect(try await store.pickups(since: harness.clock.now - .seconds(3600)) == [.zero])
            harness.clock.advance(by: .seconds(60))
            var due = try await store.fleetState(at: harness.clock.now)
            due.add(try await store.pendingJobs(at: harness.clock.now))
            #expect(due.queues[.background]?.ready == 2 && due.queues[.background]?.scheduled == 0)
        },
        ConformanceCase("the ended jobs are told by interval, archived ones too") { harness in
            let store = harness.store
            let start = harness.clock.now
            let old = try await harness.running()
            try await store.fail(old, with: StoreHarness.giveUp)
            harness.clock.advance(by: .seconds(2 * 3600))
            let lease = try await harness.running(cost: 2)
            try await store.complete(lease, with: ["x": 1], effects: [])
            let cancelled = try await harness.submit()
            _ = try await store.cancel(cancelled.id, of: nil)
            let (first, last) = (
                start.milliseconds / EndedJobs.interval, harness.clock.now.milliseconds / EndedJobs.interval
            )
            let latest = [
                EndedJobs(interval: last, status: .cancelled, code: "", count: 1),
                EndedJobs(interval: last, status: .completed, code: "", count: 1),
            ]
            let all = latest + [EndedJobs(interval: first, status: .failed, code: "EXT_4004", count: 1)]
            func ended(since time: Timestamp) async throws -> Set<EndedJobs> {
                Set(try await store.endedJobs(since: time, at: harness.clock.now))
            }
            #expect(try await ended(since: start) == Set(all))
            #expect(try await ended(since: harness.clock.now) == Set(latest))
            harness.clock.advance(by: .seconds(1200))
            _ = try await store.archiveFinished(before: harness.clock.now - Retention.archivePause, limit: 500)
            #expect(try await ended(since: start) == Set(all))
            #expect(try await ended(since: start + .seconds(7200)) == Set(latest))
        },
        ConformanceCase("the last success and the last error of a provider are told") { harness in
            let store = harness.store
            let lease = try await harness.running()
            let start = harness.clock.now
            #expect(try await store.providerSigns(since: start) == [])
            for (number, state) in [ModelCall.State.ok, .failed, .stalled].enumerated() {
                var call = harness.call("\(lease.job)/1/a/\(number)", state: state, certainty: .told)
                if state == .failed {
                    (call.details.errorCode, call.details.errorMessage) = ("overloaded", "The provider is busy.")
                }
                try await store.settle([call], of: lease)
                harness.clock.advance(by: .seconds(1))
            }
            let signs = try #require(try await store.providerSigns(since: start).first)
            #expect(signs.provider == "claude" && signs.succeededAt == start)
            #expect(signs.error?.code == "stalled" && signs.failedAt == start + .seconds(2))
            #expect(signs.failuresInARow == 2)
            #expect(try await store.providerOfLastFailure(of: lease.job) == nil, "the job has no error of its own")
            let error = JobError(code: .claude, message: "The provider is busy.", userMessage: "Wait.")
            try await store.fail(
                lease, with: JobFailure(error: error, next: .retry(after: .seconds(5)), dropStepsFrom: nil, effects: [])
            )
            #expect(try await store.providerOfLastFailure(of: lease.job) == "claude")
            let last = try await store.modelCalls(of: lease.job, limit: 9)[1]
            #expect(last.error == CallError(code: "overloaded", message: "The provider is busy."))
            #expect(try await store.providerSigns(since: harness.clock.now) == [])
        },
        ConformanceCase("accounts are found by the beginning of their subjects") { harness in
            let store = harness.store
            for subject in ["alice", "Alice", "alina", "bob", "7", "al%"] { _ = try await store.account(for: subject) }
            let found = { (text: String?) in
                try await store.accounts(beginning: text, below: UserID(rawValue: .max), limit: 10).map(\.subject)
            }
            #expect(try await found("ali") == ["alina", "alice"])
            #expect(try await found("al%") == ["al%"])
            #expect(try await found("zz") == [])
            let all = try await found(nil)
            #expect(all == ["al%", "bob", "alina", "Alice", "alice", "7"])
            let second = try #require(try await store.knownAccount(of: "bob"))
            let rest = try await store.accounts(beginning: nil, below: second.id, limit: 2)
            #expect(rest.map(\.subject) == ["alina", "Alice"])
        },
    ]
}

extension StoreHarness {
    /// The ids of the jobs that match.
    fileprivate func found(_ change: (inout JobFilter) -> Void) async throws -> [JobID] {
        var filter = JobFilter()
        change(&filter)
        let page = try await store.jobRecords(filter, below: .max, limit: 100, at: clock.now)
        #expect(page.next == nil)
        return page.jobs.map(\.job.id)
    }

    fileprivate func call(_ id: String, state: ModelCall.State, certainty: ModelCall.Certainty) -> ModelCall {
        ModelCall(
            id: id, provider: "claude", model: "sonnet", state: state, certainty: certainty, inputTokens: 100,
            outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: 500)
    }
}
