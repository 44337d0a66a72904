internal import Basics
package import JobQueue
internal import Observability

/// A story with its articles, the unit of all feeds.
package struct FeedStory: Sendable, Hashable {
    /// The common group of the story, or that of a ticker.
    package var group: NewsStoryGroup
    /// The most similar first; never empty. At most `articleLimit` of the story's.
    package let articles: [NewsArticle]
    /// The article that represents the story: its first one, so that its address stays the same when further articles
    /// follow.
    package let lead: NewsArticle

    /// What happened, by the headlines.
    let event: StoryEvent

    /// Articles that are read of one story.
    package static let articleLimit = 10

    /// `nil` for a story none of whose articles is known any more; articles by their ids.
    package init?(_ group: NewsStoryGroup, articles known: [String: NewsArticle]) {
        articles = group.shownArticles.compactMap { known[$0] }
        guard let lead = known[group.story.key] ?? articles.first else { return nil }
        self.group = group
        self.lead = lead
        event = StoryEvent(titles: articles.map(\.title))
    }

    /// The sources of the story, each once, in the order of the articles.
    package var publishers: [String] {
        var seen: Set<String> = []
        return articles.map(\.source).filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
    }

    /// The tickers that the story is about.
    var subjects: [String] { group.story.tickers.filter(\.isSubject).map(\.symbol) }

    var topic: StoryTopic { event.topic ?? StoryTopic(titles: articles.map(\.title)) }

    /// What the headlines report of the one company that the story is about: of two, one's gain may be the other's loss.
    var tone: StoryTone {
        guard subjects.count <= 1 else { return .neutral }
        let tone = StoryTone(titles: articles.map(\.title))
        return tone == .positive && event.isAdverse ? .neutral : tone
    }
}

extension NewsStoryGroup {
    /// The ids of the articles that are read to show the group: the most similar, and the one that began the story.
    package var shownArticles: [String] {
        let ids = story.membersBySimilarity.prefix(FeedStory.articleLimit).map(\.article)
        guard !ids.contains(story.key), story.members.contains(where: { $0.article == story.key }) else { return ids }
        return ids.prefix(FeedStory.articleLimit - 1) + [story.key]
    }

    /// The rank of the story among others, 0 to 100.
    package var importance: Int {
        let importance = SignalScore.importance(impact: story.impact, articles: story.members.count)
        // A story that does not concern investors is unimportant here at any size.
        return concernsInvestors ? importance : min(importance, SignalScore.threshold - 1)
    }

    /// Whether the story concerns investors: it names a company or an asset, or something that moves
    /// prices.
    package var concernsInvestors: Bool {
        if !story.tickers.isEmpty || story.ratedArticles != nil && story.impact >= .moderate { return true }
        return StoryEvent(titles: [story.title]) != .topic(.general)
    }
}

extension NewsStory {
    /// `model` where a model judged the impact, else `rule`.
    var ratedBy: String { ratedArticles == nil ? "rule" : "model" }

    /// The most similar first; of equal ones, the earlier.
    package var membersBySimilarity: [StoryMember] {
        members.enumerated().sorted { ($1.element.similarity, $0.offset) < ($0.element.similarity, $1.offset) }
            .map(\.element)
    }

    /// The given tickers that the story is about, in their order; with `mentions`, also those that it names.
    package func held(of tickers: [String], mentions: Bool) -> [String] {
        let named = Set(self.tickers.filter { mentions || $0.isSubject }.map(\.symbol))
        return tickers.filter(named.contains)
    }
}

/// Timestamps in the three forms of the news documents.
package enum FeedTimestamp {
    static let day: Int64 = 86_400_000

    /// `2026-01-02T10:00:00Z`
    package static func seconds(_ timestamp: Timestamp) -> String {
        ISO8601.text(milliseconds: timestamp.milliseconds).prefix(19) + "Z"
    }

    /// `2026-01-04T15:21:12.282Z`
    package static func milliseconds(_ timestamp: Timestamp) -> String {
        ISO8601.text(milliseconds: timestamp.milliseconds)
    }

    /// `2026-01-04 15:16:46`
    package static func database(_ timestamp: Timestamp) -> String {
        String(ISO8601.text(milliseconds: timestamp.milliseconds).prefix(19)).replacing("T", with: " ")
    }

    /// `2026-01-04`, the day in UTC.
    package static func date(_ timestamp: Timestamp) -> String {
        String(ISO8601.text(milliseconds: timestamp.milliseconds).prefix(10))
    }

    /// Midnight in UTC of a day given as `2026-01-04`; `nil` for any other text.
    package static func start(ofDate text: String) -> Timestamp? {
        guard let date = CalendarDate(text), date.year >= 1970 else { return nil }
        return Timestamp(milliseconds: date.secondsSinceEpoch * 1000)
    }
}
