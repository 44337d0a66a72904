/// What an explanation of a story is of: the story, some of its articles, and whose holdings it speaks to.
package struct ExplanationKey: Hashable, Sendable {
    /// The story's key.
    package var story: String
    /// Stands for the articles that the explanation was written from.
    package var version: String
    /// The holdings that the explanation names, each once, by the alphabet; empty for everybody's.
    package let holdings: [String]

    package init(story: String, version: String, holdings: [String] = []) {
        self.story = story
        self.version = version
        self.holdings = Set(holdings.map { $0.uppercased() }).sorted()
    }

    /// The holdings as they are kept: `AAPL,BTC`.
    package var holdingsText: String { holdings.joined(separator: ",") }

    /// Every text in it, by a name: none may hold a NUL.
    package var texts: [(name: String, text: String?)] {
        [("explanation.story", story), ("explanation.version", version), ("explanation.holdings", holdingsText)]
    }
}

/// A calm explanation of a story, as a model wrote it from some version of the story's articles.
package struct StoryExplanation: Hashable, Sendable, Codable {
    /// The story's key.
    package var story: String
    /// Stands for the articles that it was written from.
    package var version: String
    /// The holdings that it names, by the alphabet, separated by commas; empty for everybody's.
    package var holdings: String
    /// The explanation object of the news documents, as JSON.
    package var body: String
    /// How it came about, as JSON: the job, the bundle of prompts, the calls of models and what they cost.
    package var provenance: String
    /// Milliseconds since 1970. Of two explanations of one key the later one stays.
    package var createdAt: Int64

    package init(_ key: ExplanationKey, body: String, provenance: String, createdAt: Int64) {
        self.init(
            story: key.story, version: key.version, holdings: key.holdingsText, body: body, provenance: provenance,
            createdAt: createdAt)
    }

    package init(
        story: String, version: String, holdings: String, body: String, provenance: String, createdAt: Int64
    ) {
        self.story = story
        self.version = version
        self.holdings = holdings
        self.body = body
        self.provenance = provenance
        self.createdAt = createdAt
    }

    package var key: ExplanationKey {
        ExplanationKey(story: story, version: version, holdings: holdings.split(separator: ",").map(String.init))
    }
}

/// Finds the explanations of stories. Jobs write them, as `RecordChange.storyExplanation`.
package protocol ExplanationRepository: Sendable {
    /// The explanations that there are of these stories for these holdings, of whatever version: for each key that has
    /// any, the one of its version, else the latest. In no order.
    func explanations(_ keys: [ExplanationKey]) async throws(StoreError) -> [StoryExplanation]

    /// Deletes explanations that were written before a moment; up to `limit`, returns how many. Passages of stories from
    /// before that moment go with them.
    func deleteExplanations(createdBefore timestamp: Int64, limit: Int) async throws(StoreError) -> Int
}

extension ExplanationRepository {
    /// The explanation of a key, of that version and no other.
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
