internal import JobQueue

extension StoryGroup {
    /// A group as it is kept.
    init(_ group: NewsStoryGroup) {
        let story = group.story
        self.init(
            id: group.id, story: StoryID(story.key), scope: group.ticker == nil ? .global : .ticker,
            primaryTicker: group.ticker.flatMap { TickerSymbol($0) }, title: story.title, impact: story.impact,
            confidence: story.confidence,
            articles: story.membersBySimilarity.map {
                .init(url: $0.url, similarity: Double($0.similarity) / 10_000, addedAt: $0.addedAt)
            },
            relatedTickers: story.tickers.compactMap { ticker in
                TickerSymbol(ticker.symbol).map {
                    .init(ticker: $0, relationship: ticker.isSubject ? .subject : .mentioned)
                }
            }, createdAt: story.createdAt, updatedAt: story.updatedAt)
    }
}
