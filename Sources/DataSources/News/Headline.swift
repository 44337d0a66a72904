package import Articles
internal import Basics
package import JSON

/// An article in a list of headlines, as cached until `ingest` stores it.
package struct Headline: Sendable, Hashable {
    private static let longestText = 2000
    private static let longestPage = 100_000

    /// The same as the article has once it is taken in: the head of the digest of its canonical address.
    package var id: String
    /// The canonical address.
    package var url: String
    package var title: String
    /// A sentence or two.
    package var description: String?
    /// The beginning of the text, cut by the source.
    package var excerpt: String?
    /// The main text, once the page was read.
    package private(set) var text: String?
    /// The name of the publication.
    package var source: String
    package var author: String?
    /// The address of a picture.
    package var image: String?
    package var category: String?
    /// Milliseconds since 1970.
    package var publishedAt: Int64

    /// `nil` for an item without a web address. `now`, in milliseconds since 1970, replaces a time of publication
    /// that is missing or in the future.
    package init?(_ item: NewsItem, category: String?, now: Int64) {
        guard let url = CanonicalURL.normalized(item.url), url.utf8.count <= 2048, !url.utf8.contains(0) else {
            return nil
        }
        func clean(_ text: String?) -> String? {
            text.map { String($0.sanitized.prefix(scalars: Self.longestText)) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        self.url = url
        id = String(SHA256.hex(url).prefix(16))
        title = clean(item.title) ?? ""
        description = clean(item.summary)
        excerpt = clean(item.excerpt).map(Self.withoutCount)
        source = clean(item.publication) ?? WebAddress(url).host ?? ""
        author = clean(item.author)
        image = clean(item.image).flatMap { WebAddress($0).isWeb ? $0 : nil }
        self.category = category
        publishedAt = min(item.publishedAt.map { $0.secondsSinceEpoch * 1000 } ?? now, now)
    }
}

extension Headline {
    /// Takes the text of the page, or of another record of the headline, where it is longer than the known one.
    package mutating func take(text page: String?) {
        guard let page = page?.sanitized, !page.isEmpty,
            page.unicodeScalars.count > (text ?? excerpt ?? "").unicodeScalars.count
        else { return }
        text = String(page.prefix(scalars: Self.longestPage))
    }

    /// NewsAPI marks the length of the removed text: `… [+2345 chars]`.
    private static func withoutCount(_ text: String) -> String {
        guard text.hasSuffix(" chars]"), let bracket = text.lastIndex(of: "[") else { return text }
        let rest = text[..<bracket]
        return String(rest.last == " " ? rest.dropLast() : rest)
    }

    /// The cache key of a headline.
    package static func documentKey(_ id: String) -> String { "headline:\(id)" }

    package var json: JSON {
        [
            "id": JSON(id), "url": JSON(url), "title": JSON(title), "description": JSON(description),
            "excerpt": JSON(excerpt), "text": JSON(text), "source": JSON(source), "author": JSON(author),
            "image": JSON(image),
            "category": JSON(category), "published_at": JSON(publishedAt),
        ]
    }

    /// Reads the output of `json`.
    package init(_ field: JSONField) throws(JSONFieldError) {
        id = try field["id"].string()
        url = try field["url"].string()
        title = try field["title"].string()
        description = try field["description"].optional?.string()
        excerpt = try field["excerpt"].optional?.string()
        text = try field["text"].optional?.string()
        source = try field["source"].string()
        author = try field["author"].optional?.string()
        image = try field["image"].optional?.string()
        category = try field["category"].optional?.string()
        publishedAt = try field["published_at"].integer()
    }
}

/// A news article as a source lists it, without its text.
package struct NewsItem: Sendable, Hashable {
    package var title: String
    /// As the source gives it.
    package var url: String
    package var summary: String?
    /// The beginning of the text, cut by the source.
    package var excerpt: String?
    package var image: String?
    package var author: String?
    /// The name of the publication.
    package var publication: String?
    package var publishedAt: PublishedDate?
    /// The tickers that the source says it is about.
    package var tickers: [String]

    package init(
        title: String, url: String, summary: String? = nil, excerpt: String? = nil, image: String? = nil,
        author: String? = nil, publication: String? = nil, publishedAt: PublishedDate? = nil, tickers: [String] = []
    ) {
        self.title = title
        self.url = url
        self.summary = summary
        self.excerpt = excerpt
        self.image = image
        self.author = author
        self.publication = publication
        self.publishedAt = publishedAt
        self.tickers = tickers
    }
}

/// One page of a list of news.
package struct NewsPage: Sendable, Hashable {
    package var items: [NewsItem]
    /// The total number of items at the source, when it reports one.
    package var total: Int?

    package init(items: [NewsItem], total: Int? = nil) {
        self.items = items
        self.total = total
    }
}
