package import JobQueue

/// A story as the news API shows it, without its explanation.
package struct StoryGroup: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        /// The article's URL: what the API calls `article_id`.
        package var url: String
        /// 0 to 1.
        package var similarity: Double
        /// Milliseconds since 1970.
        package var addedAt: Int64

        package init(url: String, similarity: Double, addedAt: Int64) {
            self.url = url
            self.similarity = similarity
            self.addedAt = addedAt
        }
    }

    package struct RelatedTicker: Sendable, Hashable {
        package var ticker: TickerSymbol
        package var relationship: TickerRelationship

        package init(ticker: TickerSymbol, relationship: TickerRelationship) {
            self.ticker = ticker
            self.relationship = relationship
        }
    }

    /// The store's number of this group; a story has one for everybody and one for each ticker.
    package var id: Int64
    /// The story behind it, the same in every scope.
    package var story: StoryID
    package var scope: StoryScope
    /// `nil` for everybody's.
    package var primaryTicker: TickerSymbol?
    package var title: String
    package var impact: ImpactLevel
    package var confidence: ConfidenceLevel
    /// The most similar first.
    package var articles: [Member]
    package var relatedTickers: [RelatedTicker]
    /// Milliseconds since 1970.
    package var createdAt: Int64
    /// Milliseconds since 1970.
    package var updatedAt: Int64

    package init(
        id: Int64, story: StoryID, scope: StoryScope, primaryTicker: TickerSymbol?, title: String, impact: ImpactLevel,
        confidence: ConfidenceLevel, articles: [Member], relatedTickers: [RelatedTicker], createdAt: Int64,
        updatedAt: Int64
    ) {
        self.id = id
        self.story = story
        self.scope = scope
        self.primaryTicker = primaryTicker
        self.title = title
        self.impact = impact
        self.confidence = confidence
        self.articles = articles
        self.relatedTickers = relatedTickers
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
