internal import JSON

/// JSON Feed 1.0 and 1.1.
enum JSONFeedReader {
    /// - Parameter text: in UTF-8. `nil` when it is no feed.
    static func read(_ text: [UInt8], url: String?) -> Feed? {
        guard let json = try? JSON(parsing: text), let items = json["items"]?.array,
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
            content: FeedFields.content(item["content_html"]?.string), author: authors.isEmpty ? nil : authors.joined(separator: ", "),
            publishedAt: published, updatedAt: item["date_modified"]?.string.flatMap { PublishedDate($0) },
            categories: item["tags"]?.array?.compactMap(\.string) ?? [],
            image: FeedFields.link(item["image"]?.string ?? item["banner_image"]?.string, base: base))
    }
}
