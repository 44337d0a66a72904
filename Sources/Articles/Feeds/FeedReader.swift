/// Reads feeds as they come: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed.
package enum FeedReader {
    /// Further items are left out.
    package static let mostItems = 2000

    /// - `body`: in any encoding.
    /// - `contentType`: the header, for its `charset`; what it says of the format is not believed.
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

/// What readers of all formats do alike.
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
