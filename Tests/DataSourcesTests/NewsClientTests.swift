import Articles
import HTTP
import Basics
import Testing

@testable import DataSources

@Suite struct NewsClientTests {
    private static let list =
        #"{"status":"ok","totalResults":7,"articles":["#
        + #"{"source":{"id":null,"name":"Example"},"author":null,"title":"A &amp; B","description":"D","url":"https://e.example/a","#
        + #""urlToImage":null,"publishedAt":"2026-11-20T08:00:00Z","content":"First… [+3012 chars]"},"#
        + #"{"title":"[Removed]","url":"https://removed.example"},{"title":"No address","url":"javascript:x"}]}"#

    private func client(_ transport: ScriptedTransport) -> NewsAPIClient {
        NewsAPIClient(key: Secret("s3cret"), base: "http://localhost:1/v2", transport: transport)
    }

    @Test func headlinesAreRequestedAndRead() async throws {
        let transport = ScriptedTransport(status: 200, Self.list)
        let page = try await client(transport).topHeadlines(category: .business, query: "a b&c", page: 2, pageSize: 500)
        #expect(page.total == 7 && page.items.map(\.title) == ["A & B"])
        #expect(page.items.first?.publication == "Example" && page.items.first?.author == nil)
        #expect(page.items.first?.publishedAt?.description == "2026-11-20T08:00:00Z")
        let request = try #require(transport.sent.first)
        #expect(
            request.url == "http://localhost:1/v2/top-headlines?category=business&q=a%20b%26c&pageSize=100&page=2")
        #expect(request.headers["X-Api-Key"] == "s3cret")
    }

    @Test func everythingIsRequestedByItsParameters() async throws {
        let transport = ScriptedTransport(status: 200, Self.list)
        _ = try await client(transport).everything(query: "rates", domains: ["a.example", "b.example"], language: "en")
        #expect(
            transport.sent.first?.url
                == "http://localhost:1/v2/everything?q=rates&domains=a.example%2Cb.example&language=en&sortBy=publishedAt"
                + "&pageSize=100&page=1")
        _ = try await client(transport).topHeadlines()
        #expect(transport.sent.last?.url.contains("country=us") == true)
    }

    @Test(arguments: [
        (401, #"{"status":"error","code":"apiKeyInvalid","message":"s3cret"}"#, false),
        (429, #"{"status":"error","code":"rateLimited","message":"s3cret"}"#, true), (500, "s3cret", true),
        (400, #"{"status":"error","code":"parametersMissing"}"#, false), (426, #"{"code":"upgradeRequired"}"#, false),
        (200, "not JSON s3cret", false), (200, #"{"status":"error","code":"unexpectedError"}"#, false),
        (401, "", false),
    ])
    func errorsOfNewsAPICarryNoKey(status: Int, body: String, isTransient: Bool) async {
        let error = await #expect(throws: DataSourceError.self) {
            try await client(ScriptedTransport(status: status, body)).topHeadlines()
        }
        #expect(error?.isTransient == isTransient)
        #expect(!String(reflecting: error).contains("s3cret"))
    }

    @Test func theKeyIsNotShownWithTheClient() {
        var shown = "\(client(ScriptedTransport(status: 200, "")))"
        dump(client(ScriptedTransport(status: 200, "")), to: &shown)
        #expect(shown.contains("[redacted]") && !shown.contains("s3cret"))
    }

    @Test func newsOfStocksAreRead() async throws {
        let transport = ScriptedTransport(
            status: 200,
            #"[{"symbol":"AAPL","publishedDate":"2026-11-20 08:00:00","publisher":"P","title":"T","image":"i","site":"s","#
                + #""text":"x","url":"https://e.example/a"},{"symbol":"AAPL","title":null}]"#)
        let client = FMPClient(key: Secret("s3cret"), base: "http://localhost:1/stable", transport: transport)
        let page = try await client.stockNews(of: ["aapl", "brk.b"], from: "2026-11-01", page: 1)
        #expect(page.items.map(\.tickers) == [["AAPL"]])
        #expect(page.items.first?.publishedAt?.description == "2026-11-20T08:00:00Z")
        #expect(
            transport.sent.first?.url
                == "http://localhost:1/stable/news/stock?symbols=AAPL%2CBRK-B&from=2026-11-01&page=1&limit=50&apikey=s3cret"
        )
        await #expect(throws: DataSourceError.self) { try await client.stockNews(of: ["not a ticker!"]) }
    }

    @Test func aPlanWithoutNewsIsNotCovered() async {
        let client = FMPClient(
            key: Secret("s3cret"), base: "http://localhost:1",
            transport: ScriptedTransport(status: 402, "Premium s3cret"))
        await #expect(throws: DataSourceError.notCovered(.fmp, ticker: "AAPL")) {
            try await client.stockNews(of: ["AAPL"])
        }
    }
}
