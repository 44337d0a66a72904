import Articles
import HTTP
import Testing

@testable import DataSources

@Suite struct FeedFetcherTests {
    private let feed = "<rss><channel><title>T</title><item><title>A</title><link>/a</link></item></channel></rss>"

    private func fetcher(_ transport: ScriptedTransport) -> FeedFetcher {
        FeedFetcher(web: WebFetcher(transport: transport))
    }

    @Test func theValidatorsOfAnAnswerMakeTheNextRequestConditional() async throws {
        let feed = feed
        let transport = ScriptedTransport { request in
            request.headers["If-None-Match"] == "\"v1\""
                ? HTTPResponse(status: 304)
                : HTTPResponse(
                    status: 200, headers: ["ETag": "\"v1\"", "Last-Modified": "Fri, 20 Nov 2026 08:00:00 GMT"],
                    body: Array(feed.utf8), url: "https://feeds.example/new/x.xml")
        }
        guard case .changed(let found, let state) = try await fetcher(transport).feed(at: "https://feeds.example/x.xml")
        else {
            Issue.record("no feed")
            return
        }
        #expect(found.items.map(\.link) == ["https://feeds.example/a"])
        #expect(state == FeedState(etag: "\"v1\"", lastModified: "Fri, 20 Nov 2026 08:00:00 GMT"))
        #expect(try await fetcher(transport).feed(at: "https://feeds.example/x.xml", since: state) == .unchanged)
        #expect(transport.sent.last?.headers["If-Modified-Since"] == "Fri, 20 Nov 2026 08:00:00 GMT")
        #expect(transport.sent.first?.headers["If-None-Match"] == nil)
    }

    @Test func validatorsThatCannotBeSentAreDropped() {
        let headers: HTTPHeaders = ["ETag": String(repeating: "x", count: 1000), "Last-Modified": "a\u{7F}b"]
        #expect(FeedState(headers) == FeedState())
        #expect(FeedState(etag: "a\r\nHost: b").headers.isEmpty)
    }

    @Test func anotherDocumentIsReportedAsNoFeed() async {
        await #expect(throws: FetchError.feed(.webPage)) {
            try await fetcher(ScriptedTransport(status: 200, "<html></html>")).feed(at: "https://a.example/")
        }
        await #expect(throws: FetchError.notFound(status: 404)) {
            try await fetcher(ScriptedTransport(status: 404, "")).feed(at: "https://a.example/")
        }
    }
}
