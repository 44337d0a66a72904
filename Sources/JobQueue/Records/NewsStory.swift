/// A story of a day: the articles that report one event. All users see it in its group of scope `GLOBAL`; holders of
/// one of its subjects also see it in the group of that ticker.
package struct NewsStory: Hashable, Sendable, Codable {
    /// The id of the article that began it; unique.
    package var key: String
    /// `2026-11-21`, in UTC.
    package var day: String
    package var title: String
    /// As a model judged it, else by rule.
    package var impact: ImpactLevel
    /// The number of articles that the story had when a model judged its impact; `nil` where the rule did.
    package var ratedArticles: Int?
    package var confidence: ConfidenceLevel
    /// The most named first.
    package var tickers: [StoryTicker]
    /// In the order of their arrival.
    package var members: [StoryMember]
    /// The keys of the stories that became part of this one.
    package var absorbed: [String]
    /// The first value is kept.
    package var createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(
        key: String, day: String, title: String, impact: ImpactLevel, confidence: ConfidenceLevel,
        tickers: [StoryTicker] = [], members: [StoryMember], absorbed: [String] = [], createdAt: Timestamp,
        updatedAt: Timestamp, ratedArticles: Int? = nil
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
        self.ratedArticles = ratedArticles
    }
}

/// The impact of a story as a model judged it. It takes the place of the rule's, whatever articles follow, until the next
/// judgement; a story that is not stored is passed over.
package struct StoryImpactRating: StoredRecord {
    /// The story's key.
    package var story: String
    package var impact: ImpactLevel
    /// The number of articles that the story had.
    package var articles: Int

    package init(story: String, impact: ImpactLevel, articles: Int) {
        self.story = story
        self.impact = impact
        self.articles = articles
    }

    package static var noun: String { "story_impact" }
    package var naturalKey: String { story }
    package var texts: [(name: String, text: String?)] { [("story_impact.story", story)] }
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
    /// Whether the story is about the symbol and does not merely mention it.
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
    /// The similarity to the story as a whole, in ten-thousandths: 0 to 10,000.
    package var similarity: Int
    package var addedAt: Timestamp

    package init(article: String, url: String, similarity: Int, addedAt: Timestamp) {
        self.article = article
        self.url = url
        self.similarity = similarity
        self.addedAt = addedAt
    }
}

/// The importance of a story to markets, in the words of the news API; `<` means "matters less".
package enum ImpactLevel: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case veryLow = "Very Low"
    case low = "Low"
    case moderate = "Moderate"
    case high = "High"

    /// 0 to 3, by which stores sort stories.
    package var rank: Int {
        switch self {
        case .veryLow: 0
        case .low: 1
        case .moderate: 2
        case .high: 3
        }
    }

    package static func < (left: ImpactLevel, right: ImpactLevel) -> Bool { left.rank < right.rank }
}

/// The confidence that the articles of a story report one event, in the words of the news API.
package enum ConfidenceLevel: String, Sendable, Hashable, Codable, CaseIterable {
    case high = "High"
    case medium = "Medium"
    case low = "Low"
}

/// A story as all users see it, or as holders of a ticker see it.
package struct NewsStoryGroup: Hashable, Sendable {
    /// The number of the group, which does not change and is never reused.
    package var id: Int64
    /// `nil` for the group that all users see.
    package var ticker: String?
    package var story: NewsStory
    /// The number of the group in which the story went on when it became part of another one. It has no articles then.
    package var mergedInto: Int64?

    package init(id: Int64, ticker: String?, story: NewsStory, mergedInto: Int64? = nil) {
        self.id = id
        self.ticker = ticker
        self.story = story
        self.mergedInto = mergedInto
    }
}

/// Reads the stories of days. Jobs write them as `RecordChange.story`.
package protocol StoryRepository: Sendable {
    /// The groups of a day that all users see: the highest impact first, then the latest change, then the higher
    /// number.
    func globalGroups(on day: String, limit: Int) async throws(StoreError) -> [NewsStoryGroup]

    /// The groups of a day for holders of the tickers, at most `limit` for each: in the order of the tickers, then
    /// as in `globalGroups`.
    func tickerGroups(
        on day: String, tickers: [String], limit: Int
    ) async throws(StoreError) -> [NewsStoryGroup]

    /// A group by its number, even when its story became part of another one.
    func storyGroup(id: Int64) async throws(StoreError) -> NewsStoryGroup?

    /// The number of the group in which all users see a story, by the story's key.
    func globalGroup(ofStory key: String) async throws(StoreError) -> Int64?

    /// The stories of a day that did not become part of another one, by the time at which they began and then by key.
    func stories(on day: String) async throws(StoreError) -> [NewsStory]
}
