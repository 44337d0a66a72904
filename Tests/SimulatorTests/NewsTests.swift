import Articles
import HTTP
import JSON
import Simulator
import Testing

@Suite struct NewsTests {
    private func get(_ path: String, _ harness: Harness, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        try await harness.client.send(HTTPRequest(.get, harness.url + path, headers: headers))
    }

    @Test func aHeadlineLeadsToItsArticle() async throws {
        try await Harness.run { harness async throws in
            let list = try await get("/newsapi/v2/top-headlines?category=business", harness, ["X-Api-Key": "k"]).json
            #expect(
                list["status"] == "ok" && list["totalResults"]?.integer ?? 0 > 20
                    && list["articles"]?.array?.count == 20)
            let first = try #require(list["articles"]?[0])
            let url = try #require(first["url"]?.string)
            let response = try await harness.client.send(HTTPRequest(.get, url))
            let article = ArticleReader.read(response.body, contentType: response.headers["Content-Type"])
            #expect(article.title == first["title"]?.string && article.text.contains("This article is simulated."))
            #expect(article.publishedAt?.description == first["publishedAt"]?.string)
            #expect(!article.text.contains("No rights reserved"))
            #expect(harness.simulator.calls(to: .newsAPI).count == 1 && harness.simulator.calls(to: .web).count == 1)
        }
    }

    @Test(arguments: [("BTCUSD", false), ("SPY", true), ("VTI", true)])
    func coinsAndFundsHaveAPriceAndAProfile(_ symbol: String, _ isFund: Bool) async throws {
        try await Harness.run { harness async throws in
            let quote = try await get("/fmp/stable/quote?symbol=\(symbol)&apikey=k", harness).json
            #expect(quote[0]?["symbol"]?.string == symbol && quote[0]?["price"]?.double ?? 0 > 0)
            #expect(quote[0]?["simulated"] == true)
            let profile = try await get("/fmp/stable/profile?symbol=\(symbol)&apikey=k", harness).json
            #expect(profile[0]?["isEtf"] == .bool(isFund) && profile[0]?["currency"] == "USD")
        }
    }

    @Test func newsAPIRejectsInvalidRequestsLikeTheRealOne() async throws {
        try await Harness.run { harness async throws in
            let missing = try await get("/newsapi/v2/everything?q=x", harness)
            #expect(missing.status == 401 && missing.text.contains("apiKeyMissing"))
            let incomplete = try await get("/newsapi/v2/everything", harness, ["X-Api-Key": "k"])
            #expect(incomplete.status == 400 && incomplete.text.contains("parametersMissing"))
            let wrong = try await get("/newsapi/v2/everything?q=x&pageSize=1000", harness, ["X-Api-Key": "k"])
            #expect(wrong.status == 400 && wrong.text.contains("parameterInvalid"))
        }
    }

    @Test func bothFeedsHoldTheNewsAndAnswerConditionalRequests() async throws {
        try await Harness.run(SimulatorConfiguration(now: { 1_795_000_000_000 })) { harness async throws in
            var titles: [[String?]] = []
            for path in ["/web/feeds/news.xml", "/web/feeds/news.atom"] {
                let response = try await get(path, harness)
                let feed = try FeedReader.read(response.body, url: harness.url + path)
                titles.append(feed.items.map(\.title))
                #expect(feed.items.allSatisfy { $0.publishedAt != nil && $0.link?.hasPrefix(harness.url) == true })
                let etag = try #require(response.headers["ETag"])
                #expect(try await get(path, harness, ["If-None-Match": etag]).status == 304)
            }
            #expect(titles[0] == titles[1] && titles[0].count >= 10)
        }
    }

    @Test func newsOfStocksAreListedByTicker() async throws {
        try await Harness.run { harness async throws in
            let path = "/fmp/stable/news/stock?symbols=AAPL,BTC&apikey=k"
            let records = try await get(path, harness).json.array ?? []
            #expect(Set(records.compactMap { $0["symbol"]?.string }) == ["AAPL", "BTC"])
            #expect(try await get(path + "&page=9", harness).json.array?.isEmpty == true)
            #expect(try await get(path + "&page=9223372036854775807&limit=250", harness).json.array?.isEmpty == true)
            #expect(try await get("/fmp/stable/news/stock?symbols=AAPL", harness).status == 401)
        }
    }
}
