/// A text kept under a key for a while: an answer of a data source, something that was made once for everybody.
public struct CachedDocument: Sendable, Hashable, Codable {
    /// Names what the text is and where it is from, for example `quote:AAPL`; at most 512 bytes.
    public var key: String
    /// JSON, as a rule.
    public var text: String
    /// When the text was true, in milliseconds since 1970. Of two documents of one key the later one stays.
    public var storedAt: Int64
    /// From when on it may be deleted, in milliseconds since 1970.
    public var keptUntil: Int64

    public init(key: String, text: String, storedAt: Int64, keptUntil: Int64) {
        self.key = key
        self.text = text
        self.storedAt = storedAt
        self.keptUntil = keptUntil
    }
}

/// Keeps texts under keys, for all processes of a fleet.
public protocol DocumentRepository: Sendable {
    /// The documents that there are of these keys, in no order; also those that may be deleted.
    func documents(_ keys: [String]) async throws(RecordsError) -> [CachedDocument]

    /// Keeps a document, unless a later one of its key is there.
    func store(_ document: CachedDocument) async throws(RecordsError)

    /// Deletes documents that were to be kept until before the moment; up to `limit`, returns how many.
    func deleteDocuments(keptUntilBefore moment: Int64, limit: Int) async throws(RecordsError) -> Int
}

extension DocumentRepository {
    /// The document of a key.
    public func document(_ key: String) async throws(RecordsError) -> CachedDocument? {
        try await documents([key]).first
    }
}

extension CachedDocument: StoredRecord {
    package static var noun: String { "document" }
    package var naturalKey: String { key }
    package var texts: [(name: String, text: String?)] { [("document.key", key), ("document.text", text)] }
}
