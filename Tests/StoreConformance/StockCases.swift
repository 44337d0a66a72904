import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// What users watch, what brokers count, and how jobs are tallied.
    package static let stocks: [ConformanceCase] = [
        ConformanceCase("a watchlist holds each stock once, the latest first") { bench in
            let empty = try await bench.store.watchlist(of: 1)
            #expect(empty == [])
            let first = WatchlistItem(ticker: "AAPL", name: "Apple", addedAt: bench.clock.now.milliseconds)
            #expect(try await bench.store.watch("AAPL", name: "Apple", by: 1, limit: 9) == .added(first))
            bench.clock.advance(by: .seconds(1))
            let second = WatchlistItem(ticker: "BRK-B", name: nil, addedAt: bench.clock.now.milliseconds)
            #expect(try await bench.store.watch("BRK-B", name: nil, by: 1, limit: 9) == .added(second))
            #expect(try await bench.store.watch("AAPL", name: "Other", by: 1, limit: 9) == .existing(first))
            #expect(try await bench.store.watchlist(of: 1) == [second, first])
            #expect(try await bench.store.watchlist(of: 2) == [])
        },
        ConformanceCase("stocks of one moment stand in the order of their tickers") { bench in
            for ticker in ["C", "A", "B"] { _ = try await bench.store.watch(ticker, name: nil, by: 1, limit: 9) }
            #expect(try await bench.store.watchlist(of: 1).map(\.ticker) == ["A", "B", "C"])
        },
        ConformanceCase("a stock is taken off a list once, and off nobody else's") { bench in
            for user in [1, 2] as [Int64] { _ = try await bench.store.watch("AAPL", name: nil, by: user, limit: 9) }
            for isThere in [true, false] {
                #expect(try await bench.store.unwatch("AAPL", by: 1) == isThere)
            }
            #expect(try await bench.store.watchlist(of: 1) == [])
            #expect(try await bench.store.watchlist(of: 2).map(\.ticker) == ["AAPL"])
        },
        ConformanceCase("a full list takes nothing more, whoever adds at the same time") { bench in
            let other = try await bench.fixture.open()
            let additions = try await withThrowingTaskGroup(of: WatchlistAddition.self) { group in
                for place in 0..<20 {
                    let store = place.isMultiple(of: 2) ? bench.store : other
                    group.addTask { try await store.watch("T\(place)", name: nil, by: 1, limit: 5) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(additions.count { $0 == .full } == 15)
            let list = try await bench.store.watchlist(of: 1)
            #expect(list.count == 5)
            // What is there is there, also on a full list.
            let known = try #require(list.first)
            let again = try await bench.store.watch(known.ticker, name: nil, by: 1, limit: 5)
            #expect(again == .existing(known))
        },
        ConformanceCase("a NUL in what is watched is refused") { bench in
            await #expect(throws: StoreError.invalidText(field: "watchlist.name")) {
                _ = try await bench.store.watch("A", name: "\0", by: 1, limit: 5)
            }
        },
        ConformanceCase("brokers hear what the others counted, and the same counts twice are the same as once") {
            bench in
            let mine = RateCount(user: 1, bucket: "general", count: 7)
            for _ in 0..<2 { #expect(try await bench.store.exchange([mine], of: "a", minute: 100) == []) }
            let theirs = RateCount(user: 1, bucket: "general", count: 2)
            #expect(try await bench.store.exchange([theirs], of: "b", minute: 100) == [mine])
            #expect(try await bench.store.exchange([mine], of: "a", minute: 100) == [theirs])
            let third = RateCount(user: 1, bucket: "general", count: 1)
            let others = try await bench.store.exchange([third], of: "c", minute: 100)
            #expect(others.map(\.count) == [9])
        },
        ConformanceCase("counts of other users, allowances and minutes are kept apart") { bench in
            _ = try await bench.store.exchange(
                [RateCount(user: 1, bucket: "general", count: 7), RateCount(user: 2, bucket: "general", count: 5)],
                of: "a", minute: 100)
            let asked = [
                RateCount(user: 1, bucket: "job_reads", count: 1), RateCount(user: 2, bucket: "general", count: 1),
            ]
            #expect(
                try await bench.store.exchange(asked, of: "b", minute: 100)
                    == [RateCount(user: 2, bucket: "general", count: 5)])
            #expect(try await bench.store.exchange(asked, of: "b", minute: 101) == [])
            // A clock that is a minute behind still finds its counts; what is older is gone.
            #expect(try await bench.store.exchange(asked, of: "c", minute: 100).map(\.count) == [1, 6])
            #expect(try await bench.store.exchange([], of: "b", minute: 102) == [])
            #expect(try await bench.store.exchange(asked, of: "d", minute: 100) == [])
        },
        ConformanceCase("a count that was put down does not shrink") { bench in
            for count in [5, 3] {
                _ = try await bench.store.exchange(
                    [RateCount(user: 1, bucket: "general", count: count)], of: "a", minute: 1)
            }
            let others = try await bench.store.exchange(
                [RateCount(user: 1, bucket: "general", count: 1)], of: "b", minute: 1)
            #expect(others.map(\.count) == [5])
        },
        ConformanceCase("jobs are tallied by kind, status and place") { bench in
            let worker = try await bench.worker()
            try await bench.submit(1)
            try await bench.store.complete(try await bench.claimOne(worker).lease, with: 1, effects: [])
            let start = bench.clock.now
            bench.clock.advance(by: .seconds(7200))
            try await bench.submit(1) { $0.kind = "running" }
            _ = try await bench.claimOne(worker)
            try await bench.submit(1) { $0.kind = "ready" }
            try await bench.submit(1) { job in
                job.kind = "later"
                job.runAt = bench.clock.now + .seconds(60)
            }
            for _ in 0..<2 {
                try await bench.submit(1) { job in
                    job.kind = "line"
                    job.concurrencyKey = "s"
                }
            }
            func tally(since timestamp: Timestamp) async throws -> Set<JobCount> {
                Set(try await bench.store.jobCounts(submittedSince: timestamp))
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
            #expect(try await tally(since: bench.clock.now) == unfinished.union(recent))
            #expect(
                try await tally(since: start)
                    == unfinished.union(recent).union([count(.recent, "research", .completed)]))
        },
    ]
}
