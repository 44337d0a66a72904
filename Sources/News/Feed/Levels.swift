/// Whether a group is for everybody or for those who hold a ticker.
package enum StoryScope: String, Sendable, Hashable, CaseIterable {
    case global = "GLOBAL"
    case ticker = "TICKER"
}

/// What a ticker has to do with a story.
package enum TickerRelationship: String, Sendable, Hashable, CaseIterable {
    /// At least half of the articles name it.
    case subject
    case mentioned
}
