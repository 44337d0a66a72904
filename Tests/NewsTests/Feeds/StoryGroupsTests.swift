import Basics
import News
import JSON
import JobQueue
import TestSupport
import Testing

/// `/v1/feed/story-groups`, and briefs.
@Suite struct StoryGroupsTests {
    private static let date = FeedTimestamp.date(Samples.timestamp)

    private func answer(_ records: FakeRecords, global: Int = 5, ticker: Int = 3) async throws -> JSON {
        let day = try #require(ReaderDay(Self.date, in: .utc))
        return try await StoryGroupsFeed(records, explanations: records).answer(
            .init(user: 7, day: day, globalLimit: global, tickerLimit: ticker), now: Samples.timestamp)
    }

    private func day() -> FakeRecords {
        let records = FakeRecords()
        records.add("fed", impact: .high, title: "Fed leaves rates unchanged", articles: 2)
        records.add("googl", impact: .high, tickers: [("GOOGL", true), ("MSFT", false)])
        records.add("btc", impact: .low, tickers: [("BTC", true)])
        records.add("aapl", impact: .high, tickers: [("AAPL", true)])
        records.change {
            $0.preferences[7] = Preferences(holdings: ["PLTR", "GOOGL", "BTC"].map { Holding(ticker: $0) })
        }
        return records
    }

    @Test func aGroupHasEveryMemberOfTheDocument() async throws {
        let json = try await answer(day())
        #expect(json["date"] == JSON(Self.date) && json["user_id"] == 7)
        #expect(json["user_holdings"] == ["PLTR", "GOOGL", "BTC"])
        #expect(json["generated_at"] == "2026-01-04T09:46:40.000Z")
        #expect(json["by_ticker"]?.object?.keys.map { String($0) } == ["GOOGL", "BTC"])
        let group = try #require(json["by_ticker"]?["GOOGL"]?[0])
        #expect(group["scope"] == "TICKER" && group["primary_ticker"] == "GOOGL" && group["article_count"] == 1)
        #expect(group["created_at"] == "2026-01-04 08:46:40" && group["date_bucket"] == JSON(Self.date))
        #expect(group["articles"]?[0]?["similarity_score"] == 0.95)
        #expect(group["related_tickers"] == [["ticker": "MSFT", "relationship_type": "mentioned"]])
        #expect(group["explanation"]?["what_happened"] == .null && group["explanation"]?["sources_summary"] == [])
        #expect(group["explanation"]?.object?.count == 11)
    }

    @Test func theDateOfAGroupIsTheReadersDay() async throws {
        let records = FakeRecords()
        // 23:30 of 3 January in UTC, half past midnight of the fourth in Berlin.
        let arrival = try #require(FeedTimestamp.start(ofDate: "2026-01-04")) - .seconds(1800)
        records.add("fed", impact: .high, at: arrival)
        for (zone, date) in [("Europe/Berlin", "2026-01-04"), ("UTC", "2026-01-03")] {
            let offsets = try #require(ZoneOffsets(named: zone))
            #expect(ReaderDay.date(at: arrival, in: offsets) == date)
            let day = try #require(ReaderDay(date, in: offsets))
            let answer = try await StoryGroupsFeed(records, explanations: records).answer(
                .init(user: 7, day: day, globalLimit: 5, tickerLimit: 3), now: arrival)
            #expect(answer["date"]?.string == date && answer["global"]?[0]?["date_bucket"]?.string == date)
        }
    }

    @Test func theMergedFeedHasEachStoryOnceWithItsReason() async throws {
        let answer = try await answer(day())
        let merged = try #require(answer["merged_feed"]?.array)
        #expect(merged.map { $0["impact_level"] } == ["High", "High", "High", "Low"])
        let reasons = Dictionary(
            merged.compactMap { group in group["group_title"]?.string.map { ($0, group["rank_reason"]) } }
        ) { $1 }
        #expect(
            reasons == [
                "Fed leaves rates unchanged": "Global impact", "googl reports earnings": "User holds GOOGL",
                "aapl reports earnings": "Global impact", "btc reports earnings": "User holds BTC",
            ])
    }

    @Test func limitsBoundTheGroupsShown() async throws {
        let none = try await answer(day(), global: 0, ticker: 0)
        #expect(none["global"] == [] && none["by_ticker"] == .object([:]) && none["merged_feed"] == [])
        #expect(try await answer(day(), global: 2, ticker: 0)["global"]?.array?.count == 2)
    }

    @Test func theGroupsTakeFewQueries() async throws {
        let records = day()
        for place in 0..<50 { records.add("s\(place)", tickers: [("GOOGL", true)]) }
        _ = records.questions
        _ = try await answer(records, global: 50, ticker: 50)
        #expect(records.questions == 4)
    }

    @Test func anyNumberOfBriefsTakesFewQueries() async throws {
        let records = day()
        records.add("cup", impact: .high, title: "Outsiders win the cup")
        records.add("small", impact: .veryLow, tickers: [("PLTR", true)])
        let holders = (1...20).map { user in
            Holder(
                user: UserID(rawValue: Int64(user)),
                preferences: Preferences(holdings: [Holding(ticker: user == 1 ? "PLTR" : "BTC")]))
        }
        let briefs = try await BriefWriter(records, at: Samples.timestamp).briefs(of: [.allUsers] + holders)
        #expect(records.questions == 6)
        #expect(briefs.map(\.user) == [Brief.allUsers] + holders.map(\.user))
        let common = try #require(try JSON(parsing: briefs[0].items).array)
        // Unimportant stories are in no brief, unless they are about a holding.
        #expect(common.count == 4 && common.allSatisfy { $0["verdict"] == "aware" })
        let first = try JSON(parsing: briefs[1].items)
        #expect(
            first[0]?["id"] == "https://example.com/small-0"
                && first[0]?["why"]?[0]?.string?.hasPrefix("You hold PLTR") == true)
        #expect(try JSON(parsing: briefs[2].items)[0]?["id"] == "https://example.com/btc-0")
    }

    @Test func laterArticlesAreInNoBrief() async throws {
        let records = day()
        let writer = BriefWriter(records, at: Samples.timestamp)
        let before = try await writer.briefs(of: [.allUsers])
        records.add("late", impact: .high, at: Samples.timestamp + .milliseconds(1))
        #expect(try await writer.briefs(of: [.allUsers]) == before)
    }
}
