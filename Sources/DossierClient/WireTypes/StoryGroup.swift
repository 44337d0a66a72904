// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// The stories of a day.
public struct StoryGroups: Codable, Hashable, Sendable {
    /// `YYYY-MM-DD`.
    public let date: String
    public let userID: Int64
    public let userHoldings: [String]
    public let generatedAt: Date
    public let global: [StoryGroup]
    public let byTicker: [String: [StoryGroup]]
    /// Each story once, by impact, with a `rankReason`.
    public let mergedFeed: [StoryGroup]
}

public struct StoryGroup: Codable, Hashable, Sendable, Identifiable {
    public struct Impact: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let high: Impact = "High"
        public static let moderate: Impact = "Moderate"
        public static let low: Impact = "Low"
        public static let veryLow: Impact = "Very Low"
    }
    public struct Member: Codable, Hashable, Sendable {
        public let articleID: String
        public let similarityScore: Double
        public let addedAt: Date
    }
    public struct RelatedTicker: Codable, Hashable, Sendable {
        public let ticker: String
        public let relationshipType: String?
    }
    public let id: Int64
    /// `GLOBAL` or `TICKER`.
    public let scope: String
    public let primaryTicker: String?
    public let groupTitle: String
    public let impactLevel: Impact
    public let rankReason: String?
    public let confidenceLevel: String
    public let articleCount: Int
    public let modelVersion: String
    public let pipelineVersion: String
    public let dateBucket: String
    public let createdAt: Date
    public let updatedAt: Date
    public let explanation: StoryExplanation
    public let articles: [Member]
    public let relatedTickers: [RelatedTicker]
}

/// The brief of the day; empty before the first one.
public struct Brief: Codable, Hashable, Sendable {
    public let items: [Signal]
    public let generatedAt: Date?
}
