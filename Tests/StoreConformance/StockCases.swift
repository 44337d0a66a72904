import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// What users watch, what brokers count, and how jobs are tallied.
    package static let stocks: [ConformanceCase] = [
        ConformanceCase("a watchlist holds each stock once, the latest first") { harness in
            let empty = try await harness.store.watchlist(of: 1)
            #expect(empty == [])
            let first = WatchlistItem(ticker: "AAPL", name: "Apple", addedAt: harness.clock.now)
            #expect(try await harness.store.watch("AAPL", name: "Apple", by: 1, limit: 9) == .added(first))
            harness.clock.advance(by: .seconds(1))
            let second = WatchlistItem(ticker: "BRK-B", name: nil, addedAt: harness.clock.now)
            #expect(try await harness.store.watch("BRK-B", name: nil, by: 1, limit: 9) == .added(second))
            #expect(try await harness.store.watch("AAPL", name: "Other", by: 1, limit: 9) == .existing(first))
            #expect(try await harness.store.watchlist(of: 1) == [second, first])
            #expect(try await harness.store.watchlist(of: 2) == [])
        },
        ConformanceCase("stocks of one moment stand in the order of their tickers") { harness in
            for ticker in ["C", "A", "B"] { _ = try await harness.store.watch(ticker, name: nil, by: 1, limit: 9) }
            #expect(try await harness.store.watchlist(of: 1).map(\.ticker) == ["A", "B", "C"])
        },
        ConformanceCase("a stock is taken off a list once, and off nobody else's") { harness in
            for user in [1, 2] as [UserID] { _ = try await harness.store.watch("AAPL", name: nil, by: user, limit: 9) }
            for isThere in [true, false] {
                #expect(try await harness.store.unwatch("AAPL", by: 1) == isThere)
            }
            #expect(try await harness.store.watchlist(of: 1) == [])
            #expect(try await harness.store.watchlist(of: 2).map(\.ticker) == ["AAPL"])
        },
        ConformanceCase("a full list takes nothing more, whoever adds at the same time") { harness in
            let other = try await harness.fixture.open()
            let additions = try await withThrowingTaskGroup(of: WatchlistAddition.self) { group in
                for place in 0..<20 {
                    let store = place.isMultiple(of: 2) ? harness.store : other
                    group.addTask { try await store.watch("T\(place)", name: nil, by: 1, limit: 5) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(additions.count { $0 == .full } == 15)
            let list = try await harness.store.watchlist(of: 1)
            #expect(list.count == 5)
            // What is there is there, also on a full list.
            let known = try #require(list.first)
            let again = try await harness.store.watch(known.ticker, name: nil, by: 1, limit: 5)
            #expect(again == .existing(known))
        },
        ConformanceCase("a NUL in what is watched is refused") { harness in
            await #expect(throws: StoreError.invalidText(field: "watchlist.name")) {
                _ = try await harness.store.watch("A", name: "\0", by: 1, limit: 5)
            }
        },
        ConformanceCase("brokers hear what the others counted, and the same counts twice are the same as once") {
            harness in
            let mine = RateCount(user: 1, bucket: "general", count: 7)
            for _ in 0..<2 { #expect(try await harness.store.exchange([mine], of: "a", minute: 100) == []) }
            let theirs = RateCount(user: 1, bucket: "general", count: 2)
            #expect(try await harness.store.exchange([theirs], of: "b", minute: 100) == [mine])
            #expect(try await harness.store.exchange([mine], of: "a", minute: 100) == [theirs])
            let third = RateCount(user: 1, bucket: "general", count: 1)
            let others = try await harness.store.exchange([third], of: "c", minute: 100)
            #expect(others.map(\.count) == [9])
        },
        ConformanceCase("counts of other users, allowances and minutes are kept apart") { harness in
            _ = try await harness.store.exchange(
                [RateCount(user: 1, bucket: "general", count: 7), RateCount(user: 2, bucket: "general", count: 5)],
                of: "a", minute: 100)
            let asked = [
                RateCount(user: 1, bucket: "job_reads", count: 1), RateCount(user: 2, bucket: "general", count: 1),
            ]
            #expect(
                try await harness.store.exchange(asked, of: "b", minute: 100)
                    == [RateCount(user: 2, bucket: "general", count: 5)])
            #expect(try await harness.store.exchange(asked, of: "b", minute: 101) == [])
            // A clock that is a minute behind still finds its counts; what is older is gone.
            #expect(try await harness.store.exchange(asked, of: "c", minute: 100).map(\.count) == [1, 6])
            #expect(try await harness.store.exchange([], of: "b", minute: 102) == [])
            #expect(try await harness.store.exchange(asked, of: "d", minute: 100) == [])
        },
        ConformanceCase("a count that was put down does not shrink") { harness in
            for count in [5, 3] {
                _ = try await harness.store.exchange(
                    [RateCount(user: 1, bucket: "general", count: count)], of: "a", minute: 1)
            }
            let others = try await harness.store.exchange(
                [RateCount(user: 1, bucket: "general", count: 1)], of: "b", minute: 1)
            #expect(others.map(\.count) == [5])
        },
        ConformanceCase("jobs are tallied by kind, status and place") { harness in
            let worker = try await harness.worker()
            try await harness.submit(1)
            try await harness.store.complete(try await harness.claimOne(worker).lease, with: 1, effects: [])
            let start = harness.clock.now
            harness.clock.advance(by: .seconds(7200))
            try await harness.submit(1) { $0.kind = "running" }
            _ = try await harness.claimOne(worker)
            try await harness.submit(1) { $0.kind = "ready" }
            try await harness.submit(1) { job in
                job.kind = "later"
                job.runAt = harness.clock.now + .seconds(60)
            }
            for _ in 0..<2 {
                try await harness.submit(1) { job in
                    job.kind = "line"
                    job.concurrencyKey = "s"
                }
            }
            func tally(since timestamp: Timestamp) async throws -> Set<JobCount> {
                Set(try await harness.store.jobCounts(submittedSince: timestamp))
            }
            func count(
                _ category: JobCount.Category, _ kind: String, _ status: JobStatus = .pending, _ count: Int = 1
            ) -> JobCount { JobCount(category: category, kind: kind, status: status, count: count) }
            let unfinished: Set<JobCount> = [
                count(.running, "running", .processing), count(.ready, "ready"), count(.scheduled, "later"),
                count(.ready, "line"), count(.blocked, "line"),
            ]
            let recent: Set<JobCount> = [
                count(.recent, "running", .processing), count(.recent, "ready"), count(.recent, "later"),
                count(.recent, "line", .pending, 2),
            ]
            #expect(try await tally(since: harness.clock.now) == unfinished.union(recent))
            #expect(
                try await tally(since: start)
                    == unfinished.union(recent).union([count(.recent, "research", .completed)]))
        },
    ]
}
