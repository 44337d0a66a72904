import HTTP
import JSON
import JobQueue
import SQLiteStore
import Testing

@testable import Agents

@Suite struct IngestTests {
    private static let rockets = [
        "Acme Rockets recalls 2,000 boosters after Nevada explosion",
        "Nevada explosion: Acme Rockets boosters recalled",
    ]
    private static let banks = [
        "Quorvia bank fined over Lisbon money laundering", "Lisbon regulators fine Quorvia in laundering case",
    ]

    @Test func whatAFeedListsBecomesArticlesAndStories() async throws {
        try await IngestWorld.run { world in
            world.publish(Self.rockets + Self.banks)
            let result = try await world.ingest()
            #expect(result["date"] == "2026-11-21" && result["found"] == 4 && result["new"] == 4)
            #expect(result["failed"] == 0 && result["day"]?["stories"] == 2 && result["day"]?["touched"] == 2)
            let groups = try await world.groups()
            #expect(Set(groups.values.map(Set.init)) == [Set(Self.rockets), Set(Self.banks)])
            let article = try #require(try await world.store.articles(ArticleQuestion()).first)
            #expect(article.source == "Wire" && article.day == "2026-11-21")
            #expect(article.publishedAt == IngestWorld.noon - 3_600_000 && article.fetchedAt == IngestWorld.noon)
            #expect(article.id.count == 16)
        }
    }

    @Test func aSecondRunAsksOnlyForWhatIsNewerAndChangesNothing() async throws {
        try await IngestWorld.run { world in
            world.publish(Self.rockets, etag: "\"1\"")
            try await world.ingest()
            let before = try await world.store.globalGroups(on: "2026-11-21", limit: 10)
            world.now += 900_000
            let result = try await world.ingest()
            #expect(result["sources"]?[0]?["status"] == "unchanged" && result["found"] == 0)
            #expect(world.web.requests.last?.headers["If-None-Match"] == "\"1\"")
            #expect(try await world.store.globalGroups(on: "2026-11-21", limit: 10) == before)
        }
    }

    @Test func whatArrivesLaterKeepsNumbersAndGroups() async throws {
        try await IngestWorld.run { world in
            world.publish([Self.rockets[0], Self.banks[0]])
            try await world.ingest()
            let before = try await world.groups()
            world.now += 900_000
            // Published before the others, yet they stay as they are.
            world.publish([Self.rockets[1], Self.banks[1], "Glacier Foods to buy Tundra Snacks"], minutesAgo: 600)
            let result = try await world.ingest()
            #expect(result["day"]?["touched"] == 3 && result["day"]?["articles"] == 5)
            let after = try await world.groups()
            #expect(after.count == 3)
            for (number, titles) in before {
                #expect(after[number]?.count == 2 && after[number]?.contains(titles[0]) == true)
            }
        }
    }

    @Test func aSourceThatFailsHoldsUpNobodyAndIsTold() async throws {
        try await IngestWorld.run { world in
            world.publish(Self.rockets)
            world.web.set("https://down.example/") { _ throws(HTTPClientError) in
                throw .cannotConnect(host: "down.example")
            }
            world.web.set("https://page.example/", "<html><body>Moved</body></html>", type: "text/html")
            let input: JSON = [
                "feeds": ["https://down.example/feed", "https://page.example/feed", JSON(IngestWorld.feed)],
                "categories": ["business"],
            ]
            let result = try await world.ingest(input)
            #expect(result["failed"] == 2 && result["new"] == 2)
            #expect(result["sources"]?[0]?["problem"] == "the server cannot be reached")
            #expect(result["sources"]?[1]?["problem"] == "the feed cannot be read: a web page, not a feed")
            #expect(result["sources"]?[3]?["status"] == "skipped")
            #expect(result["sources"]?[3]?["problem"] == "NEWS_API_KEY is not set")
            try await world.ingest(input)
            let states = try await world.store.newsSources(["https://down.example/feed", IngestWorld.feed])
            #expect(states.map(\.failures) == [2, 0])
        }
    }

    @Test func oneArticleUnderSeveralAddressesAndTextsIsOne() async throws {
        try await IngestWorld.run { world in
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
            world.web.set(
                IngestWorld.feed, "<rss><channel><title>Wire</title>\(items.joined())</channel></rss>")
            let result = try await world.ingest()
            #expect(result["found"] == 4 && result["new"] == 2 && result["duplicates"] == 2)
            #expect(try await world.store.articleCount(ArticleQuestion()) == 2)
            #expect(try await world.groups().values.reduce(0) { $0 + $1.count } == 2)
            let one = try #require(try await world.store.article(url: "https://a.example/1"))
            let other = try #require(try await world.store.article(url: "https://b.example/quorvia"))
            // Neither has a date, so the id decides which came first.
            #expect((one.duplicateOf == other.id) != (other.duplicateOf == one.id))
        }
    }

    @Test func sourcesAddToWhatIsKnownOfAnArticle() async throws {
        try await IngestWorld.run(holding: ["ACME", "QUOR"]) { world in
            let link = "https://wire.example/one"
            world.publish(["A plain headline about a company"], link: { _ in link })
            world.web.set(
                "https://newsapi.example/v2/top-headlines",
                """
                {"status":"ok","totalResults":1,"articles":[{"source":{"name":"Wire"},"author":"Ada","title":"A headline",
                "url":"\(link)?utm_medium=x","urlToImage":"https://wire.example/1.png","publishedAt":"2026-11-21T10:00:00Z"}]}
                """, type: "application/json")
            world.web.set(
                "https://fmp.example/stable/news/stock",
                """
                [{"symbol":"ACME","publishedDate":"2026-11-21 10:00:00","publisher":"Wire","title":"A headline",
                "url":"\(link)"}]
                """, type: "application/json")
            let settings: JSON = [
                "feeds": [["url": JSON(IngestWorld.feed)]], "categories": ["technology"], "tickers": ["MSFT"],
                "held_tickers": 1,
            ]
            let result = try await world.ingest(
                [:], settings: settings, with: try world.agent(newsKey: "k", fmpKey: "k"))
            #expect(result["new"] == 1 && result["known"] == 2)
            let article = try #require(try await world.store.article(url: link))
            #expect(article.title == "A plain headline about a company" && article.tickers == ["ACME"])
            #expect(article.author == "Ada" && article.image == "https://wire.example/1.png")
            #expect(article.category == "technology")
            let asked = world.web.requests.map(\.url).filter { $0.contains("fmp.example") }
            #expect(asked.count == 1)
            #expect(asked.first?.replacing("%2C", with: ",").contains("symbols=MSFT,ACME") == true)
        }
    }

    @Test func oldArticlesCountAmongNoStoriesAndTheOldestAreLeftOut() async throws {
        try await IngestWorld.run { world in
            let day: Int64 = 1440
            world.publish(["An article of last week that is still here"], minutesAgo: 7 * day)
            try await world.ingest()
            world.publish(["An article of last year that is long gone"], minutesAgo: 300 * day)
            let result = try await world.ingest()
            #expect(result["outside"] == 1 && result["day"]?["articles"] == 0)
            let kept = try await world.store.articles(ArticleQuestion())
            #expect(kept.map(\.title) == ["An article of last week that is still here"] && kept[0].day == nil)
            // A month later it is forgotten.
            world.now += 31 * day * 60_000
            try await world.ingest()
            #expect(try await world.store.articles(ArticleQuestion()).isEmpty)
        }
    }

    @Test func anotherDayCanBeAskedFor() async throws {
        try await IngestWorld.run { world in
            world.publish(Self.rockets, minutesAgo: 1440)
            world.publish(["A headline of today that is not asked for"], at: "https://today.example/feed")
            let result = try await world.ingest([
                "date": "2026-11-20", "feeds": [JSON(IngestWorld.feed), "https://today.example/feed"],
            ])
            #expect(result["date"] == "2026-11-20" && result["new"] == 2 && result["outside"] == 1)
            #expect(try await world.groups(on: "2026-11-20").count == 1)
            #expect(try await world.groups().isEmpty)
        }
    }

    @Test func pagesAreReadWhereTheSettingsSaySo() async throws {
        try await IngestWorld.run { world in
            world.publish(Self.rockets)
            world.web.set("https://wire.example/Acme") { _ throws(HTTPClientError) in
                throw .forbiddenAddress(host: "wire.example", address: "10.0.0.1")
            }
            world.web.set(
                "https://wire.example/Nevada",
                "<html><body><article><p>\(String(repeating: "The boosters are recalled. ", count: 30))</p></article></body></html>",
                type: "text/html")
            try await world.ingest(
                [:], settings: ["feeds": [["url": JSON(IngestWorld.feed), "pages": 2]]])
            let articles = try await world.store.articles(ArticleQuestion())
            #expect(articles.count == 2)
            #expect(articles.filter { $0.text?.hasPrefix("The boosters are recalled.") == true }.count == 1)
            let pages = world.web.requests.filter { $0.url != IngestWorld.feed }
            #expect(pages.count == 2 && pages.allSatisfy { $0.destination == .publicInternet(allowing: []) })
        }
    }

    @Test func aRunThatDiedGoesOnWhereItWas() async throws {
        try await IngestWorld.run { world in
            world.publish(Self.rockets, etag: "\"1\"")
            let job = try await world.claim(["feeds": [JSON(IngestWorld.feed)]])
            let first = try await world.attempt(job, try world.agent())
            // The worker dies before it reports; another one takes the job over and the feed has nothing new to say.
            try await world.test.rescue("w1")
            let again = try await world.test.claim(by: "w9")
            let second = try await world.attempt(again, try world.agent())
            #expect(second.body["new"] == 2 && first.body["sources"] == second.body["sources"])
            let groups = try await world.groups()
            #expect(groups.values.map(Set.init) == [Set(Self.rockets)])
        }
    }

    @Test func vectorsAreMadeOnceAndTheirCostIsRecorded() async throws {
        try await IngestWorld.run { world in
            world.publish(Self.rockets)
            let calls = #"{"embeddings":[{"values":[1,0,0]},{"values":[0.9,0.1,0]}]}"#
            world.web.set("https://gemini.example/v1beta/models/gemini-embedding-001", calls, type: "application/json")
            let result = try await world.ingest(with: try world.agent(embedding: true))
            #expect(result["day"]?["embedded"] == 2)
            let ids = try await world.store.articles(ArticleQuestion()).map(\.id)
            #expect(try await world.store.articleVectors(ids: ids).count == 2)
            let request = try #require(world.web.requests.last { $0.url.contains("gemini") })
            let body = try JSON(parsing: request.body)
            #expect(body["requests"]?.array?.count == 2 && request.headers["x-goog-api-key"] == "k")
            #expect(try await world.test.spent() > 0)
            try await world.ingest(with: try world.agent(embedding: true))
            #expect(world.web.requests.filter { $0.url.contains("gemini") }.count == 1)
        }
    }

    @Test func withoutVectorsWordsDecide() async throws {
        try await IngestWorld.run { world in
            world.publish(Self.rockets + Self.banks)
            world.web.set("https://gemini.example/") { _ in HTTPResponse(status: 503) }
            let result = try await world.ingest(with: try world.agent(embedding: true))
            #expect(result["day"]?["embedded"] == 0 && result["day"]?["embedding_problem"]?.string != nil)
            #expect(try await world.groups().count == 2)
        }
    }

    @Test func hostileListsAreBoundedAndKept() async throws {
        try await IngestWorld.run { world in
            let long = String(repeating: "word ", count: 5000)
            let items = [
                "<item><title>\(long)</title><link>https://a.example/1</link><description>\(long)</description></item>",
                "<item><title>No address</title></item>",
                "<item><title>A script</title><link>javascript:alert(1)</link></item>",
                "<item><title>Long ago or later</title><link>https://a.example/2</link><pubDate>1 Jan 2999 00:00:00 GMT</pubDate></item>",
            ]
            world.web.set(IngestWorld.feed, "<rss><channel>\(items.joined())</channel></rss>")
            let result = try await world.ingest()
            #expect(result["found"] == 2 && result["new"] == 2)
            let articles = try await world.store.articles(ArticleQuestion())
            #expect(articles.allSatisfy { $0.publishedAt <= world.now && $0.title.count <= 500 })
            #expect(articles.allSatisfy { ($0.description ?? "").count <= 1000 && $0.source == "a.example" })
        }
    }
}
