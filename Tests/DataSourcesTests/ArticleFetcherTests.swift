import Articles
import HTTP
import HTTPServer
import Testing

@testable import DataSources

@Suite struct ArticleFetcherTests {
    private static let page = """
        <html lang="en"><head><title>Bridge to close for two years | Example</title><link rel="canonical" href="/bridge"></head>
        <body><article><p>The council voted on Tuesday to close the old bridge, which carries 20,000 cars a day.</p></article>
        </body></html>
        """

    private func fetch(
        _ status: Int = 200, type: String? = "text/html; charset=utf-8", _ body: String = Self.page
    ) async throws -> (article: Article, url: String) {
        let transport = ScriptedTransport { _ in
            HTTPResponse(
                status: status, headers: type.map { ["Content-Type": $0] } ?? [:], body: Array(body.utf8),
                url: "https://example.com/bridge/amp?utm_source=x")
        }
        return try await ArticleFetcher(web: WebFetcher(transport: transport)).article(at: "https://example.com/x")
    }

    @Test func anArticleComesWithItsCanonicalAddress() async throws {
        let (article, url) = try await fetch()
        #expect(article.title == "Bridge to close for two years")
        #expect(article.text.hasPrefix("The council voted"))
        #expect(url == "https://example.com/bridge")
    }

    @Test func usersAddressesAreBoundToThePublicInternet() async throws {
        let transport = ScriptedTransport(status: 200, headers: ["Content-Type": "text/html"], Self.page)
        let web = WebFetcher(transport: transport, allowing: ["10.0.0.0/8"])
        _ = try await ArticleFetcher(web: web).article(at: "https://example.com/x")
        _ = try? await FeedFetcher(web: web).feed(at: "https://example.com/feed")
        #expect(transport.sent.count == 2)
        for request in transport.sent {
            #expect(request.destination == .publicInternet(allowing: ["10.0.0.0/8"]))
            #expect(request.limits.body == 8 << 20 && request.limits.redirects == 5)
            #expect(request.limits.total == .seconds(30) && request.limits.idle == .seconds(10))
        }
    }

    @Test(arguments: [
        (401, FetchError.refused(status: 401)), (402, .refused(status: 402)), (403, .refused(status: 403)),
        (451, .refused(status: 451)), (404, .notFound(status: 404)), (410, .notFound(status: 410)), (429, .rateLimited),
        (500, .failed(status: 500)), (304, .failed(status: 304)), (408, .timedOut),
    ])
    func aStatusWithoutAPageIsAnError(status: Int, expected: FetchError) async {
        await #expect(throws: expected) { try await fetch(status) }
    }

    @Test(arguments: ["application/pdf", "image/png", "video/mp4", "application/zip", "application/json"])
    func filesAreNoPages(type: String) async {
        await #expect(throws: FetchError.notAPage) { try await fetch(type: type, "{}") }
    }

    // MARK: Documents

    /// A document of one page with a line of text for each element.
    private static func document(_ lines: [String]) -> String {
        let text = lines.map { "(\($0)) Tj 0 -14 Td" }.joined(separator: "\n")
        let content = "BT /F1 12 Tf 72 700 Td\n\(text)\nET"
        return """
            %PDF-1.4
            1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
            2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
            3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R
            /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj
            4 0 obj << /Length \(content.utf8.count) >> stream
            \(content)
            endstream endobj
            trailer << /Root 1 0 R >>
            """
    }

    @Test(arguments: ["application/pdf", "application/octet-stream", "text/html"])
    func theTextOfADocumentIsReadUnderAnyName(type: String) async throws {
        let lines = ["To the shareholders", " ", "Our gain in net worth during the year was", "$65.3 billion."]
        let (article, _) = try await fetch(type: type, Self.document(lines))
        #expect(article.text.contains("Our gain in net worth during the year was $65.3 billion."))
    }

    @Test func aDamagedDocumentIsAnError() async {
        await #expect(throws: FetchError.unreadableDocument) {
            try await fetch(type: "application/pdf", "%PDF-1.7\nnothing of a document")
        }
    }

    @Test func aDocumentWithoutTextIsAnError() async {
        await #expect(throws: FetchError.noText) { try await fetch(type: "application/pdf", Self.document([])) }
    }

    @Test func linesOfADocumentBecomeParagraphs() {
        let text = "A letter\n\nThe compa-\nny grew.\nIt is Coca-\nCola.\n\n\u{C}Next page\n"
        #expect(PDFReader.paragraphs(of: text) == ["A letter", "The company grew. It is Coca- Cola.", "Next page"])
    }

    @Test func aDeclaredContentTypeIsCheckedAgainstTheBody() async throws {
        await #expect(throws: FetchError.notAPage) { try await fetch(type: "text/html", "GIF89a …") }
        #expect(try await fetch(type: nil).article.title != nil)
        #expect(try await fetch(type: "text/plain").article.title != nil)
        #expect(try await fetch(type: "text/plain", "Just a text.").article.text == "Just a text.")
        await #expect(throws: FetchError.noText) { try await fetch(200, "<html><body></body></html>") }
    }

    @Test(arguments: [
        (HTTPClientError.forbiddenAddress(host: "h", address: "a"), FetchError.notPublic),
        (.forbiddenPort(host: "h", port: 25), .notPublic), (.invalidURL("secret"), .invalidURL),
        (.timedOut(host: "h"), .timedOut), (.bodyTooLarge(limit: 1), .tooLarge),
        (.cannotResolve(host: "h"), .notPublic), (.cannotConnect(host: "h"), .unreachable),
        (.tooManyRedirects(limit: 5), .tooManyRedirects), (.insecure(host: "h", reason: "r"), .insecure),
        (.cancelled, .cancelled),
    ])
    func failuresOfTheConnectionDoNotShowTheAddress(cause: HTTPClientError, expected: FetchError) async {
        let transport = ScriptedTransport { _ throws(HTTPClientError) in throw cause }
        let error = await #expect(throws: FetchError.self) {
            try await ArticleFetcher(web: WebFetcher(transport: transport)).article(at: "https://secret.example/k=v")
        }
        #expect(error == expected && error.map { "\($0)".contains("secret") } == false)
    }

    @Test func privateServersAreReachedOnlyWhenListed() async throws {
        let server = HTTPServer(configuration: HTTPServerConfiguration(address: "127.0.0.1:0")) { request in
            request.path == "/away"
                ? ServerResponse(status: 302, headers: ["location": "http://[::1]:1/inside"], bytes: [])
                : ServerResponse(status: 200, headers: ["content-type": "text/html"], bytes: Array(Self.page.utf8))
        }
        let url = try server.start().url
        let client = HTTPClient()
        let closed = ArticleFetcher(web: WebFetcher(transport: client))
        let open = ArticleFetcher(web: WebFetcher(transport: client, allowing: ["127.0.0.1"]))
        let found = try await open.article(at: url + "/bridge")
        await #expect(throws: FetchError.notPublic) { try await closed.article(at: url + "/bridge") }
        await #expect(throws: FetchError.notPublic) { try await open.article(at: url + "/away") }
        await client.shutdown()
        await server.shutdown(grace: .zero)
        #expect(found.url == url + "/bridge")
    }
}
