public import Foundation

/// Whether a piece of news matters, and why.
public struct Signal: Codable, Hashable, Sendable, Identifiable {
    /// Whether a piece of news matters.
    public struct Verdict: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Worth knowing.
        public static let aware: Verdict = "aware"
        /// Not worth the reader's time.
        public static let ignore: Verdict = "ignore"
    }
    /// For how long it matters.
    public struct Horizon: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Days.
        public static let short: Horizon = "short"
        /// Months.
        public static let medium: Horizon = "medium"
        /// Years.
        public static let long: Horizon = "long"
    }
    /// What it means for a company.
    public struct Opportunity: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Nothing that can be said.
        public static let none: Opportunity = "none"
        /// Something good.
        public static let positive: Opportunity = "positive"
        /// Something bad.
        public static let negative: Opportunity = "negative"
    }
    /// The address of the article that began the story, or `text://…`.
    public let id: String
    /// Where the article is.
    public let url: String
    /// The headline.
    public let title: String
    /// Who published it.
    public let source: String
    /// When it was published.
    public let publishedAt: Date
    /// Whether it matters.
    public let verdict: Verdict
    /// Three reasons.
    public let why: [String]
    /// From a closed vocabulary that never asks to trade.
    public let action: String
    /// For how long it matters.
    public let horizon: Horizon?
    /// What it means for a company.
    public let opportunityType: Opportunity
    /// The same in words.
    public let opportunityNote: String
    /// 0 to 100.
    public let confidence: Int
    /// 0 to 100.
    public let importanceScore: Int
    /// Who judged, from the verdict on: `rule` or `model`.
    public let judgedBy: String?
}

/// A text or an address of the user's own, interpreted: a signal and what explains it.
public struct Interpretation: Codable, Hashable, Sendable {
    /// Whether it matters, and why.
    public let signal: Signal
    /// `nil` when the verdict is `ignore`, or when no explanation kept its rules.
    public let explanation: StoryExplanation?
    /// Which prompts and models made it.
    public let provenance: Provenance?
    /// The job that made it; `nil` in the job's own result.
    public let jobID: Job.ID?

    /// The language of the answer, `en`, `de`, `es` or `fr`, where it was chosen.
    public let language: String?

    private enum CodingKeys: String, CodingKey {
        case explanation, provenance, jobID, language
    }

    /// Reads the wire's form.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        signal = try Signal(from: decoder)
        explanation = try values.decodeIfPresent(StoryExplanation.self, forKey: .explanation)
        provenance = try values.decodeIfPresent(Provenance.self, forKey: .provenance)
        jobID = try values.decodeIfPresent(Job.ID.self, forKey: .jobID)
        language = try values.decodeIfPresent(String.self, forKey: .language)
    }

    /// Writes the wire's form.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try signal.encode(to: encoder)
        try values.encodeIfPresent(explanation, forKey: .explanation)
        try values.encodeIfPresent(provenance, forKey: .provenance)
        try values.encodeIfPresent(jobID, forKey: .jobID)
        try values.encodeIfPresent(language, forKey: .language)
    }
}
