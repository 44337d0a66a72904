/// An article as the grouping of stories sees it.
package struct StoryArticle: Sendable, Hashable {
    /// The caller's key; the groups name their articles by it.
    package var id: String
    package var title: String
    /// A sentence or two below the title, where the source gives them.
    package var description: String?
    package var url: String
    /// Who published it, as a name.
    package var source: String
    /// Milliseconds since 1970.
    package var publishedAt: Int64
    /// The symbols that the source says it is about; those that stand in the text need not be here.
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
