import TestSupport
import Testing

@testable import News

/// Three hundred articles that are made to harm, as the news of a day.
@Suite struct HostileArticlesTests {
    @Test func aDayOfThemIsGroupedInBoundedTimeAndTheSameWayOneByOne() throws {
        let articles = HostileArticle.all.map { hostile in
            StoryArticle(
                id: "\(hostile.number)", title: hostile.title, description: String(hostile.text.prefix(100_000)),
                url: "",
                source: "{{source}}", publishedAt: Int64(hostile.number))
        }
        let start = ContinuousClock.now
        var together = StoryGrouper()
        together.add(articles)
        var single = StoryGrouper()
        for article in articles { single.add([article]) }
        #expect(start.duration(to: .now) < .seconds(60))
        for article in articles {
            let story = try #require(together.story(of: article.id))
            #expect(single.story(of: article.id) == story)
        }
        for article in articles {
            _ = HeadlineReading(article)
        }
    }
}
