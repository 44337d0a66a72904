package import Articles
import HTTP

/// Fetches web articles.
package struct ArticleFetcher: Sendable {
    private let web: WebFetcher

    private static let accept = "text/html,application/xhtml+xml,text/plain;q=0.5,application/pdf;q=0.5,*/*;q=0.1"

    package init(web: WebFetcher) { self.web = web }

    /// The article at an address.
    ///
    /// - Returns: the article and its canonical address.
    /// - Throws: `notAPage` when the content is not text, `noText` for a page without text, `unreadableDocument` for a
    ///   PDF whose text cannot be had.
    package func article(at url: String) async throws(FetchError) -> (article: Article, url: String) {
        let page = try await page(at: url)
        return (page.article, page.url)
    }

    /// A page with its addresses.
    struct Page: Sendable {
        var article: Article
        /// The canonical address.
        var url: String
        /// The address at the end of all redirects.
        var foundAt: String
    }

    /// As `article`, with the address at which the page was found.
    func page(at url: String) async throws(FetchError) -> Page {
        let response = try await web.get(url, accept: Self.accept)
        if let error = FetchError(status: response.status) { throw error }
        let type = response.headers["Content-Type"]
        let article: Article
        switch Self.kind(type, response.body) {
        case .page: article = ArticleReader.read(response.body, contentType: type)
        case .plainText: article = Article(text: PlainText.read(response.body, contentType: type))
        case .document: article = try await PDFReader.read(response.body)
        case .other: throw .notAPage
        }
        guard article.text.contains(where: { !$0.isWhitespace }) else { throw .noText }
        let found = response.url.isEmpty ? url : response.url
        return Page(article: article, url: CanonicalURL.of(article, foundAt: found) ?? found, foundAt: found)
    }

    private enum Kind { case page, plainText, document, other }

    /// A declared content type is often wrong for pages and hardly ever for anything else.
    private static func kind(_ type: String?, _ body: [UInt8]) -> Kind {
        // Documents come under any name.
        if PDFReader.isDocument(body) { return .document }
        let name = (type ?? "").prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        switch name {
        case "text/html", "application/xhtml+xml": return isBinary(body) ? .other : .page
        case "text/plain": return isBinary(body) ? .other : looksLikePage(body) ? .page : .plainText
        case "", "application/octet-stream", "application/xml", "text/xml": return looksLikePage(body) ? .page : .other
        default: return .other
        }
    }

    private static func looksLikePage(_ body: [UInt8]) -> Bool {
        let head = String(decoding: body.prefix(1024), as: UTF8.self).lowercased()
        return ["<!doctype html", "<html", "<head", "<body", "<article"].contains { head.contains($0) }
    }

    /// The first bytes of formats that are served under any name.
    private static func isBinary(_ body: [UInt8]) -> Bool {
        ["PK\u{3}\u{4}", "\u{89}PNG", "GIF8", "\u{7F}ELF"].contains { mark in
            body.starts(with: mark.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        } || body.starts(with: [0xFF, 0xD8, 0xFF])
    }
}

/// The validators of the last copy of a feed, for a conditional request.
package struct FeedState: Sendable, Hashable, Codable {
    package var etag: String?
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Longer values and values with control characters are not sent back.
    private static func usable(_ value: String?) -> String? {
        value.flatMap { $0.utf8.count <= 512 && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? $0 : nil }
    }

    init(_ headers: HTTPHeaders) {
        self.init(etag: Self.usable(headers["ETag"]), lastModified: Self.usable(headers["Last-Modified"]))
    }

    var headers: [(String, String)] {
        [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap { name, value in
            Self.usable(value).map { (name, $0) }
        }
    }
}

/// Fetches feeds.
package struct FeedFetcher: Sendable {
    package enum Answer: Sendable, Hashable {
        /// Nothing has changed since the state that was given.
        case unchanged
        /// The feed, and the state to ask with next time.
        case changed(Feed, FeedState)
    }

    private let web: WebFetcher

    private static let accept =
        "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5"

    /// A server that answers in place of all others; `nil` for the feeds' own servers.
    private let mirror: String?

    /// - Parameters:
    ///   - web: Fetches the feeds.
    ///   - mirror: A base URL: the feed at `https://example.com/news.xml` is read at `MIRROR/example.com/news.xml`.
    package init(web: WebFetcher, mirror: String? = nil) {
        self.web = web
        self.mirror = mirror
    }

    /// The address at which a feed is read. The mirror's own addresses and those beside it stay as they are.
    private func address(of url: String) -> String {
        guard let mirror, WebAddress(url).host != WebAddress(mirror).host, let scheme = url.firstRange(of: "://")
        else { return url }
        return mirror + "/" + url[scheme.upperBound...]
    }

    /// The feed at an address, unless it is the one that the state is of.
    package func feed(at url: String, since state: FeedState = FeedState()) async throws(FetchError) -> Answer {
        let response = try await web.get(address(of: url), accept: Self.accept, headers: state.headers)
        if response.status == 304 { return .unchanged }
        if let error = FetchError(status: response.status) { throw error }
        do {
            let feed = try FeedReader.read(
                response.body, contentType: response.headers["Content-Type"],
                url: response.url.isEmpty ? url : response.url)
            return .changed(feed, FeedState(response.headers))
        } catch {
            throw .feed(error)
        }
    }
}
