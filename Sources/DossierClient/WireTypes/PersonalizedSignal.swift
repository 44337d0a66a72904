// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// An item of `/v1/personalized-feed`.
public struct PersonalizedSignal: Codable, Hashable, Sendable, Identifiable {
    public struct RawArticle: Codable, Hashable, Sendable {
        public let articleNumber: Int
        public let source: String
        public let title: String
        public let description: String
        public let body: String
        public let url: String

        private enum CodingKeys: String, CamelCaseKey {
            case articleNumber, source, title, description, body, url
        }
    }
    public struct Explanation: Codable, Hashable, Sendable {
        public struct Scenario: Codable, Hashable, Sendable {
            public let scenario: String
            /// `Low`, `Medium` or `High`.
            public let likelihood: String
            public let whatConfirmsIt: String
            public let whatMakesItUnlikely: String

            private enum CodingKeys: String, CamelCaseKey {
                case scenario, likelihood, whatConfirmsIt, whatMakesItUnlikely
            }
        }
        public struct Source: Codable, Hashable, Sendable {
            public let name: String
            /// `Primary` or `Secondary`.
            public let type: String
            public let reason: String
            public let url: String?
        }
        public let summary: String
        public let whyItMattersForYou: String
        public let whyThisHappened: String
        public let mostLikelyScenarios: [Scenario]
        public let whatToKeepInMind: [String]
        public let sources: [Source]
        /// 0 to 1.
        public let confidence: Double
        public let headline: String
        public let impact: String
        public let action: String
        public let context: String

        private enum CodingKeys: String, CamelCaseKey {
            case summary, whyItMattersForYou, whyThisHappened, mostLikelyScenarios, whatToKeepInMind, sources
            case confidence, headline, impact, action, context
        }
    }
    public let id: String
    public let title: String
    public let shortSummary: String
    public let tickerSummary: String
    public let impactLevel: String
    public let scopeType: String
    public let opportunitySignal: String
    public let relevanceType: String
    public let profileTier: String
    public let publishedAt: Date
    public let rankReason: String
    public let rawArticles: [RawArticle]
    /// `nil` until it is written.
    public let explanation: Explanation?

    private enum CodingKeys: String, WireKey {
        case id, title, shortSummary, tickerSummary, impactLevel, scopeType, opportunitySignal, relevanceType
        case profileTier, publishedAt, rankReason, rawArticles, explanation

        var wireName: String {
            switch self {
            case .publishedAt: "published_at"
            case .rankReason: "rank_reason"
            default: stringValue
            }
        }
    }
}
