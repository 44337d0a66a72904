import Basics
import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Preferences and holdings of users.
    package static let preferences: [ConformanceCase] = [
        ConformanceCase("a user without preferences has the defaults") { harness in
            let usual = try await harness.store.preferences(of: 7)
            #expect(usual == Preferences())
            #expect(try await harness.store.holders(in: [""], after: 0, limit: 10) == [])
            #expect(try await harness.store.heldTickers(limit: 10) == [])
        },
        ConformanceCase("preferences are kept with their holdings in the user's order") { harness in
            let holdings = [
                Holding(ticker: "TSLA", label: "Tesla – Growth", notes: "EVs 😀"), Holding(ticker: "AAPL"),
                Holding(ticker: "BRK-B", notes: ""),
            ]
            let changed = try await harness.store.change(preferencesOf: 7, .init(focus: .broad, holdings: holdings))
            let timestamp = harness.clock.now
            #expect(changed == Preferences(focus: .broad, holdings: holdings, updatedAt: timestamp))
            #expect(try await harness.store.preferences(of: 7) == changed)
            #expect(try await harness.fixture.open().preferences(of: 7) == changed)
        },
        ConformanceCase("a change keeps the values that it does not name, and an empty list removes all holdings") {
            harness in
            try await harness.store.change(preferencesOf: 7, .init(holdings: [Holding(ticker: "AAPL")]))
            #expect(try await harness.store.preferences(of: 7).focus == .balanced)
            harness.clock.advance(by: .seconds(1))
            var changed = try await harness.store.change(preferencesOf: 7, .init(focus: .focused))
            #expect(changed.focus == .focused && changed.holdings == [Holding(ticker: "AAPL")])
            #expect(changed.updatedAt == harness.clock.now)
            changed = try await harness.store.change(preferencesOf: 7, .init(holdings: [Holding(ticker: "MSFT")]))
            #expect(changed.focus == .focused && changed.holdings == [Holding(ticker: "MSFT")])
            changed = try await harness.store.change(preferencesOf: 7, .init(holdings: []))
            #expect(changed.focus == .focused && changed.holdings == [])
            changed = try await harness.store.change(preferencesOf: 7, .init())
            #expect(changed.focus == .focused)
        },
        ConformanceCase("preferences belong to one user") { harness in
            try await harness.store.change(preferencesOf: 7, .init(focus: .broad, holdings: [Holding(ticker: "AAPL")]))
            try await harness.store.change(preferencesOf: 8, .init(holdings: [Holding(ticker: "MSFT")]))
            #expect(try await harness.store.preferences(of: 7).holdings.map(\.ticker) == ["AAPL"])
            #expect(try await harness.store.preferences(of: 8).holdings.map(\.ticker) == ["MSFT"])
            #expect(try await harness.store.preferences(of: 9) == Preferences())
        },
        ConformanceCase("held tickers are listed once, the most held first") { harness in
            for (user, tickers) in [(1, ["MSFT", "AAPL"]), (2, ["AAPL", "BTC"]), (3, ["BTC", "AAPL"]), (4, [])] {
                try await harness.store.change(
                    preferencesOf: UserID(rawValue: Int64(user)), .init(holdings: tickers.map { Holding(ticker: $0) }))
            }
            #expect(try await harness.store.heldTickers(limit: 10) == ["AAPL", "BTC", "MSFT"])
            #expect(try await harness.store.heldTickers(limit: 2) == ["AAPL", "BTC"])
        },
        ConformanceCase("the languages of readers are listed, that of most first, with what their readers hold") {
            harness in
            let readers: [(UserID, String?, [String])] = [
                (1, "de", ["SAP", "AAPL"]), (2, "de", ["SAP"]), (3, nil, ["AAPL"]), (4, "fr", []), (5, "de", []),
                (6, "", ["MSFT"]),
            ]
            #expect(try await harness.store.readerLanguages() == [])
            for (user, language, tickers) in readers {
                try await harness.store.change(
                    preferencesOf: user, .init(holdings: tickers.map { Holding(ticker: $0) }, language: language))
            }
            #expect(try await harness.store.readerLanguages() == [.german, .english, .french])
            #expect(try await harness.store.heldTickers(by: .german, limit: 10) == ["SAP", "AAPL"])
            #expect(try await harness.store.heldTickers(by: .german, limit: 1) == ["SAP"])
            #expect(try await harness.store.heldTickers(by: .english, limit: 10) == ["AAPL", "MSFT"])
            #expect(try await harness.store.heldTickers(by: .french, limit: 10) == [])
        },
        ConformanceCase("holders are read in the order of their numbers, a few at a time") { harness in
            for user in [5, 3, 9, 1] as [UserID] {
                try await harness.store.change(
                    preferencesOf: user,
                    .init(holdings: user == 3 ? [] : [Holding(ticker: "T\(user.rawValue)"), Holding(ticker: "AAPL")]))
            }
            let first = try await harness.store.holders(in: [""], after: UserID(rawValue: .min), limit: 2)
            #expect(first.map(\.user) == [1, 5])
            #expect(first.first?.preferences.holdings.map(\.ticker) == ["T1", "AAPL"])
            #expect(try await harness.store.holders(in: [""], after: 5, limit: 2).map(\.user) == [9])
            #expect(try await harness.store.holders(in: [""], after: 9, limit: 2) == [])
        },
        ConformanceCase("holders are found by their time zones") { harness in
            let zones: [(UserID, String?)] = [(1, "Asia/Tokyo"), (2, nil), (3, "America/New_York"), (4, "Asia/Tokyo")]
            for (user, zone) in zones {
                try await harness.store.change(
                    preferencesOf: user, .init(holdings: [Holding(ticker: "AAPL")], timeZone: zone))
            }
            // Nobody's brief depends on a zone without holdings.
            try await harness.store.change(preferencesOf: 5, .init(timeZone: "Europe/Paris"))
            #expect(try await harness.store.holderZones() == ["", "America/New_York", "Asia/Tokyo"])
            let found = try await harness.store.holders(in: ["Asia/Tokyo", ""], after: 1, limit: 10)
            #expect(found.map(\.user) == [2, 4])
            #expect(found.map(\.preferences.timeZone) == [nil, "Asia/Tokyo"])
        },
        ConformanceCase("time zone and language are kept, left alone and forgotten") { harness in
            let first = try await harness.store.change(
                preferencesOf: 7, .init(timeZone: "Europe/Berlin", language: "de"))
            #expect(first.timeZone == "Europe/Berlin" && first.language == .german)
            let second = try await harness.store.change(preferencesOf: 7, .init(focus: .broad, language: "fr"))
            #expect(second.timeZone == "Europe/Berlin" && second.language == .french && second.focus == .broad)
            let third = try await harness.store.change(preferencesOf: 7, .init(timeZone: "", language: ""))
            #expect(third.timeZone == nil && third.language == nil && third.focus == .broad)
            #expect(try await harness.store.preferences(of: 7) == third)
        },
        ConformanceCase("each of several concurrent changes is applied as a whole") { harness in
            let other = try await harness.fixture.open()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in 0..<20 {
                    let store = place.isMultiple(of: 2) ? harness.store : other
                    group.addTask {
                        let holdings = ["A", "B", "C"].map { Holding(ticker: $0, label: "\(place)") }
                        try await store.change(preferencesOf: 7, .init(holdings: holdings))
                    }
                }
                try await group.waitForAll()
            }
            let holdings = try await harness.store.preferences(of: 7).holdings
            #expect(holdings.map(\.ticker) == ["A", "B", "C"] && Set(holdings.map(\.label)).count == 1)
        },
        ConformanceCase("a NUL in a holding is refused, and nothing is changed") { harness in
            for holding in [
                Holding(ticker: "A\0"), Holding(ticker: "A", label: "\0"), Holding(ticker: "A", notes: "\0"),
            ] {
                await #expect(throws: StoreError.self) {
                    try await harness.store.change(preferencesOf: 7, .init(focus: .broad, holdings: [holding]))
                }
            }
            let unchanged = try await harness.store.preferences(of: 7)
            #expect(unchanged == Preferences())
        },
    ]
}

extension ConformanceSuite {
    /// Signals of articles and briefs, which only jobs write.
    package static let feeds: [ConformanceCase] = [
        ConformanceCase("the later signal of a user for an article is kept, and no other user reads it") { harness in
            let lease = try await harness.running()
            let url = "https://example.com/ä?q='\"%"
            let signals = [(7, 2, "{\"verdict\":\"aware\"}"), (7, 1, "{}"), (8, 3, "{\"verdict\":\"ignore\"}")].map {
                user, milliseconds, text in
                ArticleSignal(
                    user: UserID(rawValue: user), url: url, signal: text,
                    madeAt: Timestamp(milliseconds: milliseconds))
            }
            try await harness.store.complete(lease, with: 1, effects: signals.map { .record(.articleSignal($0)) })
            let asked = [url, "https://example.com/b"]
            #expect(try await harness.store.signals(of: asked, for: [7, 9]) == [signals[0]])
            #expect(Set(try await harness.store.signals(of: asked, for: [7, 8])) == [signals[0], signals[2]])
            #expect(try await harness.store.signals(of: asked, for: [9]).isEmpty)
            #expect(try await harness.store.signals(of: [], for: [7]).isEmpty)
        },
        ConformanceCase("signals a month older than the latest are deleted") { harness in
            let lease = try await harness.running()
            let month: Int64 = 30 * 86_400_000
            let effects = [("a", 0), ("b", 1), ("c", month + 1)].map { url, milliseconds in
                let timestamp = Timestamp(milliseconds: milliseconds)
                return Effect.record(
                    .articleSignal(ArticleSignal(user: 7, url: url, signal: "{}", madeAt: timestamp)))
            }
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(Set(try await harness.store.signals(of: ["a", "b", "c"], for: [7]).map(\.url)) == ["b", "c"])
        },
        ConformanceCase("the usage of a user counts unfinished jobs and the bytes of inputs and results") { harness in
            let store = harness.store
            let empty = try await store.usage(of: 31)
            #expect(empty == UserUsage())
            // A text that takes some room when it is compressed, too.
            let large = JSON((0..<500).map { "\($0 * 7919)" }.joined(separator: "ü"))
            var (idle, keyed) = (harness.job(31), harness.job(31))
            idle.input = ["text": large]
            keyed.idempotency = Idempotency(key: "k1", fingerprint: "f")
            _ = try await store.submit(idle)
            _ = try await store.submit(keyed)
            _ = try await store.submit(harness.job(32))
            let two = try await store.usage(of: 31)
            #expect(two.unfinishedJobs == 2 && two.storedBytes > 100)
            #expect(try await store.job(ofIdempotencyKey: "k1", user: 31) == keyed.id)
            #expect(try await store.job(ofIdempotencyKey: "k1", user: 32) == nil)
            #expect(try await store.job(ofIdempotencyKey: "k2", user: 31) == nil)
            _ = try await store.cancel(keyed.id, of: 31)
            #expect(try await store.usage(of: 31).unfinishedJobs == 1)
        },
        ConformanceCase("shared work counts once for each user and day, up to the limit") { harness in
            let store = harness.store
            let first = try await store.countSharedWork(["a", "b", "b"], of: 7, day: 10, limit: 3)
            #expect(first == ["a", "b"])
            // The same again changes nothing, so that a lost answer does no harm.
            #expect(try await store.countSharedWork(["a", "b"], of: 7, day: 10, limit: 3) == ["a", "b"])
            #expect(try await store.countSharedWork(["c", "a", "d"], of: 7, day: 10, limit: 3) == ["c", "a"])
            #expect(try await store.countSharedWork(["d"], of: 7, day: 10, limit: 3).isEmpty)
            #expect(try await store.countSharedWork(["d"], of: 8, day: 10, limit: 3) == ["d"])
            #expect(try await store.countSharedWork(["d"], of: 7, day: 11, limit: 3) == ["d"])
            // Days before yesterday are forgotten.
            #expect(try await store.countSharedWork(["x"], of: 8, day: 12, limit: 1) == ["x"])
            #expect(try await store.countSharedWork(["d"], of: 7, day: 10, limit: 1) == ["d"])
            #expect(try await store.countSharedWork([], of: 7, day: 12, limit: 1).isEmpty)
        },
        ConformanceCase("each user has the latest brief, and there is one for all users") { harness in
            let lease = try await harness.running()
            let old = Brief(user: 7, items: "[1]", generatedAt: 1)
            let new = Brief(user: 7, items: "[2]", generatedAt: 2)
            let all = Brief(user: Brief.allUsers, items: "[]", generatedAt: 2)
            _ = try await harness.store.append(
                StoreHarness.step("a"), replacingFrom: nil, effects: [new, all].map { .record(.brief($0)) },
                under: lease)
            try await harness.store.complete(lease, with: 1, effects: [.record(.brief(old))])
            #expect(try await harness.store.briefs(of: [7, 8, Brief.allUsers]) == [all, new])
            #expect(try await harness.store.briefs(of: [8]) == [])
        },
    ]
}

extension ConformanceSuite {
    /// Watchlists, rate counts and counts of jobs.
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
        ConformanceCase("stocks added at the same time are listed in the order of their tickers") { harness in
            for ticker in ["C", "A", "B"] { _ = try await harness.store.watch(ticker, name: nil, by: 1, limit: 9) }
            #expect(try await harness.store.watchlist(of: 1).map(\.ticker) == ["A", "B", "C"])
        },
        ConformanceCase("a stock is removed from the user's own list once") { harness in
            for user in [1, 2] as [UserID] { _ = try await harness.store.watch("AAPL", name: nil, by: user, limit: 9) }
            for isThere in [true, false] {
                #expect(try await harness.store.unwatch("AAPL", by: 1) == isThere)
            }
            #expect(try await harness.store.watchlist(of: 1) == [])
            #expect(try await harness.store.watchlist(of: 2).map(\.ticker) == ["AAPL"])
        },
        ConformanceCase("a full list takes no more stocks, even from concurrent requests") { harness in
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
            // A stock that is listed already is accepted even on a full list.
            let known = try #require(list.first)
            let again = try await harness.store.watch(known.ticker, name: nil, by: 1, limit: 5)
            #expect(again == .existing(known))
        },
        ConformanceCase("a NUL in a watched stock is refused") { harness in
            await #expect(throws: StoreError.invalidText(field: "watchlist.name")) {
                _ = try await harness.store.watch("A", name: "\0", by: 1, limit: 5)
            }
        },
        ConformanceCase("brokers read the counts of the others, and repeated counts count once") {
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
            // A clock that is a minute late still finds its counts; older counts are deleted.
            #expect(try await harness.store.exchange(asked, of: "c", minute: 100).map(\.count) == [1, 6])
            #expect(try await harness.store.exchange([], of: "b", minute: 102) == [])
            #expect(try await harness.store.exchange(asked, of: "d", minute: 100) == [])
        },
        ConformanceCase("a recorded count never shrinks") { harness in
            for count in [5, 3] {
                _ = try await harness.store.exchange(
                    [RateCount(user: 1, bucket: "general", count: count)], of: "a", minute: 1)
            }
            let others = try await harness.store.exchange(
                [RateCount(user: 1, bucket: "general", count: 1)], of: "b", minute: 1)
            #expect(others.map(\.count) == [5])
        },
        ConformanceCase("jobs are counted by kind, status and state") { harness in
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
                _ category: JobCount.Category, _ kind: String, _ status: JobStatus = .pending, _ count: Int = 1,
                reason: WhyCode? = nil
            ) -> JobCount { JobCount(category: category, kind: kind, status: status, count: count, reason: reason) }
            let unfinished: Set<JobCount> = [
                count(.running, "running", .processing), count(.ready, "ready"),
                count(.scheduled, "later", reason: .scheduled), count(.ready, "line"),
                count(.blocked, "line", reason: .serial),
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
