import JobQueue
import JSON
import News
import Prompts
import SQLSupport
import SQLiteStore
import TestSupport
import Testing

@testable import Agents

/// Explanations that are written before anybody reads.
@Suite struct AheadAgentTests {
    /// 2026-11-21, 12:00 in UTC.
    private static let now: Timestamp = 1_795_262_400_000

    private func agent(_ model: ScriptedModel, in fixture: AgentFixture) throws -> AheadAgent {
        let store = fixture.test.store
        return AheadAgent(
            stories: StoryExplainer(
                stories: RepositoryStoryReader(store), explanations: store, models: ModelCalls(try model.router()),
                now: { Self.now }), explanations: store, records: store, now: { Self.now })
    }

    /// Runs the scheduled job, with other settings where they are given.
    private func run(
        _ model: ScriptedModel, settings: JSON = [:], in fixture: AgentFixture
    ) async throws -> JSON {
        let job = try await fixture.job("explain-ahead", [:], user: .system)
        var kind = try #require(fixture.bundle.kinds["explain-ahead"])
        for (name, value) in settings.object ?? [:] { kind.settings[name] = value }
        let journal = try await Journal(of: job.lease, in: fixture.test.store)
        let result = try await agent(model, in: fixture).run(
            JobContext(job: job, kind: kind, bundle: fixture.bundle, journal: journal, isLive: { true }) { _, _ in })
        try await fixture.test.store.complete(
            job.lease, with: result.body, effects: result.records.map { .record($0) })
        return result.body
    }

    /// Stores a story of one article for each of the given ones.
    private func keep(
        _ stories: [(key: String, tickers: [String], impact: ImpactLevel)], in fixture: AgentFixture
    ) async throws {
        let job = try await fixture.job("explanation", ["story_id": 1])
        var effects: [Effect] = []
        for (key, tickers, impact) in stories {
            let url = "https://news.example/\(key)"
            effects.append(
                .record(
                    .article(
                        NewsArticle(
                            id: key, url: url, title: "Earnings of \(key)",
                            text: ExplanationAgentTests.article["text"]?.string, source: "Harbour Times",
                            publishedAt: Self.now - .seconds(3600), fetchedAt: Self.now - .seconds(3600),
                            day: "2026-11-21"))))
            effects.append(
                .record(
                    .story(
                        NewsStory(
                            key: key, day: "2026-11-21", title: "Earnings of \(key)", impact: impact,
                            confidence: .medium, tickers: tickers.map { StoryTicker(symbol: $0, isSubject: true) },
                            members: [
                                StoryMember(
                                    article: key, url: url, similarity: 9000, addedAt: Self.now - .seconds(3600))
                            ],
                            createdAt: Self.now - .seconds(3600), updatedAt: Self.now - .seconds(3600)))))
        }
        try await fixture.test.store.complete(job.lease, with: 1, effects: effects)
    }

    private func written(in fixture: AgentFixture, _ keys: [String]) async throws -> [String] {
        let wanted = keys.map { ExplanationKey(story: $0, version: "x") }
        return try await fixture.test.store.explanations(wanted).map(\.story).sorted()
    }

    /// The answer about a story, with a part for each of its tickers.
    private func answer(_ tickers: String...) -> ScriptedModel.Reply {
        var answer = StoryExplanationTests.neutral
        answer["sources"] = ["a1"]
        answer["for_holders"] = JSON.array(
            tickers.map { ["holding": JSON($0), "text": JSON("Since you hold \($0), this is context.")] }
                + [["holding": "stocks", "text": "Since you hold stocks, this means little."]])
        return .json(answer)
    }

    @Test("Stories of holdings and the day's top ones are written before anybody reads, the most wanted first")
    func wantedStoriesAreExplainedAhead() async throws {
        try await AgentFixture.run { fixture in
            try await keep(
                [("low", [], .veryLow), ("high", [], .high), ("own", ["XOM"], .low), ("other", ["F"], .low)],
                in: fixture)
            _ = try await fixture.test.store.change(
                preferencesOf: 7, PreferencesChange(holdings: [Holding(ticker: "XOM")]))
            let model = ScriptedModel(answer(), answer("XOM"))
            let result = try await run(model, settings: ["top": 1], in: fixture)
            #expect(result["explained"] == 2 && result["failed"] == [] && result["ended"] == "done")
            #expect(try await written(in: fixture, ["low", "high", "own", "other"]) == ["high", "own"])
            #expect(model.prompt(0).contains("Earnings of high") && model.prompt(1).contains("Earnings of own"))
            // The next run has nothing to do.
            let next = ScriptedModel()
            #expect(try await run(next, settings: ["top": 1], in: fixture)["chosen"] == 0)
            #expect(next.requests.isEmpty)
        }
    }

    @Test("Stories are written ahead in the languages that readers chose, which take turns")
    func storiesAreExplainedInTheLanguagesOfReaders() async throws {
        try await AgentFixture.run { fixture in
            try await keep([("high", [], .high), ("own", ["XOM"], .low)], in: fixture)
            for (user, ticker) in [(7, "XOM"), (8, "F")] as [(UserID, String)] {
                _ = try await fixture.test.store.change(
                    preferencesOf: user, PreferencesChange(holdings: [Holding(ticker: ticker)], language: "de"))
            }
            // English answers hold for English readers alone, and are asked for once more.
            let model = ScriptedModel(answer(), answer(), answer(), answer("XOM"), answer("XOM"))
            let result = try await run(model, settings: ["top": 1], in: fixture)
            // The common story in both languages; what a German reader holds in German.
            #expect(result["chosen"] == 3 && result["explained"] == 1)
            #expect(result["failed"]?.array?.map { $0["language"] } == ["de", "de"])
            #expect((0..<5).map { model.prompt($0).contains("German") } == [true, true, false, true, true])
            #expect(try await written(in: fixture, ["high", "own"]) == ["high"])
            // What failed in German is not tried again, and what is written is there.
            let next = ScriptedModel()
            #expect(try await run(next, settings: ["top": 1], in: fixture)["chosen"] == 0)
        }
    }

    @Test func theBudgetOfTheDayEndsTheRunAndTheNextOneStaysWithinIt() async throws {
        try await AgentFixture.run { fixture in
            try await keep([("a", [], .high), ("b", [], .high), ("c", [], .high)], in: fixture)
            let model = ScriptedModel(answer(), answer(), answer())
            let result = try await run(model, settings: ["dollars_per_day": 0.000001], in: fixture)
            #expect(result["explained"] == 1 && result["ended"] == "budget" && model.requests.count == 1)
            #expect((result["spent_today_micro_dollars"]?.integer ?? 0) > 0)
            let next = ScriptedModel(answer())
            #expect(try await run(next, settings: ["dollars_per_day": 0.000001], in: fixture)["ended"] == "budget")
            let off = ScriptedModel(answer())
            _ = try await run(off, settings: ["dollars_per_day": 0], in: fixture)
            #expect(next.requests.isEmpty && off.requests.isEmpty)
        }
    }

    @Test func aStoryWhoseExplanationFailsStopsNoOtherAndIsNotTriedAgain() async throws {
        try await AgentFixture.run { fixture in
            try await keep([("a", [], .high), ("b", [], .moderate)], in: fixture)
            var bad = StoryExplanationTests.neutral
            bad["closing"] = "Prices soared."
            let model = ScriptedModel(.json(bad), .json(bad), answer())
            let result = try await run(model, in: fixture)
            #expect(result["explained"] == 1 && result["failed"]?.array?.count == 1)
            #expect(result["failed"]?[0]?["problem"]?.string?.contains("no-urgency (not-regex) at closing") == true)
            #expect(try await written(in: fixture, ["a", "b"]) == ["b"])
            let next = ScriptedModel(answer())
            #expect(try await run(next, in: fixture)["chosen"] == 0 && next.requests.isEmpty)
        }
    }

    @Test func aProviderThatIsAwayEndsTheRunAndTheNextOneGoesOn() async throws {
        try await AgentFixture.run { fixture in
            try await keep([("a", [], .high), ("b", [], .moderate)], in: fixture)
            let model = ScriptedModel(answer(), .status(500), .status(500), .status(500), .status(500))
            _ = try? await run(model, in: fixture)
            #expect(try await written(in: fixture, ["a", "b"]) == ["a"])
        }
    }
}
