package import JobQueue

/// The part of an article that the grouping of stories uses.
package struct StoryArticle: Sendable, Hashable {
    /// The caller's key; the groups name their articles by it.
    package var id: String
    package var title: String
    /// A sentence or two below the title, where the source gives them.
    package var description: String?
    package var url: String
    /// The publisher's name.
    package var source: String
    /// Milliseconds since 1970.
    package var publishedAt: Int64
    /// The symbols given by the source; those in the text need not be among them.
    package var tickers: [TickerSymbol]

    package init(
        id: String, title: String, description: String? = nil, url: String, source: String, publishedAt: Int64,
        tickers: [TickerSymbol] = []
    ) {
        self.id = id
        self.title = title
        self.description = description
        self.url = url
        self.source = source
        self.publishedAt = publishedAt
        self.tickers = tickers
    }
}

/// A story as the news API shows it, without its explanation.
package struct StoryGroup: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        /// The article's URL, the API's `article_id`.
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

    /// The store's number of this group; a story has a common one and one for each ticker.
    package var id: Int64
    /// The story that the group shows, the same in every scope.
    package var story: StoryID
    package var scope: StoryScope
    /// `nil` for the common one.
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

/// The common stories and those of a user's holdings in one list.
package enum MergedFeed {
    /// A group with the reason for its place in the list.
    package struct Item: Sendable, Hashable {
        package var group: StoryGroup
        /// `Global impact` or `User holds GOOGL`.
        package var reason: String
    }

    /// Each story once, the highest impact first; within an impact the stories of holdings first, then the latest
    /// change, then the higher number.
    ///
    /// A story in both scopes is listed as the ticker's, since a holding is a better reason than size. Of two
    /// holdings in one story, the first one in `holdings` gives the reason. Groups of tickers that are not
    /// held are left out. Two groups are one story when they have the same `story` or share most of their articles.
    package static func merge(
        global: [StoryGroup], byTicker: [TickerSymbol: [StoryGroup]], holdings: [TickerSymbol]
    ) -> [Item] {
        var kept: [Item] = []
        var stories: Set<StoryID> = []
        var keptAt: [String: [Int]] = [:]
        func take(_ group: StoryGroup, _ reason: String) {
            guard !stories.contains(group.story), !isCovered(group) else { return }
            stories.insert(group.story)
            for article in group.articles { keptAt[article.url, default: []].append(kept.count) }
            kept.append(Item(group: group, reason: reason))
        }
        func isCovered(_ group: StoryGroup) -> Bool {
            var shared: [Int: Int] = [:]
            for article in group.articles { for place in keptAt[article.url] ?? [] { shared[place, default: 0] += 1 } }
            return shared.contains { place, count in
                2 * count > min(group.articles.count, kept[place].group.articles.count)
            }
        }
        for holding in holdings {
            for group in byTicker[holding] ?? [] { take(group, "User holds \(holding)") }
        }
        for group in global { take(group, "Global impact") }
        return kept.sorted { rank($0.group) > rank($1.group) }
    }

    /// Higher for a group that is listed earlier. Only a group of a holding has a ticker here.
    private static func rank(_ group: StoryGroup) -> (ImpactLevel, Int, Int64, Int64) {
        (group.impact, group.primaryTicker == nil ? 0 : 1, group.updatedAt, group.id)
    }
}
