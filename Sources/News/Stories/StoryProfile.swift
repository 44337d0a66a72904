internal import Basics
package import JobQueue

/// The properties of a story that follow from its articles alone.
///
/// The rules are counts of publishers and of named tickers, so that the rank of a story can be
/// retraced; `docs/stories.md` gives their reasons.
package struct StoryProfile: Sendable, Hashable {
    /// The title that represents the story.
    package var title: String
    package var impact: ImpactLevel
    package var confidence: ConfidenceLevel
    /// The tickers, by the share of articles that name them, then by symbol; at most `tickerLimit`.
    package var tickers: [StoryGroup.RelatedTicker]

    package static let tickerLimit = 8

    package init(of story: Story, recognizer: TickerRecognizer = TickerRecognizer()) {
        let members = story.members
        let publishers = Set(members.map { $0.article.source.lowercased() }.filter { !$0.isEmpty }).count
        title = Self.representative(members)
        impact = Self.impact(publishers: publishers, titles: members.map(\.article.title))
        confidence = Self.confidence(publishers: publishers, members: members)
        tickers = Self.tickers(members, recognizer)
    }

    /// The tickers that the story is about.
    package var subjects: [TickerSymbol] { tickers.filter { $0.relationship == .subject }.map(\.ticker) }

    /// The common group of the story, or the group for holders of one of its tickers.
    package func group(
        id: Int64, of story: Story, for ticker: TickerSymbol? = nil, createdAt: Int64, updatedAt: Int64,
        addedAt: (StoryArticle) -> Int64
    ) -> StoryGroup {
        StoryGroup(
            id: id, story: story.id, scope: ticker == nil ? .global : .ticker, primaryTicker: ticker, title: title,
            impact: impact, confidence: confidence,
            articles: story.members.sorted {
                ($1.similarity, $0.article.publishedAt, $0.article.id)
                    < ($0.similarity, $1.article.publishedAt, $1.article.id)
            }.map { .init(url: $0.article.url, similarity: $0.similarity, addedAt: addedAt($0.article)) },
            relatedTickers: tickers.filter { $0.ticker != ticker }, createdAt: createdAt, updatedAt: updatedAt)
    }

    /// The most similar title that is whole: neither cut (`…`) nor a word or two, nor as long as a text.
    private static func representative(_ members: [Story.Member]) -> String {
        func flaws(_ title: String) -> Int {
            let words = title.split(separator: " ").count
            return (title.hasSuffix("...") || title.hasSuffix("…") ? 1 : 0) + (words < 4 ? 2 : 0) + (words > 20 ? 1 : 0)
                + (title.hasSuffix("?") ? 1 : 0)
        }
        let best = members.min {
            (flaws($0.article.title), $1.similarity, $0.article.publishedAt, $0.article.id)
                < (flaws($1.article.title), $0.similarity, $1.article.publishedAt, $1.article.id)
        }
        return best?.article.title ?? ""
    }

    /// A step for each doubling of publishers, and one for an event that moves prices.
    private static func impact(publishers: Int, titles: [String]) -> ImpactLevel {
        let weighty = titles.count { title in Words.of(title).contains { events.contains(Stemmer.stem($0.folded)) } }
        let isWeighty = 2 * weighty >= titles.count && weighty > 0
        let breadth = publishers >= 8 ? 3 : publishers >= 4 ? 2 : publishers >= 2 ? 1 : 0
        return switch breadth + (isWeighty ? 1 : 0) {
        case 0: .veryLow
        case 1: .low
        case 2: .moderate
        default: .high
        }
    }

    private static func confidence(publishers: Int, members: [Story.Member]) -> ConfidenceLevel {
        let mean = members.reduce(0) { $0 + $1.similarity } / Double(max(members.count, 1))
        if publishers >= 3, mean >= 0.4 { return .high }
        return publishers >= 2 ? .medium : .low
    }

    private static func tickers(_ members: [Story.Member], _ recognizer: TickerRecognizer) -> [StoryGroup.RelatedTicker]
    {
        var counts: [TickerSymbol: Int] = [:]
        for member in members {
            for ticker in recognizer.tickers(of: member.article) { counts[ticker, default: 0] += 1 }
        }
        // In a large story, a ticker in one article of ten is a side remark.
        let least = members.count < 5 ? 1 : max(2, (members.count + 9) / 10)
        return counts.filter { $0.value >= least }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(
            tickerLimit
        )
        .map { .init(ticker: $0.key, relationship: 2 * $0.value >= members.count ? .subject : .mentioned) }
    }

    /// Words of events that move prices: central banks, wars, failures, deals, courts, results.
    private static let events = Set(
        """
        fed ecb boj fomc rate rates inflation deflation recession gdp tariff tariffs sanction sanctions default
        bankruptcy bankrupt insolvency bailout crash selloff rout crisis merger merge acquisition acquire acquires takeover
        buyout ipo recall recalls fraud hack hacked breach outage probe antitrust lawsuit indicted shutdown strike layoffs
        earnings guidance dividend downgrade upgrade writedown war invasion opec halving etf jobless unemployment payrolls
        """.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) })
}

/// Whether a group is common or for holders of a ticker.
package enum StoryScope: String, Sendable, Hashable, CaseIterable {
    case global = "GLOBAL"
    case ticker = "TICKER"
}

/// A ticker's role in a story.
package enum TickerRelationship: String, Sendable, Hashable, CaseIterable {
    /// At least half of the articles name it.
    case subject
    case mentioned
}
