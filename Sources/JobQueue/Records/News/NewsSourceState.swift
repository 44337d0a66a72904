/// What is known of a source of news since it was asked last.
package struct NewsSourceState: Hashable, Sendable, Codable {
    /// Names the source: a feed's address, or what was asked of a service. Holds no key.
    package var source: String
    /// What the server said of the list that it gave last, to be asked only for a newer one.
    package var etag: String?
    package var lastModified: String?
    /// When the source was asked last, in milliseconds since 1970.
    package var askedAt: Int64
    /// How often in a row it has failed.
    package var failures: Int
    /// Why it failed the last time; `nil` when it did not.
    package var problem: String?

    package init(
        source: String, etag: String? = nil, lastModified: String? = nil, askedAt: Int64, failures: Int = 0,
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

/// Reads what is known of sources of news. Jobs write it, as `RecordChange.newsSource`.
package protocol NewsSourceRepository: Sendable {
    /// The states of those sources that were asked before, in the order of their names.
    func newsSources(_ names: [String]) async throws(StoreError) -> [NewsSourceState]
}
