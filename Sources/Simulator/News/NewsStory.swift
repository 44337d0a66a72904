/// One made-up article of the simulator's news day.
struct NewsStory: Sendable {
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
    /// How long before the last full hour it came out.
    var minutesAgo: Int64

    /// Ends every article, so that none is taken for news.
    static let disclaimer =
        "This article is simulated. Dossier's simulator made it up, nothing in it happened, and its figures mean nothing."

    func url(at base: String) -> String { "\(base)/web/articles/\(slug)" }

    /// When it came out, in seconds since 1970. Counted from the last full hour, so that it stays for that long.
    func published(now: Int64) -> Int64 { now / 3600 * 3600 - minutesAgo * 60 }

    func concerns(_ text: String) -> Bool {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        let content = ([title, summary] + tickers + paragraphs).joined(separator: " ").lowercased()
        return words.filter { !["and", "or", "not"].contains($0) }.contains { content.contains($0) }
    }
}
