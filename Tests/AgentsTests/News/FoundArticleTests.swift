import Articles
import Testing

@testable import Agents

/// What is taken over from an item of a feed.
@Suite struct FoundArticleTests {
    private func article(title: String, summary: String? = nil, author: String? = nil) throws -> FoundArticle {
        let item = FeedItem(
            key: "k", title: title, link: "https://example.com/a", summary: summary, author: author)
        let feed = Feed(format: .rss, title: "Example", items: [item])
        return try #require(
            FoundArticle(item, in: feed, settings: IngestSettings.FeedInput(url: "https://example.com/feed")))
    }

    @Test(arguments: ["👨\u{200D}👩\u{200D}👧\u{200D}👦", "a\u{301}\u{316}", "漢", "word "])
    func textsAreLimitedInScalars(unit: String) throws {
        let long = String(repeating: unit, count: 5000)
        let found = try article(title: long, summary: long + "!", author: long)
        #expect(found.title.unicodeScalars.count <= 500 && found.title.utf8.count <= 2000)
        #expect((found.description ?? "").unicodeScalars.count <= 1000)
        #expect((found.author ?? "").unicodeScalars.count <= 200)
        #expect(found.title.unicodeScalars.count > 400 && found.title.hasSuffix("…"))
    }
}
