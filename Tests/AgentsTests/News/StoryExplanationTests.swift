import JobQueue
import JSON
import Prompts
import SQLiteStore
import TestSupport
import SQLSupport
import Testing

@testable import Agents

/// Explanations of stored stories.
@Suite struct StoryExplanationTests {
    static let neutral: JSON = {
        var answer = ExplanationAgentTests.changed(
            "why_it_matters", "This shows how a large business is doing. It is context.")
        answer["for_holders"] = [
            ["holding": "AAPL", "text": "Since you hold AAPL, this shows how it does. It is context."],
            ["holding": "stocks", "text": "Since you hold stocks, this means little for most of them."],
            ["holding": "chips", "text": "Since you hold shares of chip makers, more phones need more chips."],
        ]
        return answer
    }()

    private func agent(_ model: ScriptedModel, in fixture: AgentFixture) throws -> ExplanationAgent {
        ExplanationAgent(
            stories: StoryExplainer(
                stories: RepositoryStoryReader(fixture.test.store), explanations: fixture.test.store,
                models: ModelCalls(try model.router()), now: { 1_800_000_000_000 }))
    }

    @Test func storedStoryIsExplainedAndItsExplanationIsStored() async throws {
        try await AgentFixture.run { fixture in
            let group = try await fixture.keepStory()
            let model = ScriptedModel(.json(ExplanationAgentTests.good))
            let job = try await fixture.job("explanation", ["story_id": JSON(group), "holdings": ["aapl", "MSFT"]])
            let result = try await fixture.result(job, try agent(model, in: fixture))
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

    @Test func explanationForAllUsersIsFoundByItsParts() async throws {
        try await AgentFixture.run { fixture in
            let group = try await fixture.keepStory()
            let result = try await finish(group, holdings: ["MSFT"], Self.neutral, in: fixture)
            #expect(result["holdings"] == [])
            let found = try await passages(in: fixture)
            #expect(found.count == 5 && found.allSatisfy { $0.kind == .story && $0.owner == nil && $0.url == nil })
            #expect(found.allSatisfy { $0.source == String(group) && $0.writtenAt == 1_800_000_000_000 })
            let first = try #require(found.first)
            #expect(first.title == "Apple sells more: What happened")
            #expect(JSON(first.text) == result["explanation"]?["what_happened"])
            #expect(found.allSatisfy { !$0.text.isEmpty })
        }
    }

    @Test("The common explanation speaks to holders of the story's tickers and of groups, whoever holds what")
    func commonExplanationSpeaksToHolders() async throws {
        try await AgentFixture.run { fixture in
            let group = try await fixture.keepStory()
            var silent = Self.neutral
            silent["for_holders"] = [["holding": "AAPL", "text": "Since you hold AAPL, it is context."]]
            var wrong = Self.neutral
            wrong["for_holders"] = [
                ["holding": "AAPL", "text": "Since you hold TSLA, it is context."],
                ["holding": "stocks", "text": "Since you hold stocks, this means little."],
            ]
            let model = ScriptedModel(.json(silent), .json(Self.neutral))
            let job = try await fixture.job("explanation", ["story_id": JSON(group), "holdings": []])
            let result = try await fixture.result(job, try agent(model, in: fixture))
            #expect(model.prompt(0).contains("shares of chip makers") && model.prompt(0).contains("AAPL"))
            #expect(model.prompt(1).contains("A part is missing for stocks"))
            #expect(result.body["explanation"]?["for_holders"]?.array?.count == 3)
            let other = ScriptedModel(.json(wrong), .json(wrong))
            let failure = try await fixture.failure(
                try await fixture.job("explanation", ["story_id": JSON(group), "holdings": []]),
                try agent(other, in: fixture))
            #expect(failure.error.message.contains("holders-addressed at for_holders[0].text"))
        }
    }

    @Test func explanationForOneUsersHoldingsIsNoPassage() async throws {
        try await AgentFixture.run { fixture in
            let group = try await fixture.keepStory()
            let result = try await finish(group, holdings: ["AAPL"], ExplanationAgentTests.good, in: fixture)
            #expect(result["holdings"] == ["AAPL"])
            #expect(try await passages(in: fixture).isEmpty)
        }
    }

    @Test func newVersionReplacesTheLastOneInEveryGroup() async throws {
        try await AgentFixture.run { fixture in
            let group = try await fixture.keepStory()
            _ = try await finish(group, holdings: [], Self.neutral, in: fixture)
            // Twice as many articles are another version.
            try await fixture.keepStory(of: 4)
            let own = try #require(
                await fixture.test.store.tickerGroups(on: "2026-11-21", tickers: ["AAPL"], limit: 1).first?.id)
            #expect(own != group)
            var next = Self.neutral
            next["closing"] = "That is all there is to it."
            _ = try await finish(own, holdings: [], next, in: fixture)
            let found = try await passages(in: fixture)
            #expect(found.count == 5 && found.allSatisfy { $0.source == String(group) })
            #expect(found.last?.text.hasSuffix("That is all there is to it.") == true)
        }
    }

    @Test func passagesAreDeletedWithTheExplanation() async throws {
        try await AgentFixture.run { fixture in
            _ = try await finish(try await fixture.keepStory(), holdings: [], Self.neutral, in: fixture)
            let store = fixture.test.store
            #expect(try await store.deleteExplanations(createdBefore: 1_800_000_000_000, limit: 9) == 0)
            #expect(try await passages(in: fixture).count == 5)
            #expect(try await store.deleteExplanations(createdBefore: 1_800_000_000_001, limit: 9) == 1)
            #expect(try await passages(in: fixture).isEmpty)
        }
    }

    private func finish(
        _ group: Int64, holdings: [String], _ answer: JSON, in fixture: AgentFixture
    ) async throws -> JSON {
        let job = try await fixture.job("explanation", ["story_id": JSON(group), "holdings": JSON(holdings)])
        let result = try await fixture.result(job, try agent(ScriptedModel(.json(answer)), in: fixture))
        try await fixture.test.store.complete(
            job.lease, with: result.body, effects: result.records.map { .record($0) })
        return result.body
    }

    /// The passages of the story, by their order.
    private func passages(in fixture: AgentFixture) async throws -> [Passage] {
        try await fixture.test.store.passages(holding: ["appl"], for: 1, limit: 20).sorted { $0.part < $1.part }
    }

    @Test func existingExplanationIsNotMadeAgain() async throws {
        try await AgentFixture.run { fixture in
            let group = try await fixture.keepStory()
            let input: JSON = ["story_id": JSON(group), "holdings": []]
            let first = ScriptedModel(.json(Self.neutral))
            let job = try await fixture.job("explanation", input)
            let made = try await fixture.result(job, try agent(first, in: fixture))
            try await fixture.test.store.complete(
                job.lease, with: made.body, effects: made.records.map { .record($0) })
            let second = ScriptedModel()
            let again = try await fixture.result(
                try await fixture.job("explanation", input), try agent(second, in: fixture))
            #expect(again.body == made.body && again.records.isEmpty && second.requests.isEmpty)
        }
    }

    @Test func missingStoryFailsTheJobWithoutAModelCall() async throws {
        try await AgentFixture.run { fixture in
            let model = ScriptedModel()
            let failure = try await fixture.failure(
                try await fixture.job("explanation", ["story_id": 77]), try agent(model, in: fixture))
            #expect(failure.error.code == "BIZ_2005" && !failure.isTransient && model.requests.isEmpty)
        }
    }
}

extension AgentFixture {
    /// Stores a story about Apple and returns the number of its group; without texts, only the titles are known.
    @discardableResult
    func keepStory(of count: Int = 2, withTexts: Bool = true) async throws -> Int64 {
        let job = try await job("explanation", ["story_id": 1])
        let articles = (1...count).map { number in
            let id = "a\(number)"
            let article = number == 1 ? ExplanationAgentTests.article : ExplanationAgentTests.second
            return NewsArticle(
                id: id, url: article["url"]?.string ?? "", title: article["title"]?.string ?? "",
                text: withTexts ? article["text"]?.string : nil, source: article["source"]?.string ?? "",
                publishedAt: 1_790_000_000_000,
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
