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

    private static let wales = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}"

    @Test(
        "Characters that nobody sees are not stored, except those that scripts and emoji need",
        arguments: [
            ("Buy\u{200B}back\u{E0041}\u{E0042} at Ford\u{FEFF}", "Buyback at Ford"),
            ("Rates\u{2062}\u{3164} cut\u{FE0F}\u{FE0F}\u{E0101}", "Rates cut\u{FE0F}"),
            ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            (Self.wales + " wins", Self.wales + " wins"),
            ("\u{1F3F4}\u{E0067}\u{E0062}\u{E007F} hides", "\u{1F3F4} hides"),
            (Self.wales + "\u{E0041}\u{E0042} wins", Self.wales + " wins"),
            ("a\u{200D}b", "ab"),
        ])
    func invisibleMarks(title: String, stored: String) throws {
        let found = try article(title: title, summary: "Summary: " + title)
        #expect(Array(found.title.unicodeScalars) == Array(stored.unicodeScalars))
        #expect(Array((found.description ?? "").unicodeScalars) == Array(("Summary: " + stored).unicodeScalars))
    }
}
