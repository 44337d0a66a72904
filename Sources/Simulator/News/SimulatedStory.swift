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
    /// The minutes between its publication and the last full hour.
    var minutesAgo: Int64

    /// Ends every article, so that none is taken for news.
    static let disclaimer =
        "This article is simulated. Dossier's simulator made it up, nothing in it happened, and its figures mean nothing."

    /// The news day: a few invented events, some of them reported by several publications.
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
        tickers = entry["tickers"]?.array?.compactMap(\.string) ?? []
        paragraphs = entry["paragraphs"]?.array?.compactMap(\.string) ?? []
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
