import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Reads by clients, and signals of changes.
    package static let reading: [ConformanceCase] = [
        ConformanceCase("another user's job is not found") { harness in
            let job = try await harness.submit(1)
            let other = UserID(rawValue: 2)
            #expect(try await harness.store.job(job.id, of: other) == nil)
            #expect(try await harness.store.jobWithResult(job.id, of: other) == nil)
            #expect(try await harness.store.job(job.id, of: nil)?.id == job.id)
            #expect(try await harness.store.job(harness.makeID(), of: nil) == nil)
        },
        ConformanceCase("only a completed job has a result") { harness in
            let job = try await harness.submit()
            #expect(try await harness.store.jobWithResult(job.id, of: nil)?.result == nil)
            let lease = try await harness.claimOne(try await harness.worker()).lease
            try await harness.store.complete(lease, with: nil, effects: [])
            let done = try #require(try await harness.store.jobWithResult(job.id, of: nil))
            #expect(done.result == .some(.null) && done.job.status == .completed)
        },
        ConformanceCase("revisions are returned for existing jobs") { harness in
            let job = try await harness.submit()
            let other = try await harness.submit(2)
            let ids = [job.id, other.id, harness.makeID(), job.id]
            #expect(try await harness.store.revisions(of: ids) == [job.id: job.revision, other.id: other.revision])
            #expect(try await harness.store.revisions(of: []).isEmpty)
        },
        ConformanceCase("the inputs of a kind's running and claimable jobs are read, of all users") { harness in
            func tickers(_ limit: Int = 10) async throws -> [String] {
                try await harness.store.unfinishedInputs(ofKind: "research", limit: limit)
                    .compactMap { $0["ticker"]?.string }.sorted()
            }
            #expect(try await tickers().isEmpty)
            for (user, ticker) in [(1, "AAPL"), (1, "MSFT"), (2, "AAPL")] {
                try await harness.submit(Int64(user)) { $0.input = ["ticker": JSON(ticker)] }
            }
            let chat = try await harness.submit {
                $0.kind = "chat"
                $0.queue = .interactive
                $0.input = ["ticker": "TSLA"]
            }
            try await harness.submit { job in
                job.input = ["ticker": JSON("KO"), "text": JSON(String(repeating: "Long. ", count: 500))]
            }
            #expect(try await tickers() == ["AAPL", "AAPL", "KO", "MSFT"])
            #expect(try await tickers(1).count == 1)
            let worker = try await harness.worker()
            let claimed = try await harness.claim(worker, 4) + harness.claim(worker, queue: .interactive)
            let leases = claimed.map(\.lease)
            #expect(leases.count == 5)
            #expect(try await tickers() == ["AAPL", "AAPL", "KO", "MSFT"], "running ones")
            for lease in leases where lease.job != chat.id {
                try await harness.store.complete(lease, with: [:], effects: [])
            }
            #expect(try await tickers().isEmpty)
        },
        ConformanceCase("a list shows the user's own jobs, newest first, page by page") { harness in
            var ids: [JobID] = []
            for _ in 0..<5 { ids.append(try await harness.submit().id) }
            try await harness.submit(2)
            var query = JobListQuery(user: UserID(rawValue: 1), perPage: 2)
            let first = try await harness.store.jobs(query)
            #expect(first.jobs.map(\.id) == [ids[4], ids[3]] && first.total == 5 && first.hasMore)
            query.position = .page(3)
            let last = try await harness.store.jobs(query)
            #expect(last.jobs.map(\.id) == [ids[0]] && last.total == 5 && !last.hasMore)
            query.position = .page(.max)
            #expect(try await harness.store.jobs(query).jobs.isEmpty)
            query.position = .after(ids[3])
            try await harness.submit()
            let next = try await harness.store.jobs(query)
            #expect(next.jobs.map(\.id) == [ids[2], ids[1]] && next.hasMore)
        },
        ConformanceCase("a list can be filtered by status and kind") { harness in
            let chat = try await harness.submit { $0.kind = "chat" }
            let cancelled = try await harness.submit()
            _ = try await harness.store.cancel(cancelled.id, of: nil)
            try await harness.submit()
            let user = UserID(rawValue: 1)
            let chats = try await harness.store.jobs(JobListQuery(user: user, kind: "chat"))
            #expect(chats.jobs.map(\.id) == [chat.id] && chats.total == 1)
            let ended = try await harness.store.jobs(JobListQuery(user: user, statuses: [.cancelled]))
            #expect(ended.jobs.map(\.id) == [cancelled.id] && ended.total == 1 && !ended.hasMore)
            #expect(
                try await harness.store.jobs(JobListQuery(user: user, statuses: [.cancelled], kind: "chat")).total == 0)
            let both = try await harness.store.jobs(JobListQuery(user: user, statuses: [.cancelled, .pending]))
            let all = try await harness.store.jobs(JobListQuery(user: user))
            #expect(both.total == all.total && both.jobs.map(\.id) == all.jobs.map(\.id) && all.total > ended.total)
        },
        ConformanceCase("the store's clock sets the times of jobs") { harness in
            let job = try await harness.submit()
            #expect(try await harness.store.now() == job.createdAt)
        },
        ConformanceCase("a watcher gets a signal at once and then for every kind of change") { harness in
            for topic in ChangeTopic.allCases {
                var signals = harness.store.changes(topic).makeAsyncIterator()
                #expect(await signals.next() != nil)
                let job = try await harness.submit()
                #expect(await signals.next() != nil)
                _ = try await harness.store.cancel(job.id, of: nil)
            }
        },
        ConformanceCase("progress signals the watchers of visible changes") { harness in
            try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            var signals = harness.store.changes(.visible).makeAsyncIterator()
            _ = await signals.next()
            try await harness.store.report([ProgressReport(lease: lease, progress: 5, currentStep: "a")])
            #expect(await signals.next() != nil)
        },
        ConformanceCase("a released concurrency key, a snooze and a rescue make jobs ready") { harness in
            let worker = try await harness.worker()
            for _ in 0..<2 { try await harness.submit { $0.concurrencyKey = "conversation-1" } }
            let first = try await harness.claimOne(worker).lease
            var signals = harness.store.changes(.ready).makeAsyncIterator()
            _ = await signals.next()
            try await harness.store.complete(first, with: 1, effects: [])
            #expect(await signals.next() != nil)
            let second = try await harness.claimOne(worker).lease
            try await harness.store.snooze([second], after: .zero)
            #expect(await signals.next() != nil)
            _ = try await harness.claimOne(worker)
            _ = try await harness.store.rescue(try #require(try await harness.store.heartbeats().first))
            #expect(await signals.next() != nil)
        },
        ConformanceCase("another process is signalled") { harness in
            let other = try await harness.fixture.open()
            for topic in ChangeTopic.allCases {
                var signals = other.changes(topic).makeAsyncIterator()
                _ = await signals.next()
                try await harness.submit()
                #expect(await signals.next() != nil)
            }
        },
        ConformanceCase("many watchers are signalled of one change") { harness in
            let watchers = (0..<50).map { _ in harness.store.changes(.ready) }
            try await harness.submit()
            for watcher in watchers {
                var signals = watcher.makeAsyncIterator()
                #expect(await signals.next() != nil)
            }
        },
    ]
}
