/// Reads stored articles. Jobs write them as `RecordChange.article`.
package protocol ArticleRepository: Sendable {
    func article(id: String) async throws(StoreError) -> NewsArticle?

    /// The article with a canonical address.
    func article(url: String) async throws(StoreError) -> NewsArticle?

    /// The articles with these ids that are stored, in the order of the ids.
    func articles(ids: [String]) async throws(StoreError) -> [NewsArticle]

    /// Articles that are not duplicates, the latest published first, those of equal times by descending id.
    func articles(_ query: ArticleQuery) async throws(StoreError) -> [NewsArticle]

    /// The number of articles that match a query, on all its pages.
    func articleCount(_ query: ArticleQuery) async throws(StoreError) -> Int

    /// The articles that count among the stories of a day and are not duplicates, without their texts, in the order of
    /// their arrival.
    func arrivals(on day: String) async throws(StoreError) -> [NewsArticle]

    /// The fingerprints of the articles that arrived at the given time or later, in the order of their arrival.
    func fingerprints(since timestamp: Timestamp) async throws(StoreError) -> [FingerprintedArticle]

    /// The vectors of the articles that have one, by id.
    func articleVectors(ids: [String]) async throws(StoreError) -> [String: ArticleVector]

    /// The vectors of the model among the `limit` latest published articles that are not duplicates.
    func latestArticleVectors(of model: String, among limit: Int) async throws(StoreError) -> [ArticleVector]
}

/// A selection of articles and a page of it.
package struct ArticleQuery: Hashable, Sendable {
    /// `nil` selects every category.
    package var category: String?
    /// Only articles that name one of these symbols; an empty list selects all articles.
    package var tickers: [String] = []
    /// Published at this time or later.
    package var from: Timestamp?
    /// Published before this time.
    package var until: Timestamp?
    /// Only articles after this position in the list.
    package var after: ArticleCursor?
    package var offset = 0
    package var limit = 20

    package init() {}
}

/// An article's position in lists.
package struct ArticleCursor: Hashable, Sendable {
    package var publishedAt: Timestamp
    package var id: String

    package init(publishedAt: Timestamp, id: String) {
        self.publishedAt = publishedAt
        self.id = id
    }
}

/// An article's id with the features by which nearly identical articles are found.
package struct FingerprintedArticle: Hashable, Sendable {
    package var id: String
    package var fingerprint: ArticleFingerprint
    package var duplicateOf: String?

    package init(id: String, fingerprint: ArticleFingerprint, duplicateOf: String? = nil) {
        self.id = id
        self.fingerprint = fingerprint
        self.duplicateOf = duplicateOf
    }
}

/// Finds articles by their words.
package protocol ArticleSearchRepository: Sendable {
    /// Articles whose title, description or text has all of the words in some inflection and that are not duplicates:
    /// the latest published first, those of equal times by descending id. Words are English ones, of letters and
    /// digits; other words are ignored. Without a category all categories are searched.
    func articles(
        holding words: [String], category: String?, offset: Int, limit: Int
    ) async throws(StoreError) -> [NewsArticle]

    /// The number of articles with all of the words.
    func articleCount(holding words: [String], category: String?) async throws(StoreError) -> Int

    /// Articles with at least one of the words, the best match first.
    func articles(holdingAnyOf words: [String], limit: Int) async throws(StoreError) -> [NewsArticle]
}

/// Reads the signals of articles. Jobs write them as `RecordChange.articleSignal`.
package protocol ArticleSignalRepository: Sendable {
    /// The known signals of these users for the articles with these addresses, in no order.
    func signals(of urls: [String], for users: [UserID]) async throws(StoreError) -> [ArticleSignal]
}

/// All repositories of news.
package typealias NewsRepository = ArticleRepository & StoryRepository & NewsSourceRepository
