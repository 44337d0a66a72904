// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// Whether a piece of news matters, and why.
public struct Signal: Codable, Hashable, Sendable, Identifiable {
    public struct Verdict: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let aware: Verdict = "aware"
        public static let ignore: Verdict = "ignore"
    }
    public struct Horizon: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let short: Horizon = "short"
        public static let medium: Horizon = "medium"
        public static let long: Horizon = "long"
    }
    public struct Opportunity: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let none: Opportunity = "none"
        public static let positive: Opportunity = "positive"
        public static let negative: Opportunity = "negative"
    }
    /// The address of the article that began the story, or `text://…`.
    public let id: String
    public let url: String
    public let title: String
    public let source: String
    public let publishedAt: Date
    public let verdict: Verdict
    /// Three reasons.
    public let why: [String]
    /// From a closed vocabulary that never asks to trade.
    public let action: String
    public let horizon: Horizon?
    public let opportunityType: Opportunity
    public let opportunityNote: String
    /// 0 to 100.
    public let confidence: Int
    public let importanceScore: Int
}

/// A text or an address of the user's own, interpreted: a signal and what explains it.
public struct Interpretation: Codable, Hashable, Sendable {
    public let signal: Signal
    /// `nil` when the verdict is `ignore`, or when no explanation kept its rules.
    public let explanation: StoryExplanation?
    public let provenance: Provenance?
    public let jobID: Job.ID?

    private enum CodingKeys: String, CodingKey {
        case explanation, provenance, jobID
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        signal = try Signal(from: decoder)
        explanation = try values.decodeIfPresent(StoryExplanation.self, forKey: .explanation)
        provenance = try values.decodeIfPresent(Provenance.self, forKey: .provenance)
        jobID = try values.decodeIfPresent(Job.ID.self, forKey: .jobID)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try signal.encode(to: encoder)
        try values.encodeIfPresent(explanation, forKey: .explanation)
        try values.encodeIfPresent(provenance, forKey: .provenance)
        try values.encodeIfPresent(jobID, forKey: .jobID)
    }
}
