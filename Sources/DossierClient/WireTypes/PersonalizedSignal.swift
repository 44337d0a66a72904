public import Foundation

/// An item of `/v1/personalized-feed`.
public struct PersonalizedSignal: Codable, Hashable, Sendable, Identifiable {
    /// An article of the story.
    public struct RawArticle: Codable, Hashable, Sendable {
        /// Its place, from 1.
        public let articleNumber: Int
        /// Who published it.
        public let source: String
        /// The headline.
        public let title: String
        /// A sentence or two.
        public let description: String
        /// Its text, as far as it is stored.
        public let body: String
        /// Where it is.
        public let url: String

        private enum CodingKeys: String, CamelCaseKey {
            case articleNumber, source, title, description, body, url
        }
    }
    /// What the story means for the reader.
    public struct Explanation: Codable, Hashable, Sendable {
        /// What may happen next.
        public struct Scenario: Codable, Hashable, Sendable {
            /// In a sentence.
            public let scenario: String
            /// `Low`, `Medium` or `High`.
            public let likelihood: String
            /// What would speak for it.
            public let whatConfirmsIt: String
            /// What would speak against it.
            public let whatMakesItUnlikely: String

            private enum CodingKeys: String, CamelCaseKey {
                case scenario, likelihood, whatConfirmsIt, whatMakesItUnlikely
            }
        }
        /// What an explanation rests on.
        public struct Source: Codable, Hashable, Sendable {
            /// Who published it.
            public let name: String
            /// `Primary` or `Secondary`.
            public let type: String
            /// Why it counts.
            public let reason: String
            /// Where it is.
            public let url: String?
        }
        /// What happened, in three to five sentences.
        public let summary: String
        /// Who is affected and who is not.
        public let whyItMattersForYou: String
        /// The causes, without speculation.
        public let whyThisHappened: String
        /// Two or three.
        public let mostLikelyScenarios: [Scenario]
        /// What helps to stay calm.
        public let whatToKeepInMind: [String]
        /// What it rests on.
        public let sources: [Source]
        /// 0 to 1.
        public let confidence: Double
        /// Why it matters, in a few words.
        public let headline: String
        /// What it does to the user's holdings.
        public let impact: String
        /// From a closed vocabulary that never asks to trade.
        public let action: String
        /// What else belongs to it.
        public let context: String
        /// What it means for what the reader holds.
        public let forYourHoldings: String?
        /// What the sources leave open.
        public let notKnownYet: [String]?

        private enum CodingKeys: String, CamelCaseKey {
            case summary, whyItMattersForYou, whyThisHappened, mostLikelyScenarios, whatToKeepInMind, sources
            case confidence, headline, impact, action, context, forYourHoldings, notKnownYet
        }
    }
    /// Names the story.
    public let id: String
    /// The headline.
    public let title: String
    /// A line or two.
    public let shortSummary: String
    /// The companies that it is about.
    public let tickerSummary: String
    /// `high`, `medium` or `low`.
    public let impactLevel: String
    /// `company`, `industry` or `macro`.
    public let scopeType: String
    /// `positive`, `negative` or `neutral`.
    public let opportunitySignal: String
    /// `earnings`, `product`, `general`, …
    public let relevanceType: String
    /// How well it fits the user's focus: `high`, `medium` or `low`.
    public let profileTier: String
    /// When its first article was published.
    public let publishedAt: Date
    /// Why it stands where it stands.
    public let rankReason: String
    /// Its articles.
    public let rawArticles: [RawArticle]
    /// `nil` until it is written.
    public let explanation: Explanation?
    /// Who judged the story: `rule`.
    public let judgedBy: String?

    private enum CodingKeys: String, WireKey {
        case id, title, shortSummary, tickerSummary, impactLevel, scopeType, opportunitySignal, relevanceType
        case profileTier, publishedAt, rankReason, rawArticles, explanation, judgedBy

        var wireName: String {
            switch self {
            case .publishedAt: "published_at"
            case .rankReason: "rank_reason"
            case .judgedBy: "judged_by"
            default: stringValue
            }
        }
    }
}
