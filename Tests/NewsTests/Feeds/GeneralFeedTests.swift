import News
import JSON
import JobQueue
import TestSupport
import Testing

/// The feeds, read from a news day in memory.
@Suite struct GeneralFeedTests {
    private static let now = Samples.timestamp
    private static let hour: Duration = .seconds(3600)

    private func titles(_ page: FeedPage<News.Signal>) -> [String] { page.items.map(\.story.lead.id) }

    private func all(
        _ feed: GeneralFeed, limit: Int, between: (Int) -> Void = { _ in }
    ) async throws -> [String] {
        var (found, cursor, pages): ([String], FeedCursor?, Int) = ([], nil, 0)
        repeat {
            let page = try await feed.page(for: 7, limit: limit, after: cursor, now: Self.now + Self.hour * pages)
            found += titles(page)
            // The cursor that a client sends back.
            cursor = page.next.flatMap { FeedCursor($0.text, streams: 1) }
            #expect((cursor == nil) == (page.next == nil))
            between(pages)
            pages += 1
        } while cursor != nil
        return found
    }

    // MARK: The general feed

    @Test func theGeneralFeedIsRankedWithinItsWindows() async throws {
        let records = FakeRecords()
        records.add("low", impact: .low)
        records.add("high", impact: .high)
        records.add("yesterday", impact: .high, articles: 3, at: Self.now - Self.hour * 20)
        records.add("before", impact: .high, at: Self.now - Self.hour * 50)
        records.add("cup", impact: .high, title: "Outsiders win the cup after penalties")
        records.add("ancient", impact: .high, at: Self.now - Self.hour * 240)
        let page = try await GeneralFeed(records).page(for: 7, limit: 10, after: nil, now: Self.now)
        #expect(titles(page) == ["yesterday-0", "high-0", "low-0", "cup-0", "before-0"])
        #expect(page.next == nil)
    }

    @Test func pagesNeitherRepeatNorSkipStoriesWhileMoreArrive() async throws {
        let records = FakeRecords()
        for place in 0..<23 {
            let impact = ImpactLevel.allCases[place % 4]
            records.add(
                "s\(place)", impact: impact, articles: 1 + place % 3, at: Self.now - Self.hour * place)
        }
        let expected = try await all(GeneralFeed(records), limit: 100)
        #expect(expected.count == 23 && Set(expected).count == 23)
        for limit in [1, 4, 10] {
            #expect(try await all(GeneralFeed(records), limit: limit) == expected)
        }
        let found = try await all(GeneralFeed(records), limit: 4) { page in
            records.add("new\(page)", impact: .high, articles: 9, at: Self.now + .seconds(60))
            // A story that was at the end becomes the largest, and the first one too.
            records.change { state in
                for group in [0, 22] {
                    let article = Samples.article("x\(group)-\(page)", title: "Fed cuts rates", source: "X\(page)")
                    state.articles[article.id] = article
                    state.groups[group].story.members.append(
                        StoryMember(
                            article: article.id, url: article.url, similarity: 9999,
                            addedAt: Self.now + .milliseconds(1)))
                    state.groups[group].story.impact = .high
                    state.groups[group].story.updatedAt = Self.now + .milliseconds(1)
                }
            }
        }
        #expect(Set(found) == Set(expected) && found.count == 23)
    }

    @Test("The general feed shows a model's interpretation of an article to the user who asked for it alone")
    func theGeneralFeedShowsAnInterpretationToItsUserAlone() async throws {
        let records = FakeRecords()
        records.add("a")
        records.change { $0.signals["https://example.com/a-0"] = #"{"verdict": "ignore", "importance_score": 7}"# }
        let page = try await GeneralFeed(records).page(for: 7, limit: 10, after: nil, now: Self.now)
        #expect(page.items.first?.json["verdict"] == "ignore" && page.items.first?.json["importance_score"] == 7)
        let others = try await GeneralFeed(records).page(for: 8, limit: 10, after: nil, now: Self.now)
        #expect(others.items.count == 1 && others.items.first?.json["importance_score"] != 7)
    }

    @Test func aPageOfTheGeneralFeedTakesFewQueriesAtAnyLength() async throws {
        let records = FakeRecords()
        for place in 0..<200 { records.add("s\(place)", articles: 3) }
        _ = try await GeneralFeed(records).page(for: 7, limit: 100, after: nil, now: Self.now)
        #expect(records.questions == 5)
    }

    // MARK: The personalized feed

    private func personal(_ records: FakeRecords, _ focus: FocusProfile, _ tickers: String...) {
        records.change {
            $0.preferences[7] = Preferences(focus: focus, holdings: tickers.map { Holding(ticker: $0) })
        }
    }

    private func day() -> FakeRecords {
        let records = FakeRecords()
        for place in 0..<20 {
            records.add("apple\(place)", tickers: [("AAPL", true)])
            records.add("other\(place)", impact: .high, tickers: [("NVDA", true)])
            records.add("mention\(place)", impact: .veryLow, tickers: [("NVDA", true), ("AAPL", false)])
        }
        return records
    }

    @Test(arguments: [(FocusProfile.focused, 9, 0), (.balanced, 7, 0), (.broad, 5, 0)])
    func theShareOfHoldingsFollowsTheProfile(_ focus: FocusProfile, _ own: Int, _ mentions: Int) async throws {
        let records = day()
        personal(records, focus, "AAPL", "BTC")
        let page = try await PersonalFeed(records, explanations: records).page(
            for: 7, limit: 10, after: nil, now: Self.now)
        let ids = page.items.map(\.story.lead.id)
        #expect(ids.count(where: { $0.hasPrefix("apple") }) == own && ids.count == 10)
        #expect(ids.count(where: { $0.hasPrefix("other") }) == 10 - own)
        #expect(Set(ids).count == 10 && page.next != nil)
        #expect(page.items.first?.json["rank_reason"] == "User holds AAPL")
    }

    @Test func mentionsCountForTheBroadAloneAndSmallNewsIsNotForTheFocused() async throws {
        let records = FakeRecords()
        records.add("apple", tickers: [("AAPL", true)])
        records.add("mention", impact: .low, tickers: [("NVDA", true), ("AAPL", false)])
        func tiers(_ focus: FocusProfile) async throws -> [String: JSON] {
            personal(records, focus, "AAPL")
            let page = try await PersonalFeed(records, explanations: records).page(
                for: 7, limit: 10, after: nil, now: Self.now)
            return Dictionary(page.items.map { ($0.story.lead.id, $0.json["profileTier"] ?? .null) }) { $1 }
        }
        #expect(try await tiers(.broad) == ["apple-0": "high", "mention-0": "medium"])
        #expect(try await tiers(.balanced) == ["apple-0": "high", "mention-0": "low"])
        #expect(try await tiers(.focused) == ["apple-0": "high"])
    }

    @Test func aUserWithoutHoldingsGetsTheGeneralNews() async throws {
        let records = day()
        let page = try await PersonalFeed(records, explanations: records).page(
            for: 9, limit: 100, after: nil, now: Self.now)
        #expect(page.items.count == 60 && page.next == nil)
    }

    @Test func theWholePersonalizedFeedHasEachStoryOnce() async throws {
        for focus in FocusProfile.allCases {
            let records = day()
            records.add("both", impact: .high, tickers: [("BTC", true), ("AAPL", true)])
            records.add("old", tickers: [("BTC", true)], at: Self.now - Self.hour * 70)
            personal(records, focus, "AAPL", "BTC")
            var (ids, cursor, pages): ([String], FeedCursor?, Int) = ([], nil, 0)
            repeat {
                let page = try await PersonalFeed(records, explanations: records).page(
                    for: 7, limit: 7, after: cursor, now: Self.now)
                ids += page.items.map(\.story.lead.id)
                cursor = page.next.flatMap { FeedCursor($0.text, streams: 2) }
                #expect((cursor == nil) == (page.next == nil))
                records.add("late\(pages)", impact: .high, tickers: [("AAPL", true)], at: Self.now + .milliseconds(5))
                pages += 1
            } while cursor != nil && pages < 50
            #expect(Set(ids).count == ids.count, "\(focus)")
            #expect(ids.contains("old-0") && ids.contains("both-0") && !ids.contains("late0-0"), "\(focus)")
            if focus != .focused { #expect(ids.count == 62, "\(focus)") }
        }
    }

    @Test func explanationsAreShownAndMissingOnesAreNull() async throws {
        let records = FakeRecords()
        records.add("a", tickers: [("AAPL", true)])
        records.add("b", tickers: [("AAPL", true)])
        personal(records, .balanced, "AAPL", "BTC")
        records.change { $0.explanations["a-0"] = ["what_happened": "Apple reports."] }
        let page = try await PersonalFeed(records, explanations: records).page(
            for: 7, limit: 10, after: nil, now: Self.now)
        let explanations = Dictionary(page.items.map { ($0.story.lead.id, $0.json["explanation"]) }) { $1 }
        #expect(explanations["a-0"]??["summary"] == "Apple reports." && explanations["b-0"] == .some(.null))
        records.change { #expect($0.askedFor == ["AAPL", "BTC"]) }
    }

    @Test func aPageOfThePersonalizedFeedTakesFewQueriesAtAnyLength() async throws {
        let records = day()
        for place in 0..<100 { records.add("more\(place)", tickers: [("AAPL", true)]) }
        personal(records, .balanced, "AAPL", "BTC", "MSFT")
        _ = try await PersonalFeed(records, explanations: records).page(for: 7, limit: 50, after: nil, now: Self.now)
        #expect(records.questions == 7)
    }
}
