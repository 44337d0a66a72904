package import JSON

/// The SEC's list of tickers with the filer and the title of each (`company_tickers.json`).
package struct TickerDirectory: Sendable {
    /// One line of the list.
    package struct Entry: Sendable, Hashable {
        package let ticker: Ticker
        package let cik: CIK
        /// The filer's name as the list writes it (`MICROSOFT CORP`).
        package let title: String
    }

    /// In the SEC's order, which is by market value.
    package let entries: [Entry]
    private let places: [Ticker: Int]
    /// The titles as a search compares them, in the order of the entries.
    private let titles: [String]

    /// Lines that make no sense are left out; a list without one usable line is an error.
    package init(_ json: JSON) throws(DataSourceError) {
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
        titles = entries.map { Self.words($0.title) }
    }

    package subscript(ticker: Ticker) -> Entry? { places[ticker].map { entries[$0] } }

    /// How an entry matches what somebody typed, the best first.
    private enum Rank: Int, CaseIterable {
        case ticker, wholeTitle, start, word, within
    }

    /// Entries for what somebody typed: first the ticker itself, then the name itself, then tickers and names that begin
    /// with it, then names with a word that begins with it, then names that hold it anywhere. Within each the larger
    /// companies stand first. Punctuation and case do not matter.
    package func search(_ text: String, limit: Int) -> [Entry] {
        let words = Self.words(text)
        guard !words.isEmpty, limit > 0 else { return [] }
        let symbol = Self.symbol(text)
        var found: [Rank: [Entry]] = [:]
        for (entry, title) in zip(entries, titles) {
            guard let rank = rank(entry.ticker.text, title, symbol: symbol, words: words) else { continue }
            found[rank, default: []].append(entry)
        }
        return Rank.allCases.flatMap { found[$0] ?? [] }.prefix(limit).map { $0 }
    }

    private func rank(_ ticker: String, _ title: String, symbol: String, words: String) -> Rank? {
        if ticker == symbol { return .ticker }
        if title == words { return .wholeTitle }
        if ticker.hasPrefix(symbol) || title.hasPrefix(words) { return .start }
        if title.contains(" " + words) { return .word }
        return title.contains(words) ? .within : nil
    }

    private static func symbol(_ text: String) -> String {
        String(text.uppercased().filter { !$0.isWhitespace }.map { $0 == "." || $0 == "/" ? "-" : $0 })
    }

    /// In capitals, without apostrophes, and with one space for whatever else is neither letter nor digit.
    private static func words(_ text: String) -> String {
        text.uppercased().filter { $0 != "'" && $0 != "’" }.split { !$0.isLetter && !$0.isNumber }
            .joined(separator: " ")
    }
}
