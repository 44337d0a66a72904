package import Articles

/// A news article as a source lists it, without its text.
package struct NewsItem: Sendable, Hashable {
    package var title: String
    /// As the source gives it.
    package var url: String
    package var summary: String?
    /// The beginning of the text, cut by the source.
    package var excerpt: String?
    package var image: String?
    package var author: String?
    /// The name of the publication.
    package var publication: String?
    package var publishedAt: PublishedDate?
    /// The tickers that the source says it is about.
    package var tickers: [String]

    package init(
        title: String, url: String, summary: String? = nil, excerpt: String? = nil, image: String? = nil,
        author: String? = nil, publication: String? = nil, publishedAt: PublishedDate? = nil, tickers: [String] = []
    ) {
        self.title = title
        self.url = url
        self.summary = summary
        self.excerpt = excerpt
        self.image = image
        self.author = author
        self.publication = publication
        self.publishedAt = publishedAt
        self.tickers = tickers
    }
}

/// One page of a list of news.
package struct NewsPage: Sendable, Hashable {
    package var items: [NewsItem]
    /// How many the source has in all, when it says so.
    package var total: Int?

    package init(items: [NewsItem], total: Int? = nil) {
        self.items = items
        self.total = total
    }
}
