/// A text kept under a key for a while: an answer of a data source, something that was made once for everybody.
package struct CachedDocument: Sendable, Hashable, Codable {
    /// Names what the text is and where it is from, for example `quote:AAPL`; at most 512 bytes.
    package var key: String
    /// JSON, as a rule.
    package var text: String
    /// When the text was true, in milliseconds since 1970. Of two documents of one key the later one stays.
    package var storedAt: Int64
    /// From when on it may be deleted, in milliseconds since 1970.
    package var keptUntil: Int64

    package init(key: String, text: String, storedAt: Int64, keptUntil: Int64) {
        self.key = key
        self.text = text
        self.storedAt = storedAt
        self.keptUntil = keptUntil
    }
}

/// Keeps texts under keys, for all processes of a fleet.
package protocol DocumentRepository: Sendable {
    /// The documents that there are of these keys, in no order; also those that may be deleted.
    func documents(_ keys: [String]) async throws(StoreError) -> [CachedDocument]

    /// Keeps a document, unless a later one of its key is there.
    func store(_ document: CachedDocument) async throws(StoreError)

    /// Deletes documents that were to be kept until before the moment; up to `limit`, returns how many.
    func deleteDocuments(keptUntilBefore timestamp: Int64, limit: Int) async throws(StoreError) -> Int
}

extension DocumentRepository {
    /// The document of a key.
    package func document(_ key: String) async throws(StoreError) -> CachedDocument? {
        try await documents([key]).first
    }
}

extension CachedDocument: StoredRecord {
    package static var noun: String { "document" }
    package var naturalKey: String { key }
    package var texts: [(name: String, text: String?)] { [("document.key", key), ("document.text", text)] }
}
