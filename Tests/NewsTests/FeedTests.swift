import JobQueue
import Testing

@testable import News

@Suite struct FeedTests {
    func group(
        _ id: Int64, story: String, _ impact: ImpactLevel, ticker: String? = nil, updated: Int64 = 0,
        urls: [String] = []
    ) -> StoryGroup {
        StoryGroup(
            id: id, story: StoryID(story), scope: ticker == nil ? .global : .ticker,
            primaryTicker: ticker.flatMap { TickerSymbol($0) }, title: "Title \(id)", impact: impact, confidence: .high,
            articles: urls.map { .init(url: $0, similarity: 1, addedAt: 0) }, relatedTickers: [], createdAt: 0,
            updatedAt: updated)
    }

    @Test func theMergedFeedIsSortedWithReasons() throws {
        let googl = try #require(TickerSymbol("GOOGL"))
        let feed = MergedFeed.merge(
            global: [group(1, story: "a", .low), group(363, story: "b", .high), group(3, story: "c", .moderate)],
            byTicker: [googl: [group(356, story: "d", .high, ticker: "GOOGL")]], holdings: [googl])
        #expect(feed.map(\.group.id) == [356, 363, 3, 1])
        #expect(feed.map(\.reason) == ["User holds GOOGL", "Global impact", "Global impact", "Global impact"])
    }

    @Test func withinAnImpactOlderStoriesOfHoldingsComeBeforeNewerOnes() throws {
        let googl = try #require(TickerSymbol("GOOGL"))
        let feed = MergedFeed.merge(
            global: [
                group(1, story: "a", .high, updated: 9), group(2, story: "b", .moderate, updated: 8),
                group(3, story: "c", .moderate, updated: 7),
            ],
            byTicker: [
                googl: [
                    group(4, story: "d", .moderate, ticker: "GOOGL", updated: 1),
                    group(5, story: "e", .moderate, ticker: "GOOGL", updated: 2),
                ]
            ], holdings: [googl])
        #expect(feed.map(\.group.id) == [1, 5, 4, 2, 3])
    }

    @Test func aStoryInBothScopesIsListedOnceAsTheTickers() throws {
        let btc = try #require(TickerSymbol("BTC"))
        let eth = try #require(TickerSymbol("ETH"))
        let feed = MergedFeed.merge(
            global: [group(1, story: "a", .high), group(9, story: "z", .low, urls: ["u1", "u2"])],
            byTicker: [
                btc: [group(2, story: "a", .high, ticker: "BTC")],
                eth: [
                    group(3, story: "a", .high, ticker: "ETH"),
                    group(4, story: "e", .low, ticker: "ETH", urls: ["u1", "u2"]),
                ],
            ], holdings: [eth, btc])
        #expect(feed.map(\.group.id) == [3, 4])
        #expect(feed.map(\.reason) == ["User holds ETH", "User holds ETH"])
    }

    @Test func groupsOfTickersThatAreNotHeldAreLeftOut() throws {
        let btc = try #require(TickerSymbol("BTC"))
        let feed = MergedFeed.merge(
            global: [], byTicker: [btc: [group(2, story: "a", .high, ticker: "BTC")]], holdings: [])
        #expect(feed.isEmpty)
    }

    @Test func theLevelsAreTheDocuments() {
        #expect(ImpactLevel.allCases.sorted(by: >).map(\.rawValue) == ["High", "Moderate", "Low", "Very Low"])
        #expect(ConfidenceLevel.allCases.map(\.rawValue) == ["High", "Medium", "Low"])
        #expect(StoryScope.allCases.map(\.rawValue) == ["GLOBAL", "TICKER"])
    }

    func story(_ titles: [String], sources: Int) -> Story {
        Story(
            id: StoryID("s"),
            members: titles.enumerated().map { place, title in
                Story.Member(
                    article: StoryArticle(
                        id: "\(place)", title: title, url: "u\(place)", source: "Paper \(place % sources)",
                        publishedAt: Int64(place)),
                    similarity: 0.5 + Double(place) / 100)
            })
    }

    @Test(arguments: [
        (1, "Elephants know voices", ImpactLevel.veryLow), (4, "Elephants know voices", .veryLow),
        (8, "Elephants know voices", .low), (1, "Acme to merge", .low), (8, "Acme to merge", .low),
    ]) func publishersAddLessThanALevel(publishers: Int, title: String, impact: ImpactLevel) {
        let story = story(Array(repeating: title, count: 8), sources: publishers)
        #expect(StoryProfile(of: story).impact == impact)
    }

    @Test(arguments: [
        ("Federal Reserve raises interest rates by a quarter point", ImpactLevel.high),
        ("December FOMC minutes show the Fed is worried about funding", .high),
        ("US inflation slows to 3.1%", .high), ("Norway's inflation slows to 3.1%", .low),
        ("Whirlpool beats quarterly estimates", .low), ("Ford recalls 1.2 million vehicles", .moderate),
        ("Microsoft to buy Activision for $69 billion", .moderate), ("Zentrix files for bankruptcy", .moderate),
        ("Could Apple buy Disney?", .veryLow), ("Is Apple stock a buy?", .veryLow),
        ("Stocks to watch: Apple, Target and Visa", .veryLow), ("Apple opens a store", .veryLow),
    ]) func whatHappensToWhomCountsWhenOnePublisherTellsIt(title: String, impact: ImpactLevel) {
        #expect(StoryProfile(of: story([title], sources: 1)).impact == impact)
    }

    @Test func confidenceNeedsSeveralPublishers() {
        let titles = Array(repeating: "Elephants know voices", count: 6)
        #expect(StoryProfile(of: story(titles, sources: 1)).confidence == .low)
        #expect(StoryProfile(of: story(titles, sources: 2)).confidence == .medium)
        #expect(StoryProfile(of: story(titles, sources: 3)).confidence == .high)
    }

    @Test func theTitleIsWholeAndCentral() {
        let story = story(
            ["Tesla recalls cars in Norway", "Tesla recalls more of its cars in Oslo ...", "Cars"], sources: 3)
        #expect(StoryProfile(of: story).title == "Tesla recalls cars in Norway")
    }

    @Test func tickersAreSubjectsOrMentioned() throws {
        let profile = StoryProfile(
            of: story(["Tesla recalls cars", "Tesla recall grows", "Nvidia rises as Tesla falls"], sources: 3))
        #expect(profile.tickers.map(\.ticker.text) == ["TSLA", "NVDA"])
        #expect(profile.tickers.map(\.relationship) == [.subject, .mentioned])
        #expect(profile.subjects.map(\.text) == ["TSLA"])
        let tesla = try #require(TickerSymbol("TSLA"))
        let group = profile.group(
            id: 1, of: story(["Tesla recalls cars"], sources: 1), for: tesla, createdAt: 1, updatedAt: 2,
            addedAt: \.publishedAt)
        #expect(group.scope == .ticker)
        #expect(group.relatedTickers.map(\.ticker.text) == ["NVDA"])
    }
}
