/// A news article as the service keeps it.
///
/// Articles are deleted after a while: refer to an article by `id`, and expect that it may have been deleted.
package struct NewsArticle: Hashable, Sendable, Codable {
    /// A short hash of `url`: the same at any source and at any time.
    package var id: String
    /// The canonical address; unique, as is `id`.
    package var url: String
    package var title: String
    /// A sentence or two, as the source gives them.
    package var description: String?
    /// The main text, where the feed carried it or the page was read: paragraphs separated by blank lines.
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
    /// The symbols of companies and assets that the source or the title names, in alphabetical order.
    package var tickers: [String]
    /// The time of arrival where the source states no time.
    package var publishedAt: Timestamp
    /// The time at which the article arrived. Articles that arrived together share it; among them `publishedAt` and
    /// then `id` give the order of arrival.
    package var fetchedAt: Timestamp
    /// The day (`2026-11-21`, UTC) among whose stories it counts; `nil` when it was too old for any day.
    package var day: String?
    /// Nearly identical articles have nearly identical fingerprints.
    package var fingerprint: ArticleFingerprint
    /// The id of an earlier article with nearly the same text. Such a duplicate is in no list and in no story.
    package var duplicateOf: String?

    package init(
        id: String, url: String, title: String, description: String? = nil, text: String? = nil, source: String,
        author: String? = nil, image: String? = nil, language: String? = nil, category: String? = nil,
        tickers: [String] = [], publishedAt: Timestamp, fetchedAt: Timestamp, day: String? = nil,
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

    /// The article's position in lists; the next page begins after it.
    package var cursor: ArticleCursor { ArticleCursor(publishedAt: publishedAt, id: id) }
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
    /// The bits as a signed number, the form in stores.
    package var bits: Int64
    /// The number of words that were counted; a fingerprint of few words is unreliable.
    package var words: Int

    package init(bits: Int64 = 0, words: Int = 0) {
        self.bits = bits
        self.words = words
    }
}

/// The vector that an embedding model made of an article's title and description. An article has at most one, the
/// first.
package struct ArticleVector: Hashable, Sendable, Codable {
    /// The article's id.
    package var article: String
    /// The model; vectors of different models cannot be compared.
    package var model: String
    /// The vector in the form of `VectorComponents`.
    package var components: String

    package init(article: String, model: String, components: String) {
        self.article = article
        self.model = model
        self.components = components
    }

    package init(article: String, model: String, values: [Float]) {
        self.init(article: article, model: model, components: VectorComponents.text(of: values))
    }

    package var values: [Float] { VectorComponents.values(of: components) }
}

extension ArticleVector: StoredRecord {
    package static var noun: String { "article_vector" }
    package var naturalKey: String { article }
    package var texts: [(name: String, text: String?)] {
        [
            ("article_vector.article", article), ("article_vector.model", model),
            ("article_vector.components", components),
        ]
    }
}

/// A model's reading of an article for investors: a signal as `POST /v1/interpret` answers.
///
/// It is shown to the user who asked for it alone: the page that a user names may differ from the article that others
/// read under the same address.
package struct ArticleSignal: Hashable, Sendable, Codable {
    package var user: UserID
    /// The article's canonical address, at most `longestURL` bytes.
    package var url: String
    /// A JSON object: `verdict`, `why`, `action`, `horizon`, `opportunity_type`, `opportunity_note`, `confidence`,
    /// `importance_score`.
    package var signal: String
    /// Of two signals of one user and article the later one is kept.
    package var madeAt: Timestamp

    /// Databases bound the entries of the index of addresses.
    package static let longestURL = 2048
    /// A signal that is older than the latest one by more than this is deleted.
    package static let lifetime: Duration = .seconds(30 * 86_400)

    package init(user: UserID, url: String, signal: String, madeAt: Timestamp) {
        self.user = user
        self.url = url
        self.signal = signal
        self.madeAt = madeAt
    }
}

extension ArticleSignal: StoredRecord {
    package static var noun: String { "article_signal" }
    package var naturalKey: String { "\(user.rawValue) \(url)" }
    package var texts: [(name: String, text: String?)] {
        [("article_signal.url", url), ("article_signal.signal", signal)]
    }
}
