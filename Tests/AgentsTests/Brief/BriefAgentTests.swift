import SQLiteStore
import News
import JSON
import JobQueue
import Testing

@testable import Agents

/// Briefs over a real database.
@Suite struct BriefAgentTests {
    /// A story of one article that began a minute before a moment.
    private static func story(_ name: String, _ ticker: String, before timestamp: Timestamp) -> [Effect] {
        let began = timestamp.milliseconds - 60_000
        let day = Self.day(of: began)
        let title = "\(ticker) reports earnings"
        let article = NewsArticle(
            id: name, url: "https://news.example/\(name)", title: title, source: "Wire", tickers: [ticker],
            publishedAt: began, fetchedAt: began, day: day)
        let story = NewsStory(
            key: name, day: day, title: title, impact: .low, confidence: .low,
            tickers: [StoryTicker(symbol: ticker, isSubject: true)],
            members: [StoryMember(article: name, url: article.url, similarity: 10_000, addedAt: began)],
            createdAt: began, updatedAt: began)
        return [.record(.article(article)), .record(.story(story))]
    }

    private static func day(of milliseconds: Int64) -> String {
        FeedTimestamp.date(milliseconds)
    }

    /// Stories of two companies, and so many users who hold one or the other.
    private func fill(_ world: LearningWorld, holders: Int) async throws {
        let now = try await world.test.store.now()
        let job = try await world.job("interpret", ["textOrUrl": "x"])
        try await world.test.store.complete(
            job.lease, with: 1,
            effects: Self.story("apple", "AAPL", before: now) + Self.story("bitcoin", "BTC", before: now))
        for user in 1...holders {
            _ = try await world.test.store.change(
                preferencesOf: Int64(user),
                PreferencesChange(holdings: [Holding(ticker: user.isMultiple(of: 2) ? "AAPL" : "BTC")]))
        }
    }

    private func first(_ brief: Brief) throws -> JSON? { try JSON(parsing: brief.items)[0] }

    @Test func theSchedulesJobWritesABriefForEverybodyAndForEachWhoHoldsSomething() async throws {
        try await LearningWorld.run { world in
            try await fill(world, holders: 60)
            let store = world.test.store
            let job = try await world.job("brief", [:], user: Brief.everybody)
            let result = try await world.attempt(job, BriefAgent(records: store))
            #expect(result["everybody"] == true && result["holders"] == 60)
            let briefs = try await store.briefs(of: Array(-1...60))
            #expect(briefs.count == 61 && Set(briefs.map(\.generatedAt)) == [job.createdAt.milliseconds])
            for brief in briefs where brief.user > 0 {
                let ticker = brief.user.isMultiple(of: 2) ? "AAPL" : "BTC"
                #expect(try first(brief)?["why"]?[0] == JSON("You hold \(ticker)"))
            }
            #expect(try JSON(parsing: briefs[0].items).array?.count == 2)
            let steps = try await store.journal(of: job.lease.job).map(\.name)
            #expect(steps == ["everybody", "holders", "holders", "holders", "holders"])
        }
    }

    @Test func aRunThatWasInterruptedGoesOnBehindTheLastStep() async throws {
        try await LearningWorld.run { world in
            try await fill(world, holders: 30)
            let store = world.test.store
            let job = try await world.job("brief", [:], user: Brief.everybody)
            _ = try await world.attempt(job, BriefAgent(records: store))
            try await store.handBack([job.lease], after: .zero)
            // Whoever joins meanwhile, in a part that was done, has to wait for the next day.
            _ = try await store.change(preferencesOf: 0, PreferencesChange(holdings: [Holding(ticker: "AAPL")]))
            let again = try await world.claim(by: "w2")
            #expect(again.lease.epoch > job.lease.epoch)
            let result = try await world.attempt(again, BriefAgent(records: store))
            #expect(result["holders"] == 30)
            #expect(try await store.journal(of: job.lease.job).count == 4)
            #expect(try await store.briefs(of: [0]).isEmpty)
        }
    }

    @Test func aUsersOwnJobWritesThatUsersBriefAndNobodyElses() async throws {
        try await LearningWorld.run { world in
            try await fill(world, holders: 3)
            let store = world.test.store
            let job = try await world.job("brief", [:], user: 2)
            let result = try await world.attempt(job, BriefAgent(records: store))
            #expect(result["everybody"] == false)
            let briefs = try await store.briefs(of: Array(-1...3))
            #expect(briefs.map(\.user) == [2])
            #expect(try first(briefs[0])?["why"]?[0] == "You hold AAPL")
        }
    }

    @Test func aDayWithoutNewsHasAnEmptyBrief() async throws {
        try await LearningWorld.run { world in
            let job = try await world.job("brief", [:], user: Brief.everybody)
            _ = try await world.attempt(job, BriefAgent(records: world.test.store))
            #expect(try await world.test.store.briefs(of: [Brief.everybody]).map(\.items) == ["[]"])
        }
    }
}
