/// What an explanation of a story is written from.
package struct StoryMaterial: Hashable, Sendable {
    /// The story's key.
    package var story: String
    /// The number of the group in which everybody sees it; `nil` where that is not known.
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

    /// Articles that one explanation rests on, at most.
    private static let mostArticles = 8
    /// Holdings that one explanation names, at most.
    private static let mostHoldings = 4

    /// The articles that an explanation counts with: as many as the largest power of two that there are. So a story
    /// that grows is explained anew when it has doubled, and not with every article.
    private var counted: ArraySlice<String> {
        articles.prefix(articles.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - articles.count.leadingZeroBitCount))
    }

    /// The articles to read: the first ones, which say what happened, and the latest, which say what came of it.
    package var reading: [String] {
        guard counted.count > Self.mostArticles else { return Array(counted) }
        return counted.prefix(Self.mostArticles / 2) + counted.suffix(Self.mostArticles / 2)
    }

    /// Stands for the articles that an explanation counts with.
    package var version: String {
        // FNV-1a: it tells sets of articles apart, and need not resist anybody.
        let hash = counted.joined(separator: " ").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        return "\(counted.count)-" + String(hash, radix: 16)
    }

    /// The explanation for somebody with these holdings: it names those that the story is about, if any, in the
    /// story's spelling.
    package func key(for holdings: [String]) -> ExplanationKey {
        let held = Set(holdings.map(Self.plain))
        let touched = tickers.filter { held.contains(Self.plain($0)) }.prefix(Self.mostHoldings)
        return ExplanationKey(story: story, version: version, holdings: Array(touched))
    }

    /// `BRK.B` and `BRK-B` are one.
    private static func plain(_ ticker: String) -> String {
        String(ticker.uppercased().map { $0 == "." ? "-" : $0 })
    }
}

/// An article as an explanation reads it.
package struct ArticleMaterial: Hashable, Sendable {
    package var title: String
    /// Who published it.
    package var publisher: String
    package var url: String
    /// Milliseconds since 1970.
    package var publishedAt: Int64
    /// The main text, or what there is of it.
    package var text: String

    package init(title: String, publisher: String, url: String, publishedAt: Int64, text: String) {
        self.title = title
        self.publisher = publisher
        self.url = url
        self.publishedAt = publishedAt
        self.text = text
    }
}

/// Finds the stories that can be explained, and their articles.
package protocol StoryReader: Sendable {
    /// The story that a group shows, by the group's number, with the number of everybody's group; `nil` when there is
    /// none.
    func material(ofGroup id: Int64) async throws(StoreError) -> StoryMaterial?

    /// The articles that an explanation of the story reads, as far as they are still there.
    func articles(of material: StoryMaterial) async throws(StoreError) -> [ArticleMaterial]
}
