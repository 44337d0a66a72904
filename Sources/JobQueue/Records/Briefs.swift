/// The news of a day for somebody, or for everybody, as it was last put together.
package struct Brief: Hashable, Sendable, Codable {
    /// The number of the account; `everybody` for the general one.
    package var user: Int64
    /// A JSON array of signals in the shape of the feed's.
    package var items: String
    /// Milliseconds since 1970. Of two briefs of one user the later one stays.
    package var generatedAt: Int64

    /// Stands for all who hold nothing: the number of the account that owns the jobs of schedules.
    package static let everybody: Int64 = -1

    package init(user: Int64, items: String, generatedAt: Int64) {
        self.user = user
        self.items = items
        self.generatedAt = generatedAt
    }
}

extension Holder {
    /// All who hold nothing, as the general brief is for them.
    package static let everybody = Holder(user: Brief.everybody, preferences: Preferences())
}

/// Finds the latest briefs. Jobs write them, as `RecordChange.brief`.
package protocol BriefRepository: Sendable {
    /// The latest brief of each of these users, of those that have one.
    func briefs(of users: [Int64]) async throws(StoreError) -> [Brief]
}

extension Brief: StoredRecord {
    package static var noun: String { "brief" }
    package var naturalKey: String { String(user) }
    package var texts: [(name: String, text: String?)] { [("brief.items", items)] }
}
