import News
import JobQueue
import TestSupport

/// Stories to try the rules on.
enum Samples {
    /// 2026-01-04 09:46:40 in UTC
    static let timestamp = Timestamp(milliseconds: 1_767_520_000_000)

    static func article(
        _ name: String, title: String = "Apple opens repair centres in more cities", source: String = "Wire",
        description: String? = "The company extends its own repair service.", text: String? = nil
    ) -> NewsArticle {
        NewsArticle(
            id: name, url: "https://example.com/\(name)", title: title, description: description, text: text,
            source: source, publishedAt: timestamp - .seconds(60), fetchedAt: timestamp)
    }

    static func group(
        _ id: Int64 = 1, impact: ImpactLevel = .moderate, confidence: ConfidenceLevel = .medium,
        title: String = "Apple opens repair centres", tickers: [(String, Bool)] = [],
        articles: [NewsArticle] = [article("a")], created: Timestamp = timestamp, updated: Timestamp? = nil
    ) -> NewsStoryGroup {
        NewsStoryGroup(
            id: id, ticker: nil,
            story: NewsStory(
                key: articles.first?.id ?? "none", day: FeedTimestamp.date(created), title: title, impact: impact,
                confidence: confidence, tickers: tickers.map { StoryTicker(symbol: $0.0, isSubject: $0.1) },
                members: articles.map {
                    StoryMember(article: $0.id, url: $0.url, similarity: 9500, addedAt: created)
                }, createdAt: created, updatedAt: updated ?? created))
    }

    static func story(
        _ id: Int64 = 1, impact: ImpactLevel = .moderate, confidence: ConfidenceLevel = .medium,
        title: String = "Apple opens repair centres", tickers: [(String, Bool)] = [],
        articles: [NewsArticle] = [article("a")]
    ) -> FeedStory? {
        FeedStory(
            group(id, impact: impact, confidence: confidence, title: title, tickers: tickers, articles: articles),
            articles: Dictionary(articles.map { ($0.id, $0) }) { first, _ in first })
    }
}
