import JobQueue
import JSON
import News
import SQLiteStore
import SQLSupport
import TestSupport
import Testing

@testable import Agents

/// Briefs over a real database.
@Suite struct BriefAgentTests {
    /// A story of one article that began a minute before a timestamp.
    private static func story(_ name: String, _ ticker: String, before timestamp: Timestamp) -> [Effect] {
        let began = timestamp - .seconds(60)
        let day = String.day(of: began)
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

    /// Stores stories of two companies, and users that each hold one of them.
    private func fill(_ fixture: AgentFixture, holders: Int) async throws {
        let now = try await fixture.test.store.now()
        let job = try await fixture.job("interpret", ["textOrUrl": "x"])
        try await fixture.test.store.complete(
            job.lease, with: 1,
            effects: Self.story("apple", "AAPL", before: now) + Self.story("bitcoin", "BTC", before: now))
        for user in 1...holders {
            _ = try await fixture.test.store.change(
                preferencesOf: UserID(rawValue: Int64(user)),
                PreferencesChange(holdings: [Holding(ticker: user.isMultiple(of: 2) ? "AAPL" : "BTC")]))
        }
    }

    private func first(_ brief: Brief) throws -> JSON? { try JSON(parsing: brief.items)[0] }

    @Test func scheduledJobWritesABriefForAllUsersAndForEachHolder() async throws {
        try await AgentFixture.run { fixture in
            try await fill(fixture, holders: 60)
            let store = fixture.test.store
            let job = try await fixture.job("brief", [:], user: Brief.allUsers)
            let result = try await fixture.attempt(job, BriefAgent(records: store))
            #expect(result["everybody"] == true && result["holders"] == 60)
            let briefs = try await store.briefs(of: (-1...60).map(UserID.init(rawValue:)))
            #expect(briefs.count == 61 && Set(briefs.map(\.generatedAt)) == [job.createdAt])
            for brief in briefs where brief.user.rawValue > 0 {
                let ticker = brief.user.rawValue.isMultiple(of: 2) ? "AAPL" : "BTC"
                #expect(try first(brief)?["why"]?[0]?.string?.hasPrefix("You hold \(ticker)") == true)
            }
            #expect(try JSON(parsing: briefs[0].items).array?.count == 2)
            let steps = try await store.journal(of: job.lease.job).map(\.name)
            #expect(steps == ["zones", "holders", "holders", "holders", "holders", "everybody"])
        }
    }

    @Test func interruptedRunContinuesBehindTheLastStep() async throws {
        try await AgentFixture.run { fixture in
            try await fill(fixture, holders: 30)
            let store = fixture.test.store
            let job = try await fixture.job("brief", [:], user: Brief.allUsers)
            _ = try await fixture.attempt(job, BriefAgent(records: store))
            try await store.snooze([job.lease], after: .zero)
            // A user who joins after the last step waits for the next day.
            _ = try await store.change(preferencesOf: 0, PreferencesChange(holdings: [Holding(ticker: "AAPL")]))
            let again = try await fixture.claim(by: "w2")
            #expect(again.lease.epoch > job.lease.epoch)
            let result = try await fixture.attempt(again, BriefAgent(records: store))
            #expect(result["holders"] == 30)
            #expect(try await store.journal(of: job.lease.job).count == 5)
            #expect(try await store.briefs(of: [0]).isEmpty)
        }
    }

    @Test func usersOwnJobWritesOnlyThatUsersBrief() async throws {
        try await AgentFixture.run { fixture in
            try await fill(fixture, holders: 3)
            let store = fixture.test.store
            let job = try await fixture.job("brief", [:], user: 2)
            let result = try await fixture.attempt(job, BriefAgent(records: store))
            #expect(result["everybody"] == false)
            let briefs = try await store.briefs(of: (-1...3).map(UserID.init(rawValue:)))
            #expect(briefs.map(\.user) == [2])
            #expect(try first(briefs[0])?["why"]?[0]?.string?.hasPrefix("You hold AAPL") == true)
        }
    }

    @Test func usersOwnJobWritesInTheLanguageThatItAsksFor() async throws {
        try await AgentFixture.run { fixture in
            try await fill(fixture, holders: 2)
            let store = fixture.test.store
            let job = try await fixture.job("brief", ["language": "de"], user: 2)
            _ = try await fixture.attempt(job, BriefAgent(records: store))
            let brief = try #require(try await store.briefs(of: [2]).first)
            #expect(try first(brief)?["why"]?[0]?.string?.hasPrefix("Sie halten AAPL") == true)
        }
    }

    /// Users in Tokyo, New York and without a zone get theirs at 5:30 by their own clocks, each once a day.
    @Test func briefsAreWrittenInTheMorningOfEachZone() async throws {
        try await AgentFixture.run { fixture in
            let store = fixture.test.store
            let zones: [(UserID, String?)] = [(1, "Asia/Tokyo"), (2, "America/New_York"), (3, nil)]
            for (user, zone) in zones {
                _ = try await store.change(
                    preferencesOf: user, PreferencesChange(holdings: [Holding(ticker: "AAPL")], timeZone: zone))
            }
            let now = try await store.now()
            let day = now.milliseconds / 86_400_000 * 86_400_000
            var written: [Int64: [UserID]] = [:]
            var times: [UserID: Timestamp] = [:]
            for half in 0..<48 as Range<Int64> {
                let job = try await fixture.job("brief", [:], user: Brief.allUsers, cost: 0)
                var claimed = job
                claimed.createdAt = Timestamp(milliseconds: day + half * 1_800_000)
                _ = try await fixture.attempt(claimed, BriefAgent(records: store))
                for brief in try await store.briefs(of: [1, 2, 3]) where times[brief.user] != brief.generatedAt {
                    times[brief.user] = brief.generatedAt
                    written[half, default: []].append(brief.user)
                }
                try await store.complete(job.lease, with: 1, effects: [])
            }
            // The first run writes all; then UTC's morning, New York's (10:30 or 9:30 UTC) and Tokyo's (20:30 UTC).
            #expect(written[0] == [1, 2, 3] && written[11] == [3] && written[41] == [1])
            #expect(written[19] == [2] || written[21] == [2])
            #expect(written.count == 4)
        }
    }

    @Test func dayWithoutNewsHasAnEmptyBrief() async throws {
        try await AgentFixture.run { fixture in
            let job = try await fixture.job("brief", [:], user: Brief.allUsers)
            _ = try await fixture.attempt(job, BriefAgent(records: fixture.test.store))
            #expect(try await fixture.test.store.briefs(of: [Brief.allUsers]).map(\.items) == ["[]"])
        }
    }
}
