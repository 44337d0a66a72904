internal import Articles
internal import DataSources
internal import Basics
internal import News

/// An article as a source lists it, within bounds and under its canonical address.
struct FoundArticle: Sendable, Hashable {
    private static let longestURL = 2048
    private static let longestText = 100_000

    var url: String
    /// The address as the source gives it, by which the page is read.
    var link: String
    var title: String
    var description: String?
    var text: String?
    var source: String
    var author: String?
    var image: String?
    var language: String?
    var category: String?
    /// What the source says it is about, and what title and description name.
    var tickers: [String]
    /// Milliseconds since 1970.
    var publishedAt: Int64?

    /// A short hash of the canonical address: what an article is known by.
    var id: String { String(SHA256.hex(url).prefix(16)) }

    /// `nil` without a title, and for what is no address of the web.
    init?(_ item: NewsItem, category: String?) {
        self.init(
            link: item.url, title: item.title, description: item.summary, source: item.publication,
            publishedAt: item.publishedAt)
        author = Self.line(item.author, 200)
        image = Self.image(item.image)
        self.category = category
        note(tickers: item.tickers)
    }

    init?(_ item: FeedItem, in feed: Feed, order: IngestSettings.FeedInput) {
        self.init(
            link: item.link ?? "", title: item.title ?? "", description: item.summary,
            source: order.source ?? feed.title,
            publishedAt: item.publishedAt ?? item.updatedAt)
        author = Self.line(item.author, 200)
        image = Self.image(item.image)
        language = Self.line(feed.language, 35)
        text = item.content.flatMap { Self.text(HTMLText.plain($0), Self.longestText) }
        // What is hardly more than the summary is no text.
        if let text, text.count < 2 * (description?.count ?? 0) { self.text = nil }
        category =
            order.category
            ?? item.categories.lazy.compactMap { NewsAPIClient.Category(rawValue: $0.lowercased())?.rawValue }.first
        note(tickers: [])
    }

    private init?(link: String, title: String, description: String?, source: String?, publishedAt: PublishedDate?) {
        guard link.utf8.count <= Self.longestURL, let url = CanonicalURL.normalized(Self.clean(link)),
            url.utf8.count <= Self.longestURL, let title = Self.line(title, 500)
        else { return nil }
        self.url = url
        self.link = link
        self.title = title
        self.description = description.flatMap { Self.line($0, 1000) }
        if self.description == title { self.description = nil }
        self.source = Self.line(source, 200) ?? WebAddress(url).host ?? ""
        self.publishedAt = publishedAt.map { $0.secondsSinceEpoch * 1000 }
        tickers = []
    }

    /// The text of the article's page.
    mutating func take(page text: String) { self.text = Self.text(text, Self.longestText) }

    private mutating func note(tickers given: [String]) {
        let story = StoryArticle(
            id: "", title: title, description: description, url: url, source: source, publishedAt: 0,
            tickers: given.compactMap { TickerSymbol($0) })
        tickers = TickerRecognizer().tickers(of: story).map(\.text).sorted()
    }

    private static func image(_ text: String?) -> String? {
        guard let text = line(text, longestURL), WebAddress(text).isWeb, text.utf8.count <= longestURL else {
            return nil
        }
        return text
    }

    /// In one line and cut to so many characters; `nil` for nothing.
    private static func line(_ text: String?, _ limit: Int) -> String? {
        let words = clean(text ?? "").split(whereSeparator: \.isWhitespace)
        return cut(words.joined(separator: " "), limit)
    }

    private static func text(_ text: String, _ limit: Int) -> String? {
        cut(clean(text).trimmingSpace, limit)
    }

    private static func cut(_ text: String, _ limit: Int) -> String? {
        if text.isEmpty { return nil }
        return text.count <= limit ? text : String(text.prefix(limit - 1)) + "…"
    }

    /// No store keeps a NUL, and feeds hold what they like.
    private static func clean(_ text: String) -> String {
        text.utf8.contains(0) ? text.filter { $0 != "\0" } : text
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last].drop(while: \.isWhitespace))
    }
}
