internal import Basics

/// Atom 1.0 and its draft 0.3.
struct AtomReader {
    private let root: XMLElement
    private let base: WebAddress

    init(_ root: XMLElement, base: WebAddress) {
        self.root = root
        self.base = Self.base(root, base)
    }

    var feed: Feed {
        let entries = root.elements.filter { $0.name == "entry" }.prefix(FeedReader.mostItems)
        return Feed(
            format: .atom, title: child(root, "title").flatMap(line), link: link(of: root, base),
            language: root.attributes["xml:lang"]?.nonBlank, items: entries.map(item))
    }

    private static func base(_ element: XMLElement, _ outer: WebAddress) -> WebAddress {
        element.attributes["xml:base"].map { outer.resolving($0) } ?? outer
    }

    /// A child of the format itself, not one of the same name from another vocabulary.
    private func child(_ element: XMLElement, _ names: String...) -> XMLElement? {
        names.lazy.compactMap { element.first($0, in: [root.namespace]) }.first
    }

    private func item(_ entry: XMLElement) -> FeedItem {
        let base = Self.base(entry, base)
        let link = link(of: entry, base)
        let title = child(entry, "title").flatMap(line)
        let updated = date(entry, "updated", "modified")
        let published = date(entry, "published", "issued", "created")
        let content = child(entry, "content").flatMap(html)
        let summary = child(entry, "summary").flatMap(html)
        let media = FeedNamespace.media
        let description = entry.elements.first { $0.name == "group" && media.contains($0.namespace) }?
            .first("description", in: media)?.text
        let id = child(entry, "id")?.text
        return FeedItem(
            key: FeedFields.key(id, link, title, published ?? updated), title: title, link: link,
            summary: FeedFields.summary(summary ?? content ?? description), content: FeedFields.content(content),
            author: author(entry), publisher: child(entry, "source").flatMap { child($0, "title") }.flatMap(line),
            publishedAt: published ?? updated, updatedAt: updated,
            categories: entry.elements.filter { $0.name == "category" }.compactMap {
                ($0.attributes["label"] ?? $0.attributes["term"])?.nonBlank
            }, image: FeedFields.image(entry, base: base))
    }

    /// The page itself, an HTML one before others; of the remaining relations none leads to the text.
    private func link(of element: XMLElement, _ base: WebAddress) -> String? {
        let links = element.elements.filter { $0.name == "link" }
        func address(_ link: XMLElement) -> String? {
            FeedFields.link(link.attributes["href"] ?? link.text, base: Self.base(link, base))
        }
        let pages = links.filter { ($0.attributes["rel"] ?? "alternate").lowercased() == "alternate" }
        let preferred = pages.first { ($0.attributes["type"] ?? "text/html").contains("html") } ?? pages.first
        if let link = preferred.flatMap(address) { return link }
        if let source = child(element, "content")?.attributes["src"] { return FeedFields.link(source, base: base) }
        if let id = child(element, "id")?.text.trimmed, element.name == "entry", WebAddress(id).isWeb { return id }
        return nil
    }

    private func author(_ entry: XMLElement) -> String? {
        let authors = entry.elements.filter { $0.name == "author" }
        let own = authors.isEmpty ? root.elements.filter { $0.name == "author" } : authors
        let names = own.compactMap { author in
            child(author, "name")?.text.nonBlank ?? author.first("creator", in: FeedNamespace.dublinCore)?.text.nonBlank
        }
        if let name = entry.first("creator", in: FeedNamespace.dublinCore)?.text.nonBlank, authors.isEmpty {
            return name
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private func date(_ entry: XMLElement, _ names: String...) -> PublishedDate? {
        names.lazy.compactMap { name in child(entry, name).flatMap { PublishedDate($0.text) } }.first
    }

    private func line(_ element: XMLElement) -> String? { FeedFields.line(html(element)) }

    /// The content of a text construct as HTML. A plain text is escaped, so that all are read alike.
    private func html(_ element: XMLElement) -> String? {
        let type = (element.attributes["type"] ?? "text").lowercased()
        let html: String
        if !element.elements.isEmpty {
            html = element.innerHTML
        } else if element.attributes["mode"] == "base64" || type == "application/octet-stream" {
            html = Base64.text(element.text) ?? ""
        } else if type.contains("html") || element.attributes["mode"] == "escaped" {
            html = element.text
        } else {
            let bare = XMLElement(name: "", content: [.text(element.text)])
            html = bare.innerHTML
        }
        return html.nonBlank == nil ? nil : html
    }
}
