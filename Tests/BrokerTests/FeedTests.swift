import Broker
import Foundation
import HTTP
import JSON
import JobQueue
import TestSupport
import Testing

/// `/v1/feed`, `/v1/personalized-feed`, `/v1/feed/story-groups` and `/v1/brief/latest`, with the printed client.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FeedTests {
    /// A service at a fixed time with a day of news.
    private static func withNews(_ body: (TestService, NewsAggregatorAPI) async throws -> Void) async throws {
        try await TestService.with { service in
            service.time.stop(at: TestNews.timestamp.milliseconds)
            var news = TestNews.story("fed", impact: .high, title: "Fed leaves rates unchanged", articles: 3)
            news += TestNews.story("apple", tickers: [("AAPL", true), ("MSFT", false)], articles: 2)
            news += TestNews.story("googl", impact: .high, tickers: [("GOOGL", true)])
            for place in 0..<12 { news += TestNews.story("small\(place)", impact: .low, tickers: [("NVDA", true)]) }
            news.append(TestNews.explanation(of: "apple"))
            try await service.write(news)
            try await body(service, NewsAggregatorAPI(baseURL: service.url))
        }
    }

    @Test func thePrintedClientDecodesTheGeneralFeed() async throws {
        try await Self.withNews { service, api in
            let feed = try await api.fetchFeed(limit: 5)
            #expect(feed.items.count == 5 && feed.next_cursor != nil)
            let first = try #require(feed.items.first)
            #expect(first.id == "https://news.example/fed/0" && first.url == first.id && first.source == "Paper 0")
            #expect(first.published_at == "2026-01-04T08:45:40Z" && first.verdict == "aware")
            #expect(first.why.count == 3 && first.importance_score == 82)
            #expect((50...100).contains(first.confidence), "\(first.confidence)")
            #expect(feed.items.map(\.importance_score) == feed.items.map(\.importance_score).sorted(by: >))
        }
    }

    @Test func pagesHoldEachItemOnceWhileMoreArrive() async throws {
        try await Self.withNews { service, api in
            let whole = try await api.fetchFeed(limit: 100).items.map(\.id)
            var (found, cursor): ([String], String?) = ([], "")
            while let place = cursor {
                let page = try await service.plain(.get, "/v1/feed?limit=4&cursor=\(place)")
                let feed = try page.decoded(NewsAggregatorAPI.FeedResponse.self)
                found += feed.items.map(\.id)
                cursor = feed.next_cursor
                try await service.write(
                    TestNews.story("late\(found.count)", impact: .high, at: TestNews.timestamp + .seconds(1)))
            }
            #expect(found == whole && found.count == 15)
        }
    }

    @Test func thePrintedClientDecodesBothFormsOfThePersonalizedFeed() async throws {
        try await Self.withNews { service, api in
            let changed = try await api.updatePreferences(focusProfile: "balanced", holdings: ["AAPL", "BTC"])
            #expect(changed.success && changed.focus_profile == "balanced" && changed.holdings_count == 2)
            let feed = try await api.fetchPersonalizedFeed(limit: 10)
            let apple = try #require(feed.items.first)
            #expect(apple.tickerSummary == "AAPL, MSFT" && apple.profileTier == "high")
            #expect(apple.impactLevel == "medium" && apple.scopeType == "company" && apple.relevanceType == "earnings")
            #expect(apple.rawArticles.map(\.articleNumber) == [1, 2])
            #expect(apple.rawArticles.first?.body == "A long text about apple.")
            let explanation = try #require(apple.explanation)
            #expect(explanation.summary == "apple reported. Sales rose." && explanation.confidence == 0.7)
            #expect(explanation.mostLikelyScenarios.map(\.likelihood) == ["Medium", "Low"])
            #expect(explanation.sources.first?.type == "Secondary")
            #expect(feed.items.dropFirst().allSatisfy { $0.explanation == nil })
            let answer = try await service.plain(.get, "/v1/personalized-feed", user: "1")
            let models = try answer.decoded(NewsAggregatorAPI.PersonalizedFeedOfTheModels.self)
            #expect(models.items.first?.explanation?.action == "Understand the context")
        }
    }

    @Test func thePrintedClientDecodesTheStoryGroups() async throws {
        try await Self.withNews { service, api in
            _ = try await api.updatePreferences(holdings: ["AAPL", "GOOGL", "PLTR"])
            let response = try await api.fetchStoryGroups(date: "2026-01-04", limitGlobal: 5, limitPerTicker: 3)
            #expect(response.user_id == 1 && response.user_holdings == ["AAPL", "GOOGL", "PLTR"])
            #expect(response.generated_at == "2026-01-04T09:46:40.000Z" && response.date == "2026-01-04")
            #expect(response.global.count == 5 && Set(response.by_ticker.keys) == ["AAPL", "GOOGL"])
            let levels = response.merged_feed.map(\.impact_level)
            #expect(levels == ["High", "High", "Moderate", "Low", "Low"])
            #expect(Set(response.merged_feed.map(\.id)).count == 5)
            let apple = try #require(response.merged_feed.first { $0.primary_ticker == "AAPL" })
            #expect(apple.rank_reason == "User holds AAPL" && apple.scope == "TICKER" && apple.article_count == 2)
            #expect(apple.explanation.what_happened != nil && apple.explanation.sources_summary.count == 1)
            #expect(apple.created_at == "2026-01-04 08:46:40")
            let fed = try #require(response.global.first { $0.group_title == "Fed leaves rates unchanged" })
            #expect(fed.explanation.what_happened == nil && fed.explanation.sources_summary.isEmpty)
            #expect(fed.primary_ticker == nil && fed.articles.count == 3)
            // The default date is today.
            #expect(try await api.fetchStoryGroups().merged_feed.count == 5)
            #expect(try await api.fetchStoryGroups(date: "2020-02-29").merged_feed.isEmpty)
        }
    }

    @Test func anEmptyServiceHasEmptyFeeds() async throws {
        try await TestService.with { service in
            let api = NewsAggregatorAPI(baseURL: service.url)
            let feed = try await api.fetchFeed()
            #expect(feed.items.isEmpty && feed.next_cursor == nil)
            #expect(try await api.fetchPersonalizedFeed().items.isEmpty)
            #expect(try await api.fetchStoryGroups().merged_feed.isEmpty)
            let brief = try await service.plain(.get, "/v1/brief/latest")
            #expect(brief.json == ["items": [], "generated_at": nil])
        }
    }

    @Test(arguments: [
        ("/v1/feed?limit=0", "'limit' must be a whole number from 1 to 100."),
        ("/v1/feed?limit=101", "'limit'"), ("/v1/feed?limit=ten", "'limit'"),
        ("/v1/feed?cursor=xyz", "'cursor' is not a cursor of this feed."),
        ("/v1/feed?cursor=mk2xcl4w.8-1-1-1", "'cursor'"),
        ("/v1/feed?cursor=%C2%84", "'cursor'"),
        ("/v1/personalized-feed?limit=-1", "'limit'"),
        ("/v1/personalized-feed?cursor=mk2xcl4w.0-1-1-1", "'cursor'"),
        ("/v1/feed/story-groups?date=2026-02-30", "'date' must be a date such as 2026-01-04."),
        ("/v1/feed/story-groups?date=today", "'date'"), ("/v1/feed/story-groups?limit_global=51", "'limit_global'"),
        ("/v1/feed/story-groups?limit_per_ticker=x", "'limit_per_ticker'"),
    ])
    func invalidFieldsAreNamed(_ path: String, _ problem: String) async throws {
        try await TestService.with { service in
            let answer = try await service.plain(.get, path)
            #expect(answer.status == 400)
            let error = try answer.decoded(NewsClient.ErrorResponse.self)
            #expect(error.error == "Invalid request" && error.details?.hasPrefix(problem) == true)
        }
    }

    @Test func thePrintedClientDecodesErrors() async throws {
        try await TestService.with {
            $0.rateLimit = 1
        } _: { service in
            let api = NewsAggregatorAPI(baseURL: service.url)
            await #expect(throws: NewsAggregatorAPI.APIError.self) { _ = try await api.fetchFeed(limit: 0) }
            do {
                _ = try await api.fetchFeed()
                Issue.record("the second request was let through")
            } catch NewsAggregatorAPI.APIError.rateLimited {
            }
        }
    }

    @Test func aFeedDoesNotRevealAnotherUsersHoldings() async throws {
        try await Self.withNews { service, api in
            api.userId = "7"
            _ = try await api.updatePreferences(focusProfile: "focused", holdings: ["AAPL"])
            try await service.write([
                .brief(Brief(user: 7, items: Self.items("mine"), generatedAt: TestNews.timestamp)),
                .brief(Brief(user: Brief.allUsers, items: Self.items("all"), generatedAt: TestNews.timestamp)),
            ])
            for path in ["/v1/personalized-feed", "/v1/feed/story-groups", "/v1/preferences", "/v1/brief/latest"] {
                let mine = try await service.plain(.get, path, user: "7")
                let other = try await service.plain(.get, path, user: "8")
                #expect(mine.json != other.json, "\(path)")
                #expect(!other.response.text.contains("User holds") && !other.response.text.contains("mine"), "\(path)")
            }
            let other = try await service.plain(.get, "/v1/feed/story-groups", user: "8")
            #expect(other.json["user_holdings"] == [] && other.json["by_ticker"] == .object([:]))
            #expect(try await service.plain(.get, "/v1/brief/latest", user: "8").json["items"]?[0]?["id"] == "all")
        }
    }

    /// The items of a brief with one item of this id.
    private static func items(_ id: String) -> String {
        let signal: JSON = [
            "id": JSON(id), "url": JSON(id), "title": "T", "source": "S", "published_at": "2026-01-04T00:00:00Z",
            "verdict": "aware", "why": ["a", "b", "c"], "action": "Keep it in mind", "horizon": nil,
            "opportunity_type": "none", "opportunity_note": "", "confidence": 50, "importance_score": 50,
            "judged_by": "rule",
        ]
        return JSON.array([signal]).compact
    }

    @Test func theUsersOwnBriefWinsUnlessTheCommonOneIsLater() async throws {
        try await TestService.with { service in
            func shown() async throws -> [String?] {
                let brief = try await service.plain(.get, "/v1/brief/latest", user: "7")
                return try brief.decoded(NewsAggregatorAPI.BriefResponse.self).items.map(\.id)
            }
            try await service.write([.brief(Brief(user: 7, items: Self.items("1"), generatedAt: 1000))])
            #expect(try await shown() == ["1"])
            try await service.write([.brief(Brief(user: Brief.allUsers, items: Self.items("2"), generatedAt: 2000))])
            // The common brief of another zone's morning does not replace the reader's own of the same day.
            #expect(try await shown() == ["1"])
            let next = Timestamp(milliseconds: 86_400_000 + 2000)
            try await service.write([.brief(Brief(user: Brief.allUsers, items: Self.items("2"), generatedAt: next))])
            #expect(try await shown() == ["2"])
            try await service.write([.brief(Brief(user: 7, items: Self.items("3"), generatedAt: 2000))])
            #expect(try await shown() == ["3"])
            let brief = try await service.plain(.get, "/v1/brief/latest", user: "7")
            #expect(brief.json["generated_at"] == "1970-01-01T00:00:02.000Z")
        }
    }

    @Test func readingFeedsIsFreeAndQueuesMissingExplanations() async throws {
        try await Self.withNews { service, api in
            func queued() async throws -> [JSON] {
                let jobs = try await service.ask(
                    .get, "/api/v1/jobs?kind=explanation", headers: ["X-User-ID": "system"])
                return jobs["data"]?.array ?? []
            }
            _ = try await api.updatePreferences(holdings: ["GOOGL"])
            _ = try await api.fetchFeed()
            #expect(try await queued().isEmpty)
            let groups = try await api.fetchStoryGroups(limitGlobal: 2, limitPerTicker: 1)
            #expect(groups.merged_feed.allSatisfy { $0.explanation.what_happened == nil })
            #expect(try await queued().count == 2)
            // The same explanations are already queued.
            _ = try await api.fetchStoryGroups(limitGlobal: 2, limitPerTicker: 1)
            #expect(try await queued().count == 2)
            _ = try await api.fetchPersonalizedFeed()
            #expect(try await queued().count > 2)
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }
}
