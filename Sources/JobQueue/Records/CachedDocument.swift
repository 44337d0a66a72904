package import Basics

/// A text that is kept under a key for a while: an answer of a data source, or something made once for all users.
package struct CachedDocument: Sendable, Hashable, Codable {
    /// Names the text and its origin, for example `quote:AAPL`; at most 512 bytes.
    package var key: String
    /// JSON, as a rule.
    package var text: String
    /// The time at which the text was true. Of two documents with one key the later one is kept.
    package var storedAt: Timestamp
    /// The time from which the document may be deleted.
    package var keptUntil: Timestamp

    package init(key: String, text: String, storedAt: Timestamp, keptUntil: Timestamp) {
        self.key = key
        self.text = text
        self.storedAt = storedAt
        self.keptUntil = keptUntil
    }

    /// The key of an article's summary in one form factor.
    /// Without a language, the summary is in that of the article.
    package static func summaryKey(article: String, form: String, language: Language? = nil) -> String {
        "summary:\(form):\(article)" + (language.map { ":\($0.rawValue)" } ?? "")
    }
}

extension CachedDocument: StoredRecord {
    package static var noun: String { "document" }
    package var naturalKey: String { key }
    package var texts: [(name: String, text: String?)] { [("document.key", key), ("document.text", text)] }
}

/// Keeps texts under keys, for all processes of a fleet.
package protocol DocumentRepository: Sendable {
    /// The documents with these keys, in no order. Documents that may be deleted are among them.
    func documents(_ keys: [String]) async throws(StoreError) -> [CachedDocument]

    /// Stores a document unless there is a later one with its key.
    func store(_ document: CachedDocument) async throws(StoreError)

    /// Deletes at most `limit` documents that were to be kept until before the given time.
    ///
    /// - Returns: How many documents were deleted.
    func deleteDocuments(keptUntilBefore timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int
}

extension DocumentRepository {
    package func document(_ key: String) async throws(StoreError) -> CachedDocument? {
        try await documents([key]).first
    }
}

/// Keeps every validated bundle by its hash, so that any worker finds the bundle that a job was submitted with.
package protocol BundleRepository: Sendable {
    /// Stores a bundle's archive; the same hash again changes nothing.
    func store(bundle hash: String, archive: String) async throws(StoreError)

    func archive(ofBundle hash: String) async throws(StoreError) -> String?

    /// The stored bundles, newest first.
    func bundles(after cursor: TimeCursor?, limit: Int) async throws(StoreError) -> [BundleRecord]
}

/// A stored bundle, for operators.
package struct BundleRecord: Hashable, Sendable {
    package var hash: String
    /// The time at which it was stored first.
    package var adoptedAt: Timestamp
    /// Whether new jobs get it.
    package var isCurrent: Bool
    /// The unfinished jobs that keep it.
    package var jobs: Int

    package init(hash: String, adoptedAt: Timestamp, isCurrent: Bool, jobs: Int) {
        (self.hash, self.adoptedAt, self.isCurrent, self.jobs) = (hash, adoptedAt, isCurrent, jobs)
    }
}
