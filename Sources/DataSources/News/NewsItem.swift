public import Articles

/// A news article as a source lists it, without its text.
public struct NewsItem: Sendable, Hashable {
    public var title: String
    /// As the source gives it.
    public var url: String
    public var summary: String?
    /// The beginning of the text, cut by the source.
    public var excerpt: String?
    public var image: String?
    public var author: String?
    /// The name of the publication.
    public var publication: String?
    public var publishedAt: PublishedDate?
    /// The tickers that the source says it is about.
    public var tickers: [String]

    public init(
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
public struct NewsPage: Sendable, Hashable {
    public var items: [NewsItem]
    /// How many the source has in all, when it says so.
    public var total: Int?

    public init(items: [NewsItem], total: Int? = nil) {
        self.items = items
        self.total = total
    }
}
