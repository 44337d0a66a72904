package import Basics

/// The subject of an explanation: a story, some of its articles, the holdings that it addresses, and its language.
package struct ExplanationKey: Hashable, Sendable {
    /// The story's key.
    package var story: String
    /// Identifies the articles from which the explanation was written.
    package var version: String
    /// The holdings that the explanation names, each once, in alphabetical order; empty for the one for all users.
    package let holdings: [String]
    package var language: Language

    package init(story: String, version: String, holdings: [String] = [], language: Language = .english) {
        self.story = story
        self.version = version
        self.holdings = Set(holdings.map { $0.uppercased() }).sorted()
        self.language = language
    }

    /// The holdings and the language as they are kept: `AAPL,BTC`, in German `de:AAPL,BTC`. So every language has
    /// explanations of its own, and those from before there were languages stay what they are.
    package var holdingsText: String {
        (language == .english ? "" : language.rawValue + ":") + holdings.joined(separator: ",")
    }
}

/// A calm explanation of a story, which a model wrote from some version of the story's articles.
package struct StoryExplanation: Hashable, Sendable, Codable {
    /// The story's key.
    package var story: String
    /// Identifies the articles from which it was written.
    package var version: String
    /// The holdings that it names, in alphabetical order, separated by commas, behind the language and a colon where
    /// that is not English: `ExplanationKey.holdingsText`.
    package var holdings: String
    /// The explanation object of the news documents, as JSON.
    package var body: String
    /// Its provenance as JSON: the job, the bundle of prompts, the calls of models and their cost.
    package var provenance: String
    /// Of two explanations with one key the later one is kept.
    package var createdAt: Timestamp

    package init(_ key: ExplanationKey, body: String, provenance: String, createdAt: Timestamp) {
        self.init(
            story: key.story, version: key.version, holdings: key.holdingsText, body: body, provenance: provenance,
            createdAt: createdAt)
    }

    package init(
        story: String, version: String, holdings: String, body: String, provenance: String, createdAt: Timestamp
    ) {
        self.story = story
        self.version = version
        self.holdings = holdings
        self.body = body
        self.provenance = provenance
        self.createdAt = createdAt
    }

    package var key: ExplanationKey {
        let parts = holdings.split(separator: ":", omittingEmptySubsequences: false)
        let language = parts.count == 2 ? Language(rawValue: String(parts[0])) : nil
        let tickers = parts.last?.split(separator: ",").map(String.init) ?? []
        return ExplanationKey(story: story, version: version, holdings: tickers, language: language ?? .english)
    }
}

/// Finds the explanations of stories. Jobs write them as `RecordChange.storyExplanation`.
package protocol ExplanationRepository: Sendable {
    /// The explanations of these stories for these holdings, in no order: for each key the one of its version, else the
    /// latest of any version.
    func explanations(_ keys: [ExplanationKey]) async throws(StoreError) -> [StoryExplanation]

    /// Deletes at most `limit` explanations from before the given time, and all passages of stories from before it.
    ///
    /// - Returns: How many explanations were deleted.
    func deleteExplanations(createdBefore timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int
}

extension ExplanationRepository {
    /// The explanation of exactly this version.
    package func explanation(_ key: ExplanationKey) async throws(StoreError) -> StoryExplanation? {
        try await explanations([key]).first { $0.key == key }
    }
}

extension StoryExplanation: StoredRecord {
    package static var noun: String { "story_explanation" }
    package var naturalKey: String { "\(story) \(holdings) \(version)" }
    package var texts: [(name: String, text: String?)] {
        [
            ("story_explanation.story", story), ("story_explanation.version", version),
            ("story_explanation.holdings", holdings), ("story_explanation.body", body),
            ("story_explanation.provenance", provenance),
        ]
    }
}
