import HTTP
import Testing

@testable import DataSources

@Suite struct PageCrawlerTests {
    private static let page = """
        <html><head><title>Bridge to close</title></head>
        <body><article><p>The council voted on Tuesday to close the old bridge.</p></article></body></html>
        """

    /// A web of pages by address; all others are missing.
    private func web(_ pages: [String: (status: Int, body: String)]) -> ScriptedTransport {
        ScriptedTransport { request in
            let page = pages[request.url] ?? (404, "")
            return HTTPResponse(
                status: page.status, headers: ["Content-Type": "text/html"], body: Array(page.body.utf8),
                url: request.url.replacing("/moved", with: "/closed/x"))
        }
    }

    private func crawler(_ transport: ScriptedTransport, _ time: ManualTime = ManualTime()) -> PageCrawler {
        PageCrawler(web: WebFetcher(transport: transport), time: time.source)
    }

    @Test func aPageThatRobotsForbidsIsNotAskedFor() async throws {
        let transport = web([
            "https://a.example/robots.txt": (200, "User-agent: *\nDisallow: /closed\n"),
            "https://a.example/open": (200, Self.page), "https://a.example/closed": (200, Self.page),
            "https://a.example/moved": (200, Self.page),
        ])
        let crawler = crawler(transport)
        #expect(try await crawler.read("https://a.example/open").text.hasPrefix("The council voted"))
        await #expect(throws: FetchError.disallowed) { try await crawler.read("https://a.example/closed?x=1") }
        // Nor is a page used that a redirect led to.
        await #expect(throws: FetchError.disallowed) { try await crawler.read("https://a.example/moved") }
        #expect(
            transport.sent.map(\.url) == [
                "https://a.example/robots.txt", "https://a.example/open", "https://a.example/moved",
            ])
    }

    @Test func theTextOfAPageForSubscribersIsNotUsed() async {
        let closed = Self.page.replacing(
            "</head>",
            with:
                "<script type='application/ld+json'>{\"@type\":\"NewsArticle\",\"isAccessibleForFree\":false}</script></head>"
        )
        let transport = web(["https://a.example/x": (200, closed), "https://a.example/y": (402, "")])
        await #expect(throws: FetchError.subscription) { try await crawler(transport).read("https://a.example/x") }
        await #expect(throws: FetchError.refused(status: 402)) {
            try await crawler(transport).read("https://a.example/y")
        }
    }

    @Test(arguments: [500, 503, 429])
    func aSiteWhoseRulesCannotBeReadIsLeftAlone(_ status: Int) async {
        let transport = web([
            "https://a.example/robots.txt": (status, ""), "https://a.example/x": (200, Self.page),
        ])
        await #expect(throws: FetchError.self) { try await crawler(transport).read("https://a.example/x") }
        #expect(transport.sent.map(\.url) == ["https://a.example/robots.txt"])
    }

    @Test func aSiteIsAskedWithPausesAndItsRulesOnceADay() async throws {
        let transport = web([
            "https://a.example/robots.txt": (200, "User-agent: dossier\nCrawl-delay: 3\n"),
            "https://a.example/x": (200, Self.page), "https://b.example:8443/x": (200, Self.page),
        ])
        let time = ManualTime()
        let crawler = crawler(transport, time)
        for _ in 0..<3 { _ = try await crawler.read("https://a.example/x") }
        #expect(time.sleeps == [.seconds(3), .seconds(6)])
        _ = try await crawler.read("https://b.example:8443/x")
        #expect(time.sleeps.count == 2)
        #expect(transport.sent.count { $0.url.hasSuffix("/robots.txt") } == 2)
        time.advance(by: .seconds(90_000))
        _ = try await crawler.read("https://a.example/x")
        #expect(transport.sent.count { $0.url.hasSuffix("/robots.txt") } == 3)
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "", "/x", "https://"])
    func addressesThatAreNoneAreRefusedWithoutARequest(_ url: String) async {
        let transport = web([:])
        await #expect(throws: FetchError.invalidURL) { try await crawler(transport).read(url) }
        #expect(transport.sent.isEmpty)
    }
}
