import Articles
import JSON
import Testing

@testable import DataSources

@Suite struct HeadlineTests {
    private func item(_ url: String = "https://www.Example.com/a?utm_source=x#top") -> NewsItem {
        NewsItem(
            title: "A title", url: url, summary: "Short\0.", excerpt: "The beginning… [+123 chars]",
            image: "javascript:x",
            author: "Ann", publication: nil, publishedAt: PublishedDate("2026-11-20T08:00:00Z"))
    }

    @Test func aHeadlineIsIdentifiedByItsCanonicalAddress() throws {
        let one = try #require(Headline(item(), category: "science", now: .max))
        let two = try #require(Headline(item("https://www.example.com/a"), category: nil, now: .max))
        #expect(one.id == two.id && one.id.utf8.count == 16 && one.url == two.url)
        #expect(Headline(item("mailto:a@example.com"), category: nil, now: .max) == nil)
        #expect(try Headline(JSONField(one.json)) == one)
        #expect(try Headline(JSONField(two.json)) == two)
    }

    @Test func textFromASourceIsCleanedAndBounded() throws {
        var long = item()
        long.title = String(repeating: "x", count: 5000)
        long.excerpt = "Ends with a [bracket]"
        let headline = try #require(Headline(item(), category: nil, now: .max))
        #expect(headline.description == "Short." && headline.image == nil && headline.excerpt == "The beginning…")
        #expect(headline.source == "www.example.com" && headline.publishedAt == 1_795_161_600_000)
        let bounded = try #require(Headline(long, category: nil, now: 5))
        #expect(bounded.title.count == 2000 && bounded.excerpt == "Ends with a [bracket]" && bounded.publishedAt == 5)
    }
}
