import HTTP
import JobQueue
import JSON
import SQLiteStore
import SQLSupport
import Synchronization
import Testing

@testable import Agents

@Suite struct IngestAgentTests {
    private static let rockets = [
        "Acme Rockets recalls 2,000 boosters after Nevada explosion",
        "Nevada explosion: Acme Rockets boosters recalled",
    ]
    private static let banks = [
        "Quorvia bank fined over Lisbon money laundering", "Lisbon regulators fine Quorvia in laundering case",
    ]

    @Test func itemsOfAFeedBecomeArticlesAndStories() async throws {
        try await IngestFixture.run { fixture in
            fixture.publish(Self.rockets + Self.banks)
            let result = try await fixture.ingest()
            #expect(result["date"] == "2026-11-21" && result["found"] == 4 && result["new"] == 4)
            #expect(result["failed"] == 0 && result["day"]?["stories"] == 2 && result["day"]?["touched"] == 2)
            let groups = try await fixture.groups()
            #expect(Set(groups.values.map(Set.init)) == [Set(Self.rockets), Set(Self.banks)])
            let article = try #require(try await fixture.store.articles(ArticleQuery()).first)
            #expect(article.source == "Wire" && article.day == "2026-11-21")
            #expect(
                article.publishedAt == IngestFixture.noon - .seconds(3600) && article.fetchedAt == IngestFixture.noon)
            #expect(article.id.count == 16)
        }
    }

    @Test func secondRunAsksOnlyForNewerArticlesAndChangesNothing() async throws {
        try await IngestFixture.run { fixture in
            fixture.publish(Self.rockets, etag: "\"1\"")
            try await fixture.ingest()
            let before = try await fixture.store.globalGroups(on: "2026-11-21", limit: 10)
            fixture.now = fixture.now + .milliseconds(900_000)
            let result = try await fixture.ingest()
            #expect(result["sources"]?[0]?["status"] == "unchanged" && result["found"] == 0)
            #expect(fixture.web.requests.last?.headers["If-None-Match"] == "\"1\"")
            #expect(try await fixture.store.globalGroups(on: "2026-11-21", limit: 10) == before)
        }
    }

    @Test func laterArticlesKeepNumbersAndGroups() async throws {
        try await IngestFixture.run { fixture in
            fixture.publish([Self.rockets[0], Self.banks[0]])
            try await fixture.ingest()
            let before = try await fixture.groups()
            fixture.now = fixture.now + .milliseconds(900_000)
            // Published before the others, which are unchanged nevertheless.
            fixture.publish([Self.rockets[1], Self.banks[1], "Glacier Foods to buy Tundra Snacks"], minutesAgo: 600)
            let result = try await fixture.ingest()
            #expect(result["day"]?["touched"] == 3 && result["day"]?["articles"] == 5)
            let after = try await fixture.groups()
            #expect(after.count == 3)
            for (number, titles) in before {
                #expect(after[number]?.count == 2 && after[number]?.contains(titles[0]) == true)
            }
        }
    }

    @Test func failingSourceIsReportedAndDelaysNoOther() async throws {
        try await IngestFixture.run { fixture in
            fixture.publish(Self.rockets)
            fixture.web.set("https://down.example/") { _ throws(HTTPClientError) in
                throw .cannotConnect(host: "down.example")
            }
            fixture.web.set("https://page.example/", "<html><body>Moved</body></html>", type: "text/html")
            let input: JSON = [
                "feeds": ["https://down.example/feed", "https://page.example/feed", JSON(IngestFixture.feed)],
                "categories": ["business"],
            ]
            let told = Mutex<[SourceFailure]>([])
            let agent = try fixture.agent { failure in told.withLock { $0.append(failure) } }
            let result = try await fixture.ingest(input, with: agent)
            #expect(result["failed"] == 2 && result["new"] == 2)
            // An operator is told, since the job itself is completed.
            #expect(told.withLock { $0 }.map(\.source) == ["https://down.example/feed", "https://page.example/feed"])
            #expect(told.withLock { $0 }.allSatisfy { !$0.problem.isEmpty && $0.inARow == 1 })
            #expect(result["sources"]?[0]?["problem"] == "the server cannot be reached")
            #expect(result["sources"]?[1]?["problem"] == "the feed cannot be read: a web page, not a feed")
            #expect(result["sources"]?[3]?["status"] == "skipped")
            #expect(result["sources"]?[3]?["problem"] == "NEWS_API_KEY is not set")
            try await fixture.ingest(input)
            let states = try await fixture.store.newsSources(["https://down.example/feed", IngestFixture.feed])
            #expect(states.map(\.failures) == [2, 0])
        }
    }

    @Test func articleUnderSeveralAddressesAndTextsIsOne() async throws {
        try await IngestFixture.run { fixture in
            let text = String(
                repeating: "Regulators in Lisbon fined the bank over money that nobody could explain. ", count: 3)
            let item = { (link: String, title: String, words: String) in
                "<item><title>\(title)</title><link>\(link)</link><description>\(words)</description></item>"
            }
            let items = [
                item("https://a.example/1?utm_source=rss", "Quorvia fined", text),
                item("http://A.example/1/", "Quorvia fined", text),
                item("https://b.example/quorvia", "Quorvia fined", text + " Shares fell."),
                item(
                    "https://a.example/2", "Another bank opens five branches", "Nothing in common with the others here."
                ),
                item("https://a.example/3", "Another bank opens five branches", ""),
            ]
            fixture.web.set(
                IngestFixture.feed, "<rss><channel><title>Wire</title>\(items.joined())</channel></rss>")
            let result = try await fixture.ingest()
            #expect(result["found"] == 4 && result["new"] == 2 && result["duplicates"] == 2)
            #expect(try await fixture.store.articleCount(ArticleQuery()) == 2)
            #expect(try await fixture.groups().values.reduce(0) { $0 + $1.count } == 2)
            let one = try #require(try await fixture.store.article(url: "https://a.example/1"))
            let other = try #require(try await fixture.store.article(url: "https://b.example/quorvia"))
            // Neither has a date, so the id decides which came first.
            #expect((one.duplicateOf == other.id) != (other.duplicateOf == one.id))
        }
    }

    @Test func sourcesCompleteAKnownArticle() async throws {
        try await IngestFixture.run(holding: ["ACME", "QUOR"]) { fixture in
            let link = "https://wire.example/one"
            fixture.publish(["A plain headline about a company"], link: { _ in link })
            fixture.web.set(
                "https://newsapi.example/v2/top-headlines",
                """
                {"status":"ok","totalResults":1,"articles":[{"source":{"name":"Wire"},"author":"Ada","title":"A headline",
                "url":"\(link)?utm_medium=x","urlToImage":"https://wire.example/1.png","publishedAt":"2026-11-21T10:00:00Z"}]}
                """, type: "application/json")
            fixture.web.set(
                "https://fmp.example/stable/news/stock",
                """
                [{"symbol":"ACME","publishedDate":"2026-11-21 10:00:00","publisher":"Wire","title":"A headline",
                "url":"\(link)"}]
                """, type: "application/json")
            let settings: JSON = [
                "feeds": [["url": JSON(IngestFixture.feed)]], "categories": ["technology"], "tickers": ["MSFT"],
                "held_tickers": 1,
            ]
            let result = try await fixture.ingest(
                [:], settings: settings, with: try fixture.agent(newsKey: "k", fmpKey: "k"))
            #expect(result["new"] == 1 && result["known"] == 2)
            let article = try #require(try await fixture.store.article(url: link))
            #expect(article.title == "A plain headline about a company" && article.tickers == ["ACME"])
            #expect(article.author == "Ada" && article.image == "https://wire.example/1.png")
            #expect(article.category == "technology")
            let asked = fixture.web.requests.map(\.url).filter { $0.contains("fmp.example") }
            #expect(asked.count == 1)
            #expect(asked.first?.replacing("%2C", with: ",").contains("symbols=MSFT,ACME") == true)
        }
    }

    @Test func oldArticlesJoinNoStoriesAndTheOldestAreSkipped() async throws {
        try await IngestFixture.run { fixture in
            let day: Int64 = 1440
            fixture.publish(["An article of last week that is still here"], minutesAgo: 7 * day)
            try await fixture.ingest()
            fixture.publish(["An article of last year that is long gone"], minutesAgo: 300 * day)
            let result = try await fixture.ingest()
            #expect(result["outside"] == 1 && result["day"]?["articles"] == 0)
            let kept = try await fixture.store.articles(ArticleQuery())
            #expect(kept.map(\.title) == ["An article of last week that is still here"] && kept[0].day == nil)
            // A month later it is deleted.
            fixture.now = fixture.now + .milliseconds(31 * day * 60_000)
            try await fixture.ingest()
            #expect(try await fixture.store.articles(ArticleQuery()).isEmpty)
        }
    }

    @Test func anotherDayCanBeAskedFor() async throws {
        try await IngestFixture.run { fixture in
            fixture.publish(Self.rockets, minutesAgo: 1440)
            fixture.publish(["A headline of today that is not asked for"], at: "https://today.example/feed")
            let result = try await fixture.ingest([
                "date": "2026-11-20", "feeds": [JSON(IngestFixture.feed), "https://today.example/feed"],
            ])
            #expect(result["date"] == "2026-11-20" && result["new"] == 2 && result["outside"] == 1)
            #expect(try await fixture.groups(on: "2026-11-20").count == 1)
            #expect(try await fixture.groups().isEmpty)
        }
    }

    @Test func pagesAreReadWhereTheSettingsSaySo() async throws {
        try await IngestFixture.run { fixture in
            fixture.publish(Self.rockets)
            fixture.web.set("https://wire.example/Acme") { _ throws(HTTPClientError) in
                throw .forbiddenAddress(host: "wire.example", address: "10.0.0.1")
            }
            fixture.web.set(
                "https://wire.example/Nevada",
                "<html><body><article><p>\(String(repeating: "The boosters are recalled. ", count: 30))</p></article></body></html>",
                type: "text/html")
            try await fixture.ingest(
                [:], settings: ["feeds": [["url": JSON(IngestFixture.feed), "pages": 2]]])
            let articles = try await fixture.store.articles(ArticleQuery())
            #expect(articles.count == 2)
            #expect(articles.filter { $0.text?.hasPrefix("The boosters are recalled.") == true }.count == 1)
            let pages = fixture.web.requests.filter { $0.url != IngestFixture.feed }
            #expect(pages.count == 2 && pages.allSatisfy { $0.destination == .publicInternet(allowing: []) })
        }
    }

    @Test func runAfterADeathContinuesFromItsLastStep() async throws {
        try await IngestFixture.run { fixture in
            fixture.publish(Self.rockets, etag: "\"1\"")
            let job = try await fixture.claim(["feeds": [JSON(IngestFixture.feed)]])
            let first = try await fixture.attempt(job, try fixture.agent())
            // The worker dies before it reports; another one takes the job over, and the feed answers that nothing is
            // new.
            try await fixture.test.rescue("w1")
            let again = try await fixture.test.claim(by: "w9")
            let second = try await fixture.attempt(again, try fixture.agent())
            #expect(second.body["new"] == 2 && first.body["sources"] == second.body["sources"])
            let groups = try await fixture.groups()
            #expect(groups.values.map(Set.init) == [Set(Self.rockets)])
        }
    }

    @Test func vectorsAreMadeOnceAndTheirCostIsRecorded() async throws {
        try await IngestFixture.run { fixture in
            fixture.publish(Self.rockets)
            let calls = #"{"embeddings":[{"values":[1,0,0]},{"values":[0.9,0.1,0]}]}"#
            fixture.web.set(
                "https://gemini.example/v1beta/models/gemini-embedding-001", calls, type: "application/json")
            let result = try await fixture.ingest(with: try fixture.agent(embedding: true))
            #expect(result["day"]?["embedded"] == 2)
            let ids = try await fixture.store.articles(ArticleQuery()).map(\.id)
            #expect(try await fixture.store.articleVectors(ids: ids).count == 2)
            let request = try #require(fixture.web.requests.last { $0.url.contains("gemini") })
            let body = try JSON(parsing: request.body)
            #expect(body["requests"]?.array?.count == 2 && request.headers["x-goog-api-key"] == "k")
            #expect(try await fixture.test.spent() > 0)
            try await fixture.ingest(with: try fixture.agent(embedding: true))
            #expect(fixture.web.requests.filter { $0.url.contains("gemini") }.count == 1)
        }
    }

    @Test func wordsDecideWithoutVectors() async throws {
        try await IngestFixture.run { fixture in
            fixture.publish(Self.rockets + Self.banks)
            fixture.web.set("https://gemini.example/") { _ in HTTPResponse(status: 503) }
            let result = try await fixture.ingest(with: try fixture.agent(embedding: true))
            #expect(result["day"]?["embedded"] == 0 && result["day"]?["embedding_problem"]?.string != nil)
            #expect(try await fixture.groups().count == 2)
        }
    }

    @Test func hostileListsAreBoundedAndKept() async throws {
        try await IngestFixture.run { fixture in
            let long = String(repeating: "word ", count: 5000)
            let items = [
                "<item><title>\(long)</title><link>https://a.example/1</link><description>\(long)</description></item>",
                "<item><title>No address</title></item>",
                "<item><title>A script</title><link>javascript:alert(1)</link></item>",
                "<item><title>Long ago or later</title><link>https://a.example/2</link><pubDate>1 Jan 2999 00:00:00 GMT</pubDate></item>",
            ]
            fixture.web.set(IngestFixture.feed, "<rss><channel>\(items.joined())</channel></rss>")
            let result = try await fixture.ingest()
            #expect(result["found"] == 2 && result["new"] == 2)
            let articles = try await fixture.store.articles(ArticleQuery())
            #expect(articles.allSatisfy { $0.publishedAt <= fixture.now && $0.title.count <= 500 })
            #expect(articles.allSatisfy { ($0.description ?? "").count <= 1000 && $0.source == "a.example" })
        }
    }
}
