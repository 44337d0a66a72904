package import Articles
import HTTP

/// Fetches web articles.
package struct ArticleFetcher: Sendable {
    private let web: WebFetcher

    private static let accept = "text/html,application/xhtml+xml,text/plain;q=0.5,*/*;q=0.1"

    package init(web: WebFetcher) { self.web = web }

    /// The article at an address.
    ///
    /// - Returns: the article and the canonical address under which to keep it.
    /// - Throws: `notAPage` for what is no text, `noText` for a page without any.
    package func article(at url: String) async throws(FetchError) -> (article: Article, url: String) {
        let response = try await web.get(url, accept: Self.accept)
        if let error = FetchError(status: response.status) { throw error }
        let type = response.headers["Content-Type"]
        let article: Article
        switch Self.kind(type, response.body) {
        case .page: article = ArticleReader.read(response.body, contentType: type)
        case .plainText: article = Article(text: PlainText.read(response.body, contentType: type))
        case .other: throw .notAPage
        }
        guard article.text.contains(where: { !$0.isWhitespace }) else { throw .noText }
        let found = response.url.isEmpty ? url : response.url
        return (article, CanonicalURL.of(article, foundAt: found) ?? found)
    }

    private enum Kind { case page, plainText, other }

    /// What servers say of a body is often wrong for pages, hardly ever for anything else.
    private static func kind(_ type: String?, _ body: [UInt8]) -> Kind {
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
        ["%PDF-", "PK\u{3}\u{4}", "\u{89}PNG", "GIF8", "\u{7F}ELF"].contains { mark in
            body.starts(with: mark.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        } || body.starts(with: [0xFF, 0xD8, 0xFF])
    }
}
