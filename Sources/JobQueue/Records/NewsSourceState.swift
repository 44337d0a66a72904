/// The result of the last request to a news source.
package struct NewsSourceState: Hashable, Sendable, Codable {
    /// The name of the source: a feed's address, or the query to a service. It holds no key.
    package var source: String
    /// The validators of the last answer, with which only a newer one is requested.
    package var etag: String?
    package var lastModified: String?
    /// The time of the last request.
    package var askedAt: Timestamp
    /// The number of failures in a row.
    package var failures: Int
    /// The reason of the last failure; `nil` when the last request succeeded.
    package var problem: String?

    package init(
        source: String, etag: String? = nil, lastModified: String? = nil, askedAt: Timestamp, failures: Int = 0,
        problem: String? = nil
    ) {
        self.source = source
        self.etag = etag
        self.lastModified = lastModified
        self.askedAt = askedAt
        self.failures = failures
        self.problem = problem
    }
}

extension NewsSourceState: StoredRecord {
    package static var noun: String { "news_source" }
    package var naturalKey: String { source }
    package var texts: [(name: String, text: String?)] {
        [
            ("news_source.source", source), ("news_source.etag", etag), ("news_source.last_modified", lastModified),
            ("news_source.problem", problem),
        ]
    }
}

/// Reads the states of news sources. Jobs write them as `RecordChange.newsSource`.
package protocol NewsSourceRepository: Sendable {
    /// The states of the named sources that were requested before, in the order of their names.
    func newsSources(_ names: [String]) async throws(StoreError) -> [NewsSourceState]
}

/// The limits of age beyond which news are deleted.
package struct NewsRetention: Hashable, Sendable, Codable {
    /// Articles that arrived before this time are deleted.
    package var arrivedBefore: Timestamp
    /// Stories of days before this one (`2026-11-21`) are deleted.
    package var storiesBefore: String
    /// The most articles, and the most stories, that one transaction deletes, so that it stays short.
    package var limit: Int

    package init(arrivedBefore: Timestamp, storiesBefore: String, limit: Int) {
        self.arrivedBefore = arrivedBefore
        self.storiesBefore = storiesBefore
        self.limit = limit
    }
}

extension NewsRetention: StoredRecord {
    package static var noun: String { "news_retention" }
    package var naturalKey: String { storiesBefore }
    package var texts: [(name: String, text: String?)] { [("news_retention.stories_before", storiesBefore)] }
}
