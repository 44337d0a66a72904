/// A news article as the service keeps it.
///
/// Articles go after a while: refer to them by `id`, and expect that one is gone.
package struct NewsArticle: Hashable, Sendable, Codable {
    /// A short hash of `url`: the same wherever and whenever the article is found.
    package var id: String
    /// The canonical address; unique, as is `id`.
    package var url: String
    package var title: String
    /// A sentence or two, as the source gives them.
    package var description: String?
    /// The main text, where the feed carried it or the page was read: paragraphs apart by blank lines.
    package var text: String?
    /// The name of the publication.
    package var source: String
    package var author: String?
    /// The address of a picture.
    package var image: String?
    /// A language tag such as `en` or `pt-BR`.
    package var language: String?
    /// One of the words by which NewsAPI sorts articles: `business`, `technology`, …
    package var category: String?
    /// The symbols of companies and assets that the source or the title names, in order of the alphabet.
    package var tickers: [String]
    /// Milliseconds since 1970; the time of arrival where the source states none.
    package var publishedAt: Int64
    /// When the article arrived, in milliseconds since 1970. Articles that arrived together share it, and count as having
    /// arrived by `publishedAt` and then by `id`.
    package var fetchedAt: Int64
    /// The day (`2026-11-21`, UTC) among whose stories it counts; `nil` when it was too old for those of any.
    package var day: String?
    /// By which nearly identical articles are found.
    package var fingerprint: ArticleFingerprint
    /// The id of the article that said nearly the same before. Such an article is in no list and in no story.
    package var duplicateOf: String?

    package init(
        id: String, url: String, title: String, description: String? = nil, text: String? = nil, source: String,
        author: String? = nil, image: String? = nil, language: String? = nil, category: String? = nil,
        tickers: [String] = [], publishedAt: Int64, fetchedAt: Int64, day: String? = nil,
        fingerprint: ArticleFingerprint = ArticleFingerprint(), duplicateOf: String? = nil
    ) {
        self.id = id
        self.url = url
        self.title = title
        self.description = description
        self.text = text
        self.source = source
        self.author = author
        self.image = image
        self.language = language
        self.category = category
        self.tickers = tickers
        self.publishedAt = publishedAt
        self.fetchedAt = fetchedAt
        self.day = day
        self.fingerprint = fingerprint
        self.duplicateOf = duplicateOf
    }
}

extension NewsArticle: StoredRecord {
    package static var noun: String { "article" }
    package var naturalKey: String { id }
    package var texts: [(name: String, text: String?)] {
        [
            ("article.id", id), ("article.url", url), ("article.title", title), ("article.description", description),
            ("article.text", text), ("article.source", source), ("article.author", author), ("article.image", image),
            ("article.language", language), ("article.category", category), ("article.day", day),
            ("article.duplicate_of", duplicateOf),
        ] + tickers.map { ("article.tickers", $0) }
    }
}

/// A text in 64 bits such that nearly identical texts differ in few of them.
package struct ArticleFingerprint: Hashable, Sendable, Codable {
    /// The bits as a number with a sign, which is what stores keep.
    package var bits: Int64
    /// How many words were counted; with few of them it says little.
    package var words: Int

    package init(bits: Int64 = 0, words: Int = 0) {
        self.bits = bits
        self.words = words
    }
}
