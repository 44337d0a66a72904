import JSON
import JobQueue
import Prompts
import Records
import SQLiteStore
import Testing

@testable import Agents

/// Explanations of stories that the service keeps.
@Suite struct StoryExplanationTests {
    private static let neutral = ExplanationAgentTests.changed(
        "why_it_matters", "This shows how a large business is doing. It is context.")

    private func agent(_ model: ScriptedModel, in world: LearningWorld) throws -> ExplanationAgent {
        ExplanationAgent(
            stories: StoredStories(world.test.store), explanations: world.test.store,
            models: ModelCalls(try model.router()), now: { 1_800_000_000_000 })
    }

    @Test func aStoryIsReadFromWhatTheServiceKeepsAndItsExplanationIsKept() async throws {
        try await LearningWorld.run { world in
            let group = try await world.keepStory()
            let model = ScriptedModel(.json(ExplanationAgentTests.good))
            let job = try await world.job("explanation", ["story_id": JSON(group), "holdings": ["aapl", "MSFT"]])
            let result = try await world.result(job, try agent(model, in: world))
            #expect(result.body["holdings"] == ["AAPL"])
            #expect(result.body["explanation"]?["sources_summary"]?.array?.count == 2)
            let asked = model.prompt(0)
            #expect(asked.contains("Its sales rose 8%") || asked.contains("sales rose 8%"))
            #expect(asked.contains("More phones"))
            guard case .storyExplanation(let record)? = result.records.first else {
                Issue.record("nothing is kept")
                return
            }
            #expect(record.key.holdings == ["AAPL"] && record.story == "a1" && record.createdAt == 1_800_000_000_000)
            #expect(try JSON(parsing: record.body) == result.body["explanation"])
            #expect(try JSON(parsing: record.provenance)["model_calls"]?.array?.count == 1)
        }
    }

    @Test func whatWasMadeBeforeIsNotMadeAgain() async throws {
        try await LearningWorld.run { world in
            let group = try await world.keepStory()
            let input: JSON = ["story_id": JSON(group), "holdings": []]
            let first = ScriptedModel(.json(Self.neutral))
            let job = try await world.job("explanation", input)
            let made = try await world.result(job, try agent(first, in: world))
            try await world.test.store.complete(
                job.lease, with: made.body, effects: made.records.map { .record($0) })
            let second = ScriptedModel()
            let again = try await world.result(try await world.job("explanation", input), try agent(second, in: world))
            #expect(again.body == made.body && again.records.isEmpty && second.requests.isEmpty)
        }
    }

    @Test func aStoryThatIsGoneFailsTheJobWithoutAModelCall() async throws {
        try await LearningWorld.run { world in
            let model = ScriptedModel()
            let failure = try await world.failure(
                try await world.job("explanation", ["story_id": 77]), try agent(model, in: world))
            #expect(failure.error.code == "BIZ_2005" && !failure.isTransient && model.requests.isEmpty)
        }
    }
}

extension LearningWorld {
    /// Keeps a story about Apple, and returns the number of its group.
    func keepStory() async throws -> Int64 {
        let job = try await job("explanation", ["story_id": 1])
        let articles = [("a1", ExplanationAgentTests.article), ("a2", ExplanationAgentTests.second)].map {
            id, article in
            NewsArticle(
                id: id, url: article["url"]?.string ?? "", title: article["title"]?.string ?? "",
                text: article["text"]?.string, source: article["source"]?.string ?? "", publishedAt: 1_790_000_000_000,
                fetchedAt: 1_790_000_000_000, day: "2026-11-21")
        }
        let story = NewsStory(
            key: "a1", day: "2026-11-21", title: "Apple sells more", impact: .high, confidence: .medium,
            tickers: [StoryTicker(symbol: "AAPL", isSubject: true), StoryTicker(symbol: "MSFT", isSubject: false)],
            members: articles.map { StoryMember(article: $0.id, url: $0.url, similarity: 9000, addedAt: 1) },
            createdAt: 1, updatedAt: 2)
        try await test.store.complete(
            job.lease, with: 1, effects: articles.map { .record(.article($0)) } + [.record(.story(story))])
        return try #require(await test.store.globalGroups(on: "2026-11-21", limit: 1).first?.id)
    }
}
