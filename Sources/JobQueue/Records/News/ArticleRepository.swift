/// Reads the articles that were taken in. Jobs write them, as `RecordChange.article`.
package protocol ArticleRepository: Sendable {
    func article(id: String) async throws(StoreError) -> NewsArticle?

    /// The article of a canonical address.
    func article(url: String) async throws(StoreError) -> NewsArticle?

    /// Those of the articles that there are, in the order of the ids.
    func articles(ids: [String]) async throws(StoreError) -> [NewsArticle]

    /// Articles that are nobody's duplicate, the latest published first, of equal times the higher id first.
    func articles(_ question: ArticleQuestion) async throws(StoreError) -> [NewsArticle]

    /// How many articles a question has an answer of, whatever its page.
    func articleCount(_ question: ArticleQuestion) async throws(StoreError) -> Int

    /// The articles that count among the stories of a day and are nobody's duplicate, without their texts, in the order
    /// in which they arrived.
    func arrivals(on day: String) async throws(StoreError) -> [NewsArticle]

    /// What nearly identical articles are found by, of those that arrived at or after a moment, the first one first.
    func articleMarks(since timestamp: Int64) async throws(StoreError) -> [ArticleMark]

    /// The vectors of those articles that have one, by id.
    func articleVectors(ids: [String]) async throws(StoreError) -> [String: ArticleVector]

    /// The vectors of the model that the latest published articles have, among so many that are nobody's duplicate.
    func latestArticleVectors(of model: String, among limit: Int) async throws(StoreError) -> [ArticleVector]
}

/// Which articles, and which page of them.
package struct ArticleQuestion: Hashable, Sendable {
    /// `nil` for those of every category.
    package var category: String?
    /// Only articles that name one of these symbols; empty for all articles.
    package var tickers: [String] = []
    /// Published at this moment or later, in milliseconds since 1970.
    package var from: Int64 = .min
    /// Published before this moment.
    package var until: Int64 = .max
    /// Only what comes behind this article in the list.
    package var after: ArticlePlace?
    /// How many to pass over.
    package var offset = 0
    /// How many to answer with at most.
    package var limit = 20

    package init() {}

    /// Every text in it, by a name: none may hold a NUL.
    package var texts: [(name: String, text: String?)] {
        [("article.category", category), ("article.id", after?.id)] + tickers.map { ("article.tickers", $0) }
    }
}

/// An article's place in lists.
package struct ArticlePlace: Hashable, Sendable, Codable {
    /// Milliseconds since 1970.
    package var publishedAt: Int64
    package var id: String

    package init(publishedAt: Int64, id: String) {
        self.publishedAt = publishedAt
        self.id = id
    }
}

extension NewsArticle {
    /// The article's place in lists: what the next page comes behind.
    package var place: ArticlePlace { ArticlePlace(publishedAt: publishedAt, id: id) }
}

/// What nearly identical articles are found by.
package struct ArticleMark: Hashable, Sendable {
    package var id: String
    package var fingerprint: ArticleFingerprint
    package var duplicateOf: String?

    package init(id: String, fingerprint: ArticleFingerprint, duplicateOf: String? = nil) {
        self.id = id
        self.fingerprint = fingerprint
        self.duplicateOf = duplicateOf
    }
}

/// All repositories of news.
package typealias NewsRepository = ArticleRepository & StoryRepository & NewsSourceRepository
