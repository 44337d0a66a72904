import Articles
import JSON

extension FMPClient {
    /// News of stocks, newest first.
    ///
    /// - `tickers`: in any spelling that `Ticker` accepts.
    /// - `from`: `YYYY-MM-DD`, as is `to`.
    /// - `page`: from 0.
    /// - `limit`: 1 to 250.
    /// - Throws: `invalidTicker`, `notCovered` where the plan has no news.
    package func stockNews(
        of tickers: [String], from: String? = nil, to: String? = nil, page: Int = 0, limit: Int = 50
    ) async throws(DataSourceError) -> NewsPage {
        var symbols: [String] = []
        for ticker in tickers { symbols.append(try Ticker(ticker).text) }
        let list = symbols.joined(separator: ",")
        let query: [(String, String?)] = [
            ("symbols", list), ("from", from), ("to", to), ("page", "\(max(page, 0))"),
            ("limit", "\(min(max(limit, 1), 250))"),
        ]
        let records = try await records(
            "news/stock", query.compactMap { name, value in value.map { (name, $0) } }, about: list)
        return NewsPage(items: records.compactMap(Self.item))
    }

    private static func item(_ json: JSON) -> NewsItem? {
        func text(_ key: String) -> String? { json[key]?.string.map(HTMLText.line).flatMap { $0.isEmpty ? nil : $0 } }
        guard let title = text("title"), let url = json["url"]?.string, WebAddress(url).isWeb else { return nil }
        return NewsItem(
            title: title, url: url, summary: text("text"), image: json["image"]?.string,
            publication: text("publisher") ?? text("site"),
            // Without a zone; what the source means is not documented, and UTC errs by hours at most.
            publishedAt: json["publishedDate"]?.string.flatMap { PublishedDate($0) },
            tickers: text("symbol").map { [$0] } ?? [])
    }
}
