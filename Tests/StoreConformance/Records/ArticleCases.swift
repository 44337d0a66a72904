import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Articles, their vectors, and the state of news sources.
    package static let articles: [ConformanceCase] = [
        ConformanceCase("an article is found by its id and by its address, with all its parts") { harness in
            let article = NewsArticle(
                id: "a1", url: "https://example.com/1?x=1", title: "“Größe” & 😀", description: "Two\nlines",
                text: "A text.\n\nIts end.", source: "Wire", author: "Ada", image: "https://example.com/1.png",
                language: "de", category: "business", tickers: ["AAPL", "BRK-B"], publishedAt: 1000, fetchedAt: 2000,
                day: "2026-11-21", fingerprint: ArticleFingerprint(bits: -7, words: 40))
            let copy = NewsArticle.sample("a2", duplicateOf: "a1")
            try await harness.keep([.article(article), .article(copy)])
            #expect(try await harness.store.article(id: "a1") == article)
            #expect(try await harness.store.article(url: "https://example.com/1?x=1") == article)
            #expect(try await harness.store.article(id: "a2") == copy)
            #expect(try await harness.store.article(id: "a3") == nil)
            #expect(try await harness.store.article(url: "https://example.com/1") == nil)
            #expect(try await harness.store.articles(ids: ["a2", "a3", "a1"]).map(\.id) == ["a2", "a1"])
            #expect(try await harness.store.articles(ids: []).isEmpty)
        },
        ConformanceCase("an article that arrives again gains missing values and keeps the others") { harness in
            try await harness.keep([.article(.sample("a", published: 5))])
            var again = NewsArticle.sample("a", published: 6, category: "science")
            again.title = "Another title"
            again.text = "A text"
            again.author = "Ada"
            again.tickers = ["NVDA"]
            try await harness.keep([.article(again)])
            var third = again
            third.author = "Ben"
            third.text = "Another text"
            third.category = "health"
            third.tickers = ["AAPL", "NVDA"]
            try await harness.keep([.article(third)])
            var fourth = third
            (fourth.text, fourth.source) = ("Short", "")
            try await harness.keep([.article(fourth)])
            var expected = NewsArticle.sample("a", published: 5, category: "science")
            // The longer text stays, and an empty name replaces none.
            expected.text = "Another text"
            expected.author = "Ada"
            expected.tickers = ["AAPL", "NVDA"]
            #expect(try await harness.store.article(id: "a") == expected)
            var fifth = fourth
            (fifth.text, fifth.source) = ("A text that is longer than another", "The Wire")
            try await harness.keep([.article(fifth)])
            (expected.text, expected.source) = ("A text that is longer than another", "The Wire")
            #expect(try await harness.store.article(id: "a") == expected)
        },
        ConformanceCase("lists begin with the latest article and leave out duplicates") { harness in
            try await harness.keep([
                .article(.sample("a", published: 10)), .article(.sample("c", published: 30, category: "science")),
                .article(.sample("b", published: 30)), .article(.sample("d", published: 20, category: "science")),
                .article(.sample("e", published: 40, duplicateOf: "a")),
            ])
            #expect(try await harness.list { _ in } == ["c", "b", "d", "a"])
            #expect(try await harness.list { $0.category = "science" } == ["c", "d"])
            #expect(try await harness.list { $0.category = "health" } == [])
            #expect(try await harness.list { ($0.from, $0.until) = (20, 30) } == ["d"])
            #expect(try await harness.list { ($0.offset, $0.limit) = (1, 2) } == ["b", "d"])
            #expect(try await harness.list { $0.limit = 0 } == [])
            #expect(try await harness.store.articleCount(ArticleQuery()) == 4)
            var question = ArticleQuery()
            (question.category, question.limit) = ("science", 1)
            #expect(try await harness.store.articleCount(question) == 2)
        },
        ConformanceCase("a list continues after an article, even when times are equal") { harness in
            let ids = ["a", "B", "c", "D", "e-1"]
            for id in ids { try await harness.keep([.article(.sample(id, published: 7))]) }
            try await harness.keep([.article(.sample("f", published: 1))])
            var question = ArticleQuery()
            question.limit = 2
            var seen: [String] = []
            while true {
                let page = try await harness.store.articles(question)
                guard let last = page.last else { break }
                seen += page.map(\.id)
                question.after = last.cursor
            }
            #expect(seen == ["e-1", "c", "a", "D", "B", "f"])
        },
        ConformanceCase("articles are found by their tickers") { harness in
            try await harness.keep([
                .article(.sample("a", published: 1, tickers: ["AAPL"])),
                .article(.sample("b", published: 2, category: "science", tickers: ["MSFT", "AAPL"])),
                .article(.sample("c", published: 3, tickers: ["BTC"])), .article(.sample("d", published: 4)),
            ])
            #expect(try await harness.list { $0.tickers = ["AAPL", "MSFT"] } == ["b", "a"])
            #expect(try await harness.list { ($0.tickers, $0.category) = (["AAPL", "BTC"], "science") } == ["b"])
            #expect(try await harness.list { $0.tickers = ["AAP"] } == [])
            var question = ArticleQuery()
            question.tickers = ["AAPL", "BTC"]
            #expect(try await harness.store.articleCount(question) == 3)
        },
        ConformanceCase("a day's articles are read in the order of their arrival, without their texts") { harness in
            var first = NewsArticle.sample("z", published: 9, fetched: 100, day: "2026-11-21")
            first.text = "A text"
            first.tickers = ["MSFT", "AAPL"]
            try await harness.keep([
                .article(.sample("y", published: 1, fetched: 200, day: "2026-11-21")), .article(first),
                .article(.sample("B", published: 2, fetched: 200, day: "2026-11-21")),
                .article(.sample("a", published: 2, fetched: 200, day: "2026-11-21")),
                .article(.sample("x", fetched: 100, day: "2026-11-20")), .article(.sample("w", fetched: 100)),
                .article(.sample("v", fetched: 100, day: "2026-11-21", duplicateOf: "z")),
            ])
            let arrivals = try await harness.store.arrivals(on: "2026-11-21")
            #expect(arrivals.map(\.id) == ["z", "y", "B", "a"])
            #expect(arrivals.first?.text == nil && arrivals.first?.tickers == ["AAPL", "MSFT"])
            let marks = try await harness.store.fingerprints(since: 101)
            #expect(marks.map(\.id) == ["y", "B", "a"])
            #expect(try await harness.store.fingerprints(since: 100).map(\.duplicateOf).contains("z"))
        },
        ConformanceCase("an article's first vector is kept exactly") { harness in
            let values: [Float] = [0.1, -1e-30, 0, 3.5]
            try await harness.keep([
                .article(.sample("a")), .articleVector(ArticleVector(article: "a", model: "m", values: values)),
                .articleVector(ArticleVector(article: "nobody", model: "m", values: [1])),
            ])
            try await harness.keep([.articleVector(ArticleVector(article: "a", model: "other", values: [1]))])
            let vectors = try await harness.store.articleVectors(ids: ["a", "nobody"])
            #expect(vectors.mapValues(\.values) == ["a": values] && vectors["a"]?.model == "m")
        },
        ConformanceCase("old articles are deleted with all their records, up to a limit") { harness in
            for time in 1...4 as ClosedRange<Int64> {
                try await harness.keep([
                    .article(.sample("a\(time)", fetched: Timestamp(milliseconds: time), tickers: ["AAPL"]))
                ])
            }
            try await harness.keep([.articleVector(ArticleVector(article: "a1", model: "m", values: [1]))])
            for expected in [["a4", "a3"], ["a4"], ["a4"]] {
                try await harness.keep([.newsRetention(NewsRetention(arrivedBefore: 4, storiesBefore: "", limit: 2))])
                #expect(try await harness.list { $0.tickers = ["AAPL"] } == expected)
            }
            #expect(try await harness.store.articleVectors(ids: ["a1"]).isEmpty)
        },
        ConformanceCase("the latest state of a source is kept") { harness in
            let old = NewsSourceState(source: "https://example.com/feed", etag: "\"1\"", askedAt: 5)
            var new = NewsSourceState(source: old.source, lastModified: "then", askedAt: 6, failures: 2)
            new.problem = "timed out"
            let other = NewsSourceState(source: "Zeta", askedAt: 1)
            try await harness.keep([.newsSource(old), .newsSource(other)])
            try await harness.keep([.newsSource(new)])
            #expect(try await harness.store.newsSources([old.source, "none", "Zeta"]) == [other, new])
            #expect(try await harness.store.newsSources([]).isEmpty)
        },
        ConformanceCase("a NUL in a query is refused with the name of its field") { harness in
            await #expect(throws: StoreError.invalidText(field: "article.id")) {
                _ = try await harness.store.article(id: "a\0")
            }
            var question = ArticleQuery()
            question.tickers = ["\0"]
            let refused = question
            await #expect(throws: StoreError.invalidText(field: "article.tickers")) {
                _ = try await harness.store.articles(refused)
            }
        },
    ]
}

extension NewsArticle {
    static func sample(
        _ id: String, published: Timestamp = 0, fetched: Timestamp = 0, day: String? = nil, category: String? = nil,
        tickers: [String] = [], duplicateOf: String? = nil
    ) -> NewsArticle {
        NewsArticle(
            id: id, url: "https://example.com/\(id)", title: "Title of \(id)", source: "Wire", category: category,
            tickers: tickers, publishedAt: published, fetchedAt: fetched, day: day, duplicateOf: duplicateOf)
    }
}

extension StoreHarness {
    /// Writes records as a job does, in one step.
    func keep(_ changes: [RecordChange], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let lease = try await running(sourceLocation: sourceLocation)
        _ = try await store.append(
            Self.step("keep"), replacingFrom: nil, effects: changes.map(Effect.record), under: lease)
        try await store.complete(lease, with: 1, effects: [])
    }

    /// The ids of the articles that a query finds.
    func list(_ change: (inout ArticleQuery) -> Void) async throws -> [String] {
        var question = ArticleQuery()
        change(&question)
        return try await store.articles(question).map(\.id)
    }
}
