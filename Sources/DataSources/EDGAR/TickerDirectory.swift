public import JSON

/// The SEC's list of tickers with the filer and the title of each (`company_tickers.json`).
public struct TickerDirectory: Sendable {
    /// One line of the list.
    public struct Entry: Sendable, Hashable {
        public let ticker: Ticker
        public let cik: CIK
        /// The filer's name as the list writes it (`MICROSOFT CORP`).
        public let title: String
    }

    /// In the SEC's order, which is by market value.
    public let entries: [Entry]
    private let places: [Ticker: Int]

    /// Lines that make no sense are left out; a list without one usable line is an error.
    public init(_ json: JSON) throws(DataSourceError) {
        var entries: [Entry] = []
        var places: [Ticker: Int] = [:]
        for line in json.object?.values ?? [] {
            guard let text = line["ticker"]?.string, let ticker = try? Ticker(text),
                let cik = line["cik_str"]?.integer.flatMap(CIK.init), places[ticker] == nil
            else { continue }
            places[ticker] = entries.count
            entries.append(Entry(ticker: ticker, cik: cik, title: line["title"]?.string ?? text))
        }
        guard !entries.isEmpty else { throw .unexpected(.edgar, problem: "the list of tickers is empty") }
        self.entries = entries
        self.places = places
    }

    public subscript(ticker: Ticker) -> Entry? { places[ticker].map { entries[$0] } }

    /// Entries whose ticker begins with the text or whose title contains it, exact tickers first.
    public func search(_ text: String, limit: Int) -> [Entry] {
        let words = text.uppercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty, limit > 0 else { return [] }
        let symbol = String(words.map { $0 == "." || $0 == "/" ? "-" : $0 })
        var ranked: [(rank: Int, entry: Entry)] = []
        for entry in entries {
            if entry.ticker.text == symbol {
                ranked.append((0, entry))
            } else if entry.ticker.text.hasPrefix(symbol) {
                ranked.append((1, entry))
            } else if entry.title.uppercased().contains(words) {
                ranked.append((2, entry))
            }
        }
        return (0...2).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.entry) }.prefix(limit).map { $0 }
    }
}
