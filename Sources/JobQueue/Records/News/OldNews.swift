/// What is old enough to be forgotten.
package struct OldNews: Hashable, Sendable, Codable {
    /// Articles that arrived before this moment, in milliseconds since 1970.
    package var arrivedBefore: Int64
    /// Stories of days before this one: `2026-11-21`.
    package var storiesBefore: String
    /// How many of each at once, at most, so that nobody waits long for the transaction.
    package var limit: Int

    package init(arrivedBefore: Int64, storiesBefore: String, limit: Int) {
        self.arrivedBefore = arrivedBefore
        self.storiesBefore = storiesBefore
        self.limit = limit
    }
}

extension OldNews: StoredRecord {
    package static var noun: String { "old_news" }
    package var naturalKey: String { storiesBefore }
    package var texts: [(name: String, text: String?)] { [("old_news.stories_before", storiesBefore)] }
}
