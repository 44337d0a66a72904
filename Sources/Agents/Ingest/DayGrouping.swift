internal import JobQueue
internal import News

/// The stories of a day, grouped again from its articles in the order of their arrival, so that earlier decisions stay.
struct DayGrouping {
    /// The stories that differ from the stored ones.
    private(set) var changed: [NewsStory] = []
    /// The number of stored stories that became part of others.
    private(set) var merged = 0
    /// The number of stories of the day.
    private(set) var total = 0

    /// - Parameters:
    ///   - day: `2026-11-21`.
    ///   - arrivals: The day's articles in the order of their arrival.
    ///   - vectors: By article; only those of the first article's model are used.
    ///   - stored: The day's stored stories.
    init(day: String, arrivals: [NewsArticle], vectors: [String: ArticleVector], stored: [NewsStory]) {
        var grouper = StoryGrouper()
        let model = arrivals.lazy.compactMap { vectors[$0.id]?.model }.first
        let dense = vectors.filter { $0.value.model == model }.compactMapValues { DenseVector($0.values) }
        var start = 0
        while start < arrivals.count {
            // Articles that arrived together are grouped together.
            let end = arrivals[start...].firstIndex { $0.fetchedAt != arrivals[start].fetchedAt } ?? arrivals.count
            grouper.add(arrivals[start..<end].map(StoryArticle.init), embeddings: dense)
            start = end
        }
        let articles = Dictionary(arrivals.map { ($0.id, $0) }) { first, _ in first }
        var stories = Dictionary(
            grouper.stories.map { ($0.id.text, $0) }, uniquingKeysWith: { first, _ in first })
        total = stories.count
        // A stored story that the present rules do not make is absorbed by the story that has its first article.
        for lost in stored where stories[lost.key] == nil {
            guard let home = grouper.story(of: lost.key)?.text, var story = stories[home] else { continue }
            if !story.absorbed.contains(StoryID(lost.key)) { story.absorbed.append(StoryID(lost.key)) }
            stories[home] = story
            merged += 1
        }
        let before = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
        let recognizer = TickerRecognizer()
        for story in grouper.stories.compactMap({ stories[$0.id.text] }) {
            let known = before[story.id.text]
            // The record of a story depends on its articles alone.
            if let known, story.isMade(of: known, articles) { continue }
            let record = NewsStory(story, day: day, articles: articles, recognizer: recognizer)
            if known != record { changed.append(record) }
        }
    }
}

extension StoryArticle {
    init(_ article: NewsArticle) {
        self.init(
            id: article.id, title: article.title, description: article.description, url: article.url,
            source: article.source, publishedAt: article.publishedAt.milliseconds,
            tickers: article.tickers.compactMap { TickerSymbol($0) })
    }
}

extension Story {
    /// Whether the stored story has the same articles and absorbed the same stories.
    fileprivate func isMade(of stored: NewsStory, _ articles: [String: NewsArticle]) -> Bool {
        members.count == stored.members.count && absorbed.count == stored.absorbed.count
            && zip(members, stored.members).allSatisfy { $0.article.id == $1.article }
            && Set(absorbed.map(\.text)) == Set(stored.absorbed)
    }
}

extension NewsStory {
    /// The record of a story, with the times of its articles' arrival.
    init(_ story: Story, day: String, articles: [String: NewsArticle], recognizer: TickerRecognizer) {
        let profile = StoryProfile(of: story, recognizer: recognizer)
        let members = story.members.map { member in
            StoryMember(
                article: member.article.id, url: member.article.url,
                similarity: Int((member.similarity * 10_000).rounded()),
                addedAt: articles[member.article.id]?.fetchedAt ?? Timestamp(milliseconds: 0))
        }
        self.init(
            key: story.id.text, day: day, title: profile.title, impact: profile.impact, confidence: profile.confidence,
            tickers: profile.tickers.map {
                StoryTicker(symbol: $0.ticker.text, isSubject: $0.relationship == .subject)
            },
            members: members, absorbed: story.absorbed.map(\.text),
            createdAt: members.first?.addedAt ?? Timestamp(milliseconds: 0),
            updatedAt: members.map(\.addedAt).max() ?? Timestamp(milliseconds: 0))
    }
}
