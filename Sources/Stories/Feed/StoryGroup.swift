public import Records

/// A story as the news API shows it, without its explanation.
public struct StoryGroup: Sendable, Hashable {
    public struct Member: Sendable, Hashable {
        /// The article's URL: what the API calls `article_id`.
        public var url: String
        /// 0 to 1.
        public var similarity: Double
        /// Milliseconds since 1970.
        public var addedAt: Int64

        public init(url: String, similarity: Double, addedAt: Int64) {
            self.url = url
            self.similarity = similarity
            self.addedAt = addedAt
        }
    }

    public struct RelatedTicker: Sendable, Hashable {
        public var ticker: TickerSymbol
        public var relationship: TickerRelationship

        public init(ticker: TickerSymbol, relationship: TickerRelationship) {
            self.ticker = ticker
            self.relationship = relationship
        }
    }

    /// The store's number of this group; a story has one for everybody and one for each ticker.
    public var id: Int64
    /// The story behind it, the same in every scope.
    public var story: StoryID
    public var scope: StoryScope
    /// `nil` for everybody's.
    public var primaryTicker: TickerSymbol?
    public var title: String
    public var impact: ImpactLevel
    public var confidence: ConfidenceLevel
    /// The most similar first.
    public var articles: [Member]
    public var relatedTickers: [RelatedTicker]
    /// Milliseconds since 1970.
    public var createdAt: Int64
    /// Milliseconds since 1970.
    public var updatedAt: Int64

    public init(
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
