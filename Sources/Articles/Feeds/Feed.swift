/// A feed in any of its formats.
package struct Feed: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable {
        case rss, rdf, atom, json
    }

    package var format: Format
    package var title: String?
    /// The site's page that the feed is of; absolute when the feed's own address is known.
    package var link: String?
    package var language: String?
    package var items: [FeedItem]

    package init(
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
package struct FeedItem: Sendable, Hashable {
    /// What tells it from all others of the feed: its `guid` or `id`, else its link, else title and date.
    package var key: String
    /// In one line, without markup.
    package var title: String?
    /// Absolute when the feed's own address is known.
    package var link: String?
    /// Without markup; paragraphs apart by blank lines.
    package var summary: String?
    /// The whole text as HTML, when the feed carries it.
    package var content: String?
    package var author: String?
    package var publishedAt: PublishedDate?
    package var updatedAt: PublishedDate?
    package var categories: [String]
    package var image: String?

    package init(
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
package enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is a web page, as sites give for feeds that are gone.
    case webPage
    /// Neither RSS nor Atom nor JSON Feed.
    case notAFeed

    package var description: String {
        switch self {
        case .webPage: "a web page, not a feed"
        case .notAFeed: "neither RSS nor Atom nor JSON Feed"
        }
    }
}
