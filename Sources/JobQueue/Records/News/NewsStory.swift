/// A story of a day: what its articles have in common. Everybody sees it in its group of scope `GLOBAL`; those who hold
/// one of its subjects, in the group of that ticker.
package struct NewsStory: Hashable, Sendable, Codable {
    /// The id of the article that began it; unique.
    package var key: String
    /// `2026-11-21`, in UTC.
    package var day: String
    package var title: String
    package var impact: ImpactLevel
    package var confidence: ConfidenceLevel
    /// The most named first.
    package var tickers: [StoryTicker]
    /// In the order of their arrival.
    package var members: [StoryMember]
    /// The keys of the stories that became part of this one.
    package var absorbed: [String]
    /// Milliseconds since 1970; the first value is kept.
    package var createdAt: Int64
    /// Milliseconds since 1970.
    package var updatedAt: Int64

    package init(
        key: String, day: String, title: String, impact: ImpactLevel, confidence: ConfidenceLevel,
        tickers: [StoryTicker] = [], members: [StoryMember], absorbed: [String] = [], createdAt: Int64,
        updatedAt: Int64
    ) {
        self.key = key
        self.day = day
        self.title = title
        self.impact = impact
        self.confidence = confidence
        self.tickers = tickers
        self.members = members
        self.absorbed = absorbed
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension NewsStory: StoredRecord {
    package static var noun: String { "story" }
    package var naturalKey: String { key }
    package var texts: [(name: String, text: String?)] {
        [("story.key", key), ("story.day", day), ("story.title", title)]
            + tickers.map { ("story.tickers", $0.symbol) } + absorbed.map { ("story.absorbed", $0) }
            + members.flatMap { [("story.members", $0.article), ("story.members", $0.url)] }
    }
}

/// A symbol that a story names.
package struct StoryTicker: Hashable, Sendable, Codable {
    package var symbol: String
    /// Whether the story is about it, and not a story in which it is mentioned.
    package var isSubject: Bool

    package init(symbol: String, isSubject: Bool) {
        self.symbol = symbol
        self.isSubject = isSubject
    }
}

/// An article in a story. An article is in one story at most.
package struct StoryMember: Hashable, Sendable, Codable {
    /// The article's id.
    package var article: String
    /// The article's address.
    package var url: String
    /// How close it is to the story as a whole, in ten-thousandths: 0 to 10,000.
    package var similarity: Int
    /// Milliseconds since 1970.
    package var addedAt: Int64

    package init(article: String, url: String, similarity: Int, addedAt: Int64) {
        self.article = article
        self.url = url
        self.similarity = similarity
        self.addedAt = addedAt
    }
}
