internal import Basics
internal import JSON

/// One made-up article of the simulator's news day.
struct SimulatedStory: Sendable {
    var slug: String
    /// Articles on the same event have the same one.
    var event: String
    var publication: String
    var author: String
    /// One of NewsAPI's.
    var category: String
    var tickers: [String]
    var title: String
    var summary: String
    var paragraphs: [String]
    /// A part of the host of the only feed that lists it, such as `federalreserve`; `nil` where category and source
    /// decide.
    var feed: String?
    /// The minutes between its publication and the last full hour.
    var minutesAgo: Int64

    /// Ends every article, so that none is taken for news.
    static let disclaimer =
        "This article is simulated. Dossier's simulator made it up, nothing in it happened, and its figures mean nothing."

    /// The news day: invented events, many of them reported by several publications. `minutes_ago` counts from the last
    /// full hour, so that the day is always today's.
    static let all = Resource.json(PackageResources.news_json).array?.compactMap(SimulatedStory.init) ?? []

    /// Reads an entry of `news.json`; `nil` where a member is missing.
    init?(_ entry: JSON) {
        guard let slug = entry["slug"]?.string, let event = entry["event"]?.string,
            let publication = entry["publication"]?.string, let author = entry["author"]?.string,
            let category = entry["category"]?.string, let title = entry["title"]?.string,
            let summary = entry["summary"]?.string, let minutesAgo = entry["minutes_ago"]?.integer
        else { return nil }
        (self.slug, self.event, self.publication, self.author) = (slug, event, publication, author)
        (self.category, self.title, self.summary, self.minutesAgo) = (category, title, summary, minutesAgo)
        feed = entry["feed"]?.string
        tickers = entry["tickers"]?.array?.compactMap(\.string) ?? []
        paragraphs = entry["paragraphs"]?.array?.compactMap(\.string) ?? []
    }

    /// Whether a feed at an address of the world, without its scheme, would list it: by its host, else by its category.
    func isListed(by address: String) -> Bool {
        if let feed { return address.containsBytes(of: feed) }
        let official = Self.all.contains { story in story.feed.map { address.containsBytes(of: $0) } == true }
        return !official && address.containsBytes(of: category)
    }

    func url(at base: String) -> String { "\(base)/web/articles/\(slug)" }

    /// The time of publication, in seconds since 1970. Counted from the last full hour, so that it stays for that long.
    func published(now: Int64) -> Int64 { now / 3600 * 3600 - minutesAgo * 60 }

    func concerns(_ text: String) -> Bool {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        let content = ([title, summary] + tickers + paragraphs).joined(separator: " ").lowercased()
        return words.filter { !["and", "or", "not"].contains($0) }.contains { content.contains($0) }
    }
}
