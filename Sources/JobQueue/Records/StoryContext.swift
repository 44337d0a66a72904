package import Basics

/// A story as the writer of its explanation gets it.
package struct StoryContext: Hashable, Sendable {
    /// The story's key.
    package var story: String
    /// The number of the group in which all users see it; `nil` when it is not known.
    package var group: Int64?
    package var title: String
    /// The symbols that the story is about, the most named first.
    package var tickers: [String]
    /// The ids of its articles, in the order in which they arrived.
    package var articles: [String]

    package init(story: String, title: String, tickers: [String], articles: [String]) {
        self.story = story
        self.title = title
        self.tickers = tickers
        self.articles = articles
    }

    /// The most articles from which an explanation is written.
    private static let mostArticles = 8
    /// The most holdings that an explanation names.
    private static let mostHoldings = 4

    /// The articles that decide the version: the largest power of two of them. So a story that grows is explained again
    /// when it has doubled, not with every article.
    private var versionedArticles: ArraySlice<String> {
        articles.prefix(articles.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - articles.count.leadingZeroBitCount))
    }

    /// The articles from which an explanation is written: the first ones, which report the event, and the latest, which
    /// report its consequences.
    package var sampledArticles: [String] {
        guard versionedArticles.count > Self.mostArticles else { return Array(versionedArticles) }
        return versionedArticles.prefix(Self.mostArticles / 2) + versionedArticles.suffix(Self.mostArticles / 2)
    }

    /// Identifies `versionedArticles`.
    package var version: String {
        // FNV-1a distinguishes sets of articles; it need not resist an attack.
        let hash = versionedArticles.joined(separator: " ").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        return "\(versionedArticles.count)-" + String(hash, radix: 16)
    }

    /// The key of the explanation for a user with these holdings: it names those that the story is about, in the
    /// story's spelling.
    package func key(for holdings: [String], in language: Language = .english) -> ExplanationKey {
        let held = Set(holdings.map(Self.normalized))
        let named = tickers.filter { held.contains(Self.normalized($0)) }.prefix(Self.mostHoldings)
        return ExplanationKey(story: story, version: version, holdings: Array(named), language: language)
    }

    /// Spells `BRK.B` as `BRK-B`.
    private static func normalized(_ ticker: String) -> String {
        String(ticker.uppercased().map { $0 == "." ? "-" : $0 })
    }
}

/// An article as the writer of an explanation gets it.
package struct ArticleContext: Hashable, Sendable {
    /// The article's id.
    package var id: String
    package var title: String
    package var publisher: String
    package var url: String
    package var publishedAt: Timestamp
    /// The main text, or the description or the title when there is none.
    package var text: String
    /// Whether `text` is the main text.
    package var isWhole: Bool

    package init(
        id: String, title: String, publisher: String, url: String, publishedAt: Timestamp, text: String, isWhole: Bool
    ) {
        self.id = id
        self.isWhole = isWhole
        self.title = title
        self.publisher = publisher
        self.url = url
        self.publishedAt = publishedAt
        self.text = text
    }
}

/// Reads stories that can be explained, and their articles.
package protocol StoryReader: Sendable {
    /// The story that a group shows, by the group's number; `nil` when there is none.
    func story(ofGroup id: Int64) async throws(StoreError) -> StoryContext?

    /// The articles from which the story is explained, as far as they are still stored.
    func articles(of story: StoryContext) async throws(StoreError) -> [ArticleContext]
}

/// Reads stories from the repositories of news.
package struct RepositoryStoryReader: StoryReader {
    private let records: any StoryRepository & ArticleRepository

    package init(_ records: any StoryRepository & ArticleRepository) { self.records = records }

    /// A story that became part of another one leads to that one.
    package func story(ofGroup id: Int64) async throws(StoreError) -> StoryContext? {
        var group = try await records.storyGroup(id: id)
        // Stories merge a few times at most; the limit guards against a cycle.
        for _ in 0..<8 {
            guard let next = group?.mergedInto else { break }
            group = try await records.storyGroup(id: next)
        }
        guard let group, group.mergedInto == nil, !group.story.members.isEmpty else { return nil }
        var story = StoryContext(group.story)
        story.group = group.ticker == nil ? group.id : try await records.globalGroup(ofStory: group.story.key)
        return story
    }

    package func articles(of story: StoryContext) async throws(StoreError) -> [ArticleContext] {
        try await records.articles(ids: story.sampledArticles).map { article in
            ArticleContext(
                id: article.id, title: article.title, publisher: article.source, url: article.url,
                publishedAt: article.publishedAt, text: article.text ?? article.description ?? article.title,
                isWhole: article.text != nil)
        }
    }
}

extension StoryContext {
    package init(_ story: NewsStory) {
        self.init(
            story: story.key, title: story.title, tickers: story.tickers.filter(\.isSubject).map(\.symbol),
            articles: story.members.map(\.article))
    }
}
