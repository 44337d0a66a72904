internal import Basics
package import JobQueue

/// The properties of a story that follow from its articles alone.
///
/// The rules are counts of publishers, of named tickers and of events in headlines, so that the rank of a story can be
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
        let publishers = Set(members.map(\.article.source).filter { !$0.isEmpty }.map { $0.lowercased() }).count
        title = Self.representative(members)
        let readings = members.map { HeadlineReading($0.article, recognizer: recognizer) }
        let titles = members.map { HeadlineCleaner.clean($0.article.title, source: $0.article.source) }
        impact = StoryImpact(readings: readings, titles: titles, publishers: publishers).level
        confidence = Self.confidence(publishers: publishers, members: members)
        tickers = Self.tickers(members, readings, recognizer)
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

    private static func confidence(publishers: Int, members: [Story.Member]) -> ConfidenceLevel {
        let mean = members.reduce(0) { $0 + $1.similarity } / Double(max(members.count, 1))
        if publishers >= 3, mean >= 0.4 { return .high }
        return publishers >= 2 ? .medium : .low
    }

    private static func tickers(
        _ members: [Story.Member], _ readings: [HeadlineReading], _ recognizer: TickerRecognizer
    ) -> [StoryGroup.RelatedTicker] {
        var counts: [TickerSymbol: Int] = [:]
        var acting: [TickerSymbol: Int] = [:]
        for (member, reading) in zip(members, readings) {
            let named = reading.companies.map(\.ticker)
            // A quiz that a source files under a company is no news of it.
            let isAside = HeadlineImpact(title: member.article.title, reading: reading).isAside
            let all = isAside ? named : recognizer.tickers(of: member.article)
            for ticker in all { counts[ticker, default: 0] += 1 }
            // What only the description names, and the house that an analyst's note comes from, is mentioned.
            let isNote = if case .note = reading.form { true } else { false }
            for ticker in named.isEmpty && !isNote ? all : named { acting[ticker, default: 0] += 1 }
        }
        // In a large story, a ticker in one article of ten is a side remark.
        let least = members.count < 5 ? 1 : max(2, (members.count + 9) / 10)
        return counts.filter { $0.value >= least }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(
            tickerLimit
        )
        .map {
            .init(ticker: $0.key, relationship: 2 * acting[$0.key, default: 0] >= members.count ? .subject : .mentioned)
        }
    }
}

/// Whether a group is common or for holders of a ticker.
package enum StoryScope: String, Sendable, Hashable, CaseIterable {
    case global = "GLOBAL"
    case ticker = "TICKER"
}

/// A ticker's role in a story.
package enum TickerRelationship: String, Sendable, Hashable, CaseIterable {
    /// The headlines of at least half of the articles are about it.
    case subject
    case mentioned
}
