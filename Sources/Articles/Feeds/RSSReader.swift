/// RSS 0.9x and 2.0, and RSS 1.0, whose items are siblings of the channel.
struct RSSReader {
    private let root: XMLElement
    private let base: WebAddress
    private let channel: XMLElement
    /// The namespaces of the format's own elements.
    private let own: [String]

    init(_ root: XMLElement, base: WebAddress) {
        self.root = root
        let channel = root.name == "channel" ? root : root.elements.first { $0.name == "channel" } ?? root
        self.channel = channel
        own = [
            "", root.namespace, channel.namespace, "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
        ]
        let site = channel.first("link", in: own)?.text
        // Feeds are served from other hosts than their sites; links without a host are the site's.
        self.base =
            (root.attributes["xml:base"] ?? channel.attributes["xml:base"]).map { base.resolving($0) }
            ?? FeedFields.link(site, base: base).map(WebAddress.init).flatMap { $0.isWeb ? $0 : nil } ?? base
    }

    var feed: Feed {
        let items = (channel.elements + (root.name == "channel" ? [] : root.elements)).filter { $0.name == "item" }
        return Feed(
            format: root.name == "rdf" ? .rdf : .rss, title: FeedFields.line(text(channel, "title")),
            link: FeedFields.link(text(channel, "link"), base: base),
            language: (text(channel, "language") ?? channel.first("language", in: FeedNamespace.dublinCore)?.text)?
                .nonBlank,
            items: items.prefix(FeedReader.mostItems).map(item))
    }

    private func text(_ element: XMLElement, _ name: String) -> String? {
        // Empty elements come before full ones in feeds that are put together from several.
        element.elements.lazy.filter { $0.name == name && own.contains($0.namespace) }.map(Self.html).first {
            $0.nonBlank != nil
        }
    }

    /// Bodies are escaped, or written as elements.
    private static func html(_ element: XMLElement) -> String {
        element.elements.isEmpty ? element.text : element.innerHTML
    }

    private func item(_ item: XMLElement) -> FeedItem {
        let base = item.attributes["xml:base"].map { self.base.resolving($0) } ?? self.base
        let guid = item.first("guid", in: own)
        let id = guid?.text.nonBlank ?? item.attributes["about"]
        let link = FeedFields.link(link(of: item, guid), base: base)
        let description = text(item, "description") ?? text(item, "summary")
        let content = item.first("encoded", in: FeedNamespace.content).map(Self.html)
        let title = FeedFields.line(text(item, "title") ?? item.first("title", in: FeedNamespace.media)?.text)
        let published = date(item, published: true)
        return FeedItem(
            key: FeedFields.key(id, link, title, published), title: title, link: link,
            summary: FeedFields.summary(
                description ?? content ?? item.first("description", in: FeedNamespace.media)?.text),
            content: FeedFields.content(content), author: author(item),
            publisher: FeedFields.line(text(item, "source")), publishedAt: published,
            updatedAt: date(item, published: false), categories: categories(item),
            image: FeedFields.image(item, base: base))
    }

    private func link(of item: XMLElement, _ guid: XMLElement?) -> String? {
        if let link = text(item, "link") { return link }
        let atom = item.elements.filter { $0.name == "link" && $0.attributes["href"] != nil }
        if let link = atom.first(where: { ($0.attributes["rel"] ?? "alternate") == "alternate" }) {
            return link.attributes["href"]
        }
        guard let guid, guid.attributes["ispermalink"]?.lowercased() != "false", WebAddress(guid.text).isWeb else {
            return nil
        }
        return guid.text
    }

    private func author(_ item: XMLElement) -> String? {
        let name =
            item.first("creator", in: FeedNamespace.dublinCore)?.text.nonBlank ?? text(item, "author")
            ?? item.first("author", in: FeedNamespace.dublinCore)?.text
            ?? item.first("author", in: FeedNamespace.podcast)?.text
            ?? item.first("author", in: FeedNamespace.atom)?.elements.first { $0.name == "name" }?.text
        return name.flatMap(Self.name)
    }

    /// The name in `me@example.com (Jane Doe)`.
    private static func name(_ text: String) -> String? {
        let line = HTMLText.line(text)
        guard line.contains("@"), let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close
        else { return line.nonBlank }
        return line[line.index(after: open)..<close].description.nonBlank ?? line.nonBlank
    }

    private func date(_ item: XMLElement, published: Bool) -> PublishedDate? {
        let texts: [String?] =
            published
            ? [
                text(item, "pubdate"), item.first("issued", in: FeedNamespace.terms)?.text,
                item.first("date", in: FeedNamespace.dublinCore)?.text,
                item.first("published", in: FeedNamespace.atom)?.text,
                text(item, "date"), text(item, "published"), item.first("created", in: FeedNamespace.terms)?.text,
            ]
            : [
                item.first("modified", in: FeedNamespace.terms)?.text,
                item.first("updated", in: FeedNamespace.atom)?.text,
                text(item, "lastbuilddate"),
            ]
        return texts.lazy.compactMap { $0.flatMap { PublishedDate($0) } }.first
    }

    private func categories(_ item: XMLElement) -> [String] {
        item.elements.filter {
            $0.name == "category" && own.contains($0.namespace)
                || $0.name == "subject" && FeedNamespace.dublinCore.contains($0.namespace)
        }.compactMap { FeedFields.line($0.text) }
    }
}
