/// A feed in any of its formats.
public struct Feed: Sendable, Hashable {
    public enum Format: String, Sendable, Hashable {
        case rss, rdf, atom, json
    }

    public var format: Format
    public var title: String?
    /// The site's page that the feed is of; absolute when the feed's own address is known.
    public var link: String?
    public var language: String?
    public var items: [FeedItem]

    public init(
        format: Format, title: String? = nil, link: String? = nil, language: String? = nil, items: [FeedItem] = []
    ) {
        self.format = format
        self.title = title
        self.link = link
        self.language = language
        self.items = items
    }
}

/// One entry of a feed.
public struct FeedItem: Sendable, Hashable {
    /// What tells it from all others of the feed: its `guid` or `id`, else its link, else title and date.
    public var key: String
    /// In one line, without markup.
    public var title: String?
    /// Absolute when the feed's own address is known.
    public var link: String?
    /// Without markup; paragraphs apart by blank lines.
    public var summary: String?
    /// The whole text as HTML, when the feed carries it.
    public var content: String?
    public var author: String?
    public var publishedAt: PublishedDate?
    public var updatedAt: PublishedDate?
    public var categories: [String]
    public var image: String?

    public init(
        key: String, title: String? = nil, link: String? = nil, summary: String? = nil, content: String? = nil,
        author: String? = nil, publishedAt: PublishedDate? = nil, updatedAt: PublishedDate? = nil,
        categories: [String] = [], image: String? = nil
    ) {
        self.key = key
        self.title = title
        self.link = link
        self.summary = summary
        self.content = content
        self.author = author
        self.publishedAt = publishedAt
        self.updatedAt = updatedAt
        self.categories = categories
        self.image = image
    }
}

/// Why a body is no feed.
public enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is a web page, as sites give for feeds that are gone.
    case webPage
    /// Neither RSS nor Atom nor JSON Feed.
    case notAFeed

    public var description: String {
        switch self {
        case .webPage: "a web page, not a feed"
        case .notAFeed: "neither RSS nor Atom nor JSON Feed"
        }
    }
}
