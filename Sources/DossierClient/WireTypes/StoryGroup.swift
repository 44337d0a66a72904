public import Foundation

/// The stories of a day.
public struct StoryGroups: Codable, Hashable, Sendable {
    /// `YYYY-MM-DD`.
    public let date: String
    /// The user.
    public let userID: Int64
    /// The stocks that the user owns.
    public let userHoldings: [String]
    /// When the groups were put together.
    public let generatedAt: Date
    /// Stories for everybody.
    public let global: [StoryGroup]
    /// Stories of the user's holdings.
    public let byTicker: [String: [StoryGroup]]
    /// Each story once, by impact, with a `rankReason`.
    public let mergedFeed: [StoryGroup]
}

/// Articles that tell one story.
public struct StoryGroup: Codable, Hashable, Sendable, Identifiable {
    /// How much a story moves.
    public struct Impact: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Much.
        public static let high: Impact = "High"
        /// Something.
        public static let moderate: Impact = "Moderate"
        /// Little.
        public static let low: Impact = "Low"
        /// Next to nothing.
        public static let veryLow: Impact = "Very Low"
    }
    /// An article of the story.
    public struct Member: Codable, Hashable, Sendable {
        /// Its address.
        public let articleID: String
        /// How like the others it is, 0 to 1.
        public let similarityScore: Double
        /// When it came to the story.
        public let addedAt: Date
    }
    /// Another company of the story.
    public struct RelatedTicker: Codable, Hashable, Sendable {
        /// The stock.
        public let ticker: String
        /// What it has to do with the story.
        public let relationshipType: String?
    }
    /// Names the story.
    public let id: Int64
    /// `GLOBAL` or `TICKER`.
    public let scope: String
    /// The company, with the scope `TICKER`.
    public let primaryTicker: String?
    /// For people.
    public let groupTitle: String
    /// How much it moves.
    public let impactLevel: Impact
    /// Why it stands where it stands, in ``StoryGroups/mergedFeed`` only.
    public let rankReason: String?
    /// `High`, `Medium` or `Low`.
    public let confidenceLevel: String
    /// Who judged impact and confidence: `rule`.
    public let judgedBy: String?
    /// The number of articles.
    public let articleCount: Int
    /// The version of the model that groups.
    public let modelVersion: String
    /// The version of the steps around it.
    public let pipelineVersion: String
    /// The day, `YYYY-MM-DD`.
    public let dateBucket: String
    /// When the first article came.
    public let createdAt: Date
    /// When it was changed last.
    public let updatedAt: Date
    /// What it means.
    public let explanation: StoryExplanation
    /// Its articles.
    public let articles: [Member]
    /// Other companies of the story.
    public let relatedTickers: [RelatedTicker]
}

/// The brief of the day; empty before the first one.
public struct Brief: Codable, Hashable, Sendable {
    /// The news that matter.
    public let items: [Signal]
    /// When it was written; `nil` before the first one.
    public let generatedAt: Date?
}
