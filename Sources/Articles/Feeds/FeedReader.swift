internal import Basics
internal import JSON

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
    /// Identifies the item within its feed: its `guid` or `id`, else its link, else title and date.
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
    /// The publication that an aggregator's item comes from: RSS `<source>`, Atom `<source><title>`.
    package var publisher: String?
    package var publishedAt: PublishedDate?
    package var updatedAt: PublishedDate?
    package var categories: [String]
    package var image: String?

    package init(
        key: String, title: String? = nil, link: String? = nil, summary: String? = nil, content: String? = nil,
        author: String? = nil, publisher: String? = nil, publishedAt: PublishedDate? = nil,
        updatedAt: PublishedDate? = nil,
        categories: [String] = [], image: String? = nil
    ) {
        self.key = key
        self.title = title
        self.link = link
        self.summary = summary
        self.content = content
        self.author = author
        self.publisher = publisher
        self.publishedAt = publishedAt
        self.updatedAt = updatedAt
        self.categories = categories
        self.image = image
    }
}

/// Why a body is no feed.
package enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is a web page, which sites return for removed feeds.
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

/// Reads feeds as they come: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed.
package enum FeedReader {
    /// Further items are left out.
    package static let mostItems = 2000

    /// - `body`: in any encoding.
    /// - `contentType`: the header, read for its `charset` only: its format is often wrong.
    /// - `url`: the feed's address, against which relative links are resolved.
    package static func read(
        _ body: [UInt8], contentType: String? = nil, url: String? = nil
    ) throws(FeedError) -> Feed {
        let text = CharacterEncoding.utf8(body, contentType: contentType)
        let first = text.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
        if first == UInt8(ascii: "{") {
            guard let feed = JSONFeedReader.read(text, url: url) else { throw .notAFeed }
            return feed
        }
        guard let root = XMLReader.read(text) else { throw .notAFeed }
        let base = WebAddress(url ?? "")
        switch root.name {
        case "feed": return AtomReader(root, base: base).feed
        case "rss", "rdf", "channel": return RSSReader(root, base: base).feed
        case "html": throw .webPage
        default: throw .notAFeed
        }
    }
}

/// The vocabularies that feeds borrow from.
enum FeedNamespace {
    static let content = ["http://purl.org/rss/1.0/modules/content/", "content"]
    static let dublinCore = ["http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.0/", "dc"]
    static let terms = ["http://purl.org/dc/terms/", "dcterms"]
    static let media = ["http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss", "media"]
    static let atom = ["http://www.w3.org/2005/Atom", "atom", "atom10"]
    static let podcast = ["http://www.itunes.com/dtds/podcast-1.0.dtd", "itunes"]
}

/// The parts that the readers of all formats share.
enum FeedFields {
    /// In bytes.
    private static let longestLine = 4096
    private static let longestText = 512 << 10

    /// A title, which may be written as HTML.
    static func line(_ text: String?) -> String? { text.map { HTMLText.line(cut($0, longestLine)) }?.nonBlank }

    static func summary(_ html: String?) -> String? {
        guard let text = html.map({ HTMLText.plain(cut($0, longestText)) }), !text.isEmpty else { return nil }
        return text
    }

    static func content(_ html: String?) -> String? {
        html.flatMap { $0.nonBlank == nil ? nil : cut($0, longestText) }
    }

    private static func cut(_ text: String, _ limit: Int) -> String {
        text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }

    static func link(_ text: String?, base: WebAddress) -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        return base.resolving(text).description
    }

    static func key(_ id: String?, _ link: String?, _ title: String?, _ date: PublishedDate?) -> String {
        id?.trimmed.nonBlank ?? link ?? [title, date?.description].compactMap(\.self).joined(separator: " ")
    }

    /// Pictures that media elements and enclosures name.
    static func image(_ item: XMLElement, base: WebAddress) -> String? {
        let groups = [item] + item.elements.filter { $0.name == "group" && FeedNamespace.media.contains($0.namespace) }
        for element in groups.flatMap(\.elements) {
            let type = element.attributes["type"] ?? element.attributes["medium"] ?? ""
            let isPicture =
                element.name == "thumbnail" || element.name == "content" && type.hasPrefix("image")
                || element.name == "enclosure" && type.hasPrefix("image")
            if isPicture, let link = link(element.attributes["url"], base: base) { return link }
        }
        return nil
    }
}

/// JSON Feed 1.0 and 1.1.
enum JSONFeedReader {
    /// `text`: in UTF-8. `nil` when it is no feed.
    static func read(_ text: [UInt8], url: String?) -> Feed? {
        guard let json = try? JSON(parsing: text).mapStrings(\.sanitized), let items = json["items"]?.array,
            json["version"]?.string?.contains("jsonfeed.org") == true
        else { return nil }
        let page = json["home_page_url"]?.string
        let base = WebAddress(page ?? json["feed_url"]?.string ?? url ?? "")
        return Feed(
            format: .json, title: json["title"]?.string?.nonBlank, link: FeedFields.link(page, base: base),
            language: json["language"]?.string?.nonBlank,
            items: items.prefix(FeedReader.mostItems).filter { $0.object != nil }.map { item($0, base) })
    }

    private static func item(_ item: JSON, _ base: WebAddress) -> FeedItem {
        let link = FeedFields.link(item["url"]?.string ?? item["external_url"]?.string, base: base)
        let title = item["title"]?.string?.nonBlank
        let published = item["date_published"]?.string.flatMap { PublishedDate($0) }
        let authors = (item["authors"]?.array ?? [item["author"] ?? .null]).compactMap { $0["name"]?.string?.nonBlank }
        let id = item["id"]?.string ?? item["id"]?.integer.map(String.init)
        return FeedItem(
            key: FeedFields.key(id, link, title, published), title: title, link: link,
            summary: item["summary"]?.string?.nonBlank ?? FeedFields.summary(item["content_html"]?.string)
                ?? item["content_text"]?.string?.nonBlank,
            content: FeedFields.content(item["content_html"]?.string),
            author: authors.isEmpty ? nil : authors.joined(separator: ", "),
            publishedAt: published, updatedAt: item["date_modified"]?.string.flatMap { PublishedDate($0) },
            categories: item["tags"]?.array?.compactMap(\.string) ?? [],
            image: FeedFields.link(item["image"]?.string ?? item["banner_image"]?.string, base: base))
    }
}
