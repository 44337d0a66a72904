public import Foundation

/// The five parts of a calm explanation; all `nil` until it is written.
public struct StoryExplanation: Codable, Hashable, Sendable {
    /// An article that an explanation rests on.
    public struct Source: Codable, Hashable, Sendable {
        /// Who published it.
        public let publisher: String
        /// The headline.
        public let title: String
        /// `nil` when it is not known; the wire has an empty text then.
        public let publishedDate: Date?
        /// Where it is.
        public let url: String

        /// Reads the wire's form.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            publisher = try values.decode(String.self, forKey: .publisher)
            title = try values.decode(String.self, forKey: .title)
            publishedDate = try? values.decode(Date.self, forKey: .publishedDate)
            url = try values.decode(String.self, forKey: .url)
        }

        private enum CodingKeys: String, CodingKey { case publisher, title, publishedDate, url }
    }
    /// What may happen next.
    public struct Scenario: Codable, Hashable, Sendable {
        /// In a few words.
        public let title: String
        /// `Low`, `Medium` or `High`.
        public let likelihood: String
        /// In a sentence or two.
        public let description: String
        /// What would speak for it.
        public let whatConfirmsIt: String
        /// What would speak against it.
        public let whatMakesItUnlikely: String
    }
    /// What a story means for those who hold a stock.
    public struct HolderNote: Codable, Hashable, Sendable {
        /// The stock.
        public let holding: String
        /// What it means.
        public let text: String
    }
    /// Three to five sentences.
    public let whatHappened: String?
    /// The causes, as a story.
    public let whyItHappened: String?
    /// What it changes.
    public let whyItMattersNow: String?
    /// Scenarios as text.
    public let whatToWatchNext: String?
    /// Misunderstandings that are common.
    public let whatThisDoesNotMean: String?
    /// What it rests on.
    public let sourcesSummary: [Source]
    /// How sure the cause is: `High`, `Medium` or `Low`.
    public let causeConfidence: String?
    /// Why it is as sure as that.
    public let causeReason: String?
    /// How the explanation came about, in steps.
    public let decisionReasoning: [String]?
    /// What it means for what the reader holds; in feeds.
    public let forYourHoldings: String?
    /// What the sources leave open.
    public let notKnownYet: [String]?
    /// What helps to stay calm; in results of jobs, like the two that follow.
    public let whatToKeepInMind: [String]?
    /// What may happen next.
    public let scenarios: [Scenario]?
    /// What it means for those who hold a stock.
    public let forHolders: [HolderNote]?

    /// Whether there is a text.
    public var isWritten: Bool { whatHappened != nil }
}

/// The result of a job of kind `explanation`.
public struct Explanation: Codable, Hashable, Sendable {
    /// The text.
    public let explanation: StoryExplanation
    /// The holdings that it speaks of.
    public let holdings: [String]
    /// Which prompts and models made it.
    public let provenance: Provenance
    /// The language of the text, `en`, `de`, `es` or `fr`, where it was chosen.
    public let language: String?
}
