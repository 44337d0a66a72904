import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// What clients read, and how they hear of changes.
    package static let reading: [ConformanceCase] = [
        ConformanceCase("another user's job is not there") { bench in
            let job = try await bench.submit(1)
            let other = UserID(rawValue: 2)
            #expect(try await bench.store.job(job.id, of: other) == nil)
            #expect(try await bench.store.jobWithResult(job.id, of: other) == nil)
            #expect(try await bench.store.job(job.id, of: nil)?.id == job.id)
            #expect(try await bench.store.job(bench.makeID(), of: nil) == nil)
        },
        ConformanceCase("only a completed job has a result") { bench in
            let job = try await bench.submit()
            #expect(try await bench.store.jobWithResult(job.id, of: nil)?.result == nil)
            let lease = try await bench.claimOne(try await bench.worker()).lease
            try await bench.store.complete(lease, with: nil, effects: [])
            let done = try #require(try await bench.store.jobWithResult(job.id, of: nil))
            #expect(done.result == .some(.null) && done.job.status == .completed)
        },
        ConformanceCase("revisions are those of the jobs that exist") { bench in
            let job = try await bench.submit()
            let other = try await bench.submit(2)
            let ids = [job.id, other.id, bench.makeID(), job.id]
            #expect(try await bench.store.revisions(of: ids) == [job.id: job.revision, other.id: other.revision])
            #expect(try await bench.store.revisions(of: []).isEmpty)
        },
        ConformanceCase("a list shows a user's own jobs, newest first, page by page") { bench in
            var ids: [JobID] = []
            for _ in 0..<5 { ids.append(try await bench.submit().id) }
            try await bench.submit(2)
            var query = JobListQuery(user: UserID(rawValue: 1), perPage: 2)
            let first = try await bench.store.jobs(query)
            #expect(first.jobs.map(\.id) == [ids[4], ids[3]] && first.total == 5 && first.hasMore)
            query.position = .page(3)
            let last = try await bench.store.jobs(query)
            #expect(last.jobs.map(\.id) == [ids[0]] && last.total == 5 && !last.hasMore)
            query.position = .page(.max)
            #expect(try await bench.store.jobs(query).jobs.isEmpty)
            query.position = .after(ids[3])
            try await bench.submit()
            let next = try await bench.store.jobs(query)
            #expect(next.jobs.map(\.id) == [ids[2], ids[1]] && next.hasMore)
        },
        ConformanceCase("a list can be narrowed to a status and a kind") { bench in
            let chat = try await bench.submit { $0.kind = "chat" }
            let cancelled = try await bench.submit()
            _ = try await bench.store.cancel(cancelled.id, of: nil)
            try await bench.submit()
            let user = UserID(rawValue: 1)
            let chats = try await bench.store.jobs(JobListQuery(user: user, kind: "chat"))
            #expect(chats.jobs.map(\.id) == [chat.id] && chats.total == 1)
            let ended = try await bench.store.jobs(JobListQuery(user: user, status: .cancelled))
            #expect(ended.jobs.map(\.id) == [cancelled.id] && ended.total == 1 && !ended.hasMore)
            #expect(try await bench.store.jobs(JobListQuery(user: user, status: .cancelled, kind: "chat")).total == 0)
        },
        ConformanceCase("the store's clock is the one that stamps jobs") { bench in
            let job = try await bench.submit()
            #expect(try await bench.store.now() == job.createdAt)
        },
        ConformanceCase("a watcher is signalled at once and then at every kind of change") { bench in
            for topic in ChangeTopic.allCases {
                var signals = bench.store.changes(topic).makeAsyncIterator()
                #expect(await signals.next() != nil)
                let job = try await bench.submit()
                #expect(await signals.next() != nil)
                _ = try await bench.store.cancel(job.id, of: nil)
            }
        },
        ConformanceCase("progress is heard of by those who watch what is visible") { bench in
            try await bench.submit()
            let lease = try await bench.claimOne(try await bench.worker()).lease
            var signals = bench.store.changes(.visible).makeAsyncIterator()
            _ = await signals.next()
            try await bench.store.report([ProgressReport(lease: lease, progress: 5, currentStep: "a")])
            #expect(await signals.next() != nil)
        },
        ConformanceCase("a serial key passed on, a hand back and a rescue make jobs ready") { bench in
            let worker = try await bench.worker()
            for _ in 0..<2 { try await bench.submit { $0.concurrencyKey = "talk" } }
            let first = try await bench.claimOne(worker).lease
            var signals = bench.store.changes(.ready).makeAsyncIterator()
            _ = await signals.next()
            try await bench.store.complete(first, with: 1, effects: [])
            #expect(await signals.next() != nil)
            let second = try await bench.claimOne(worker).lease
            try await bench.store.snooze([second], after: .zero)
            #expect(await signals.next() != nil)
            _ = try await bench.claimOne(worker)
            _ = try await bench.store.rescue(try #require(try await bench.store.heartbeats().first))
            #expect(await signals.next() != nil)
        },
        ConformanceCase("another process hears of changes") { bench in
            let other = try await bench.fixture.open()
            for topic in ChangeTopic.allCases {
                var signals = other.changes(topic).makeAsyncIterator()
                _ = await signals.next()
                try await bench.submit()
                #expect(await signals.next() != nil)
            }
        },
        ConformanceCase("many watchers hear of one change") { bench in
            let watchers = (0..<50).map { _ in bench.store.changes(.ready) }
            try await bench.submit()
            for watcher in watchers {
                var signals = watcher.makeAsyncIterator()
                #expect(await signals.next() != nil)
            }
        },
    ]
}
