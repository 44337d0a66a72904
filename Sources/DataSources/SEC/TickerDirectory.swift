import Basics
package import JSON

/// A ticker in the SEC's spelling: upper case, a class or series suffix after a hyphen (`BRK-B`).
package struct Ticker: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package var description: String { text }

    /// Accepts any case, surrounding space and the three common spellings of a class (`BRK-B`, `BRK.B`, `BRK/B`).
    ///
    /// - Throws: `DataSourceError.invalidTicker`.
    package init(_ input: String) throws(DataSourceError) {
        let canonical = String(input.trimmed.map { $0 == "." || $0 == "/" ? "-" : $0 }).uppercased()
        guard Self.isValid(canonical) else { throw .invalidTicker(input) }
        text = canonical
    }

    /// One to six letters or digits that begin with a letter, and perhaps a suffix of one to three.
    private static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let root = parts.first, parts.count <= 2, (1...6).contains(root.count), isLetter(root.first) else {
            return false
        }
        if parts.count == 2, !(1...3).contains(parts[1].count) { return false }
        return parts.joined().allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isLetter(_ byte: UInt8?) -> Bool {
        byte.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
    }
}

/// The SEC's number of a filer (Central Index Key).
package struct CIK: Hashable, Sendable, CustomStringConvertible {
    package let number: Int64

    /// - Returns: `nil` unless the number is positive and has at most ten digits.
    package init?(_ number: Int64) {
        guard (1..<10_000_000_000).contains(number) else { return nil }
        self.number = number
    }

    /// Ten digits with leading zeros, as the SEC's addresses have it.
    package var padded: String {
        let digits = String(number)
        return String(repeating: "0", count: 10 - digits.count) + digits
    }

    package var description: String { String(number) }
}

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

    /// The kinds of match between an entry and a search text, the best first.
    private enum Rank: Int, CaseIterable {
        case ticker, wholeTitle, start, word, within
    }

    /// Something that a search found: a company, a coin or a fund.
    package struct Match: Sendable, Hashable {
        package let ticker: String
        package let name: String
        /// `nil` for what is no filer.
        package let cik: CIK?
    }

    /// What a search text finds: first the ticker itself, then the name itself, then tickers and names that begin with
    /// it, then names with a word that begins with it, then names that hold it anywhere. Within each the larger companies
    /// come first, and the coins and funds that this service knows last, but for those that only hold the text within a
    /// word. A symbol that both have means the coin or the fund, as everywhere here. Punctuation and case do not matter.
    package func matches(_ text: String, limit: Int) -> [Match] {
        let words = Self.words(text)
        guard !words.isEmpty, limit > 0 else { return [] }
        let symbol = Self.symbol(text)
        var found: [Rank: [Match]] = [:]
        for (entry, title) in zip(entries, titles) {
            guard let rank = rank(entry.ticker.text, title, symbol: symbol, words: words),
                CryptoAsset.name(of: entry.ticker.text) == nil, ListedFund.name(of: entry.ticker.text) == nil
            else { continue }
            found[rank, default: []].append(Match(ticker: entry.ticker.text, name: entry.title, cik: entry.cik))
        }
        for asset in CryptoAsset.all + ListedFund.all {
            guard let rank = rank(asset.symbol, Self.words(asset.name), symbol: symbol, words: words), rank != .within
            else { continue }
            found[rank, default: []].append(Match(ticker: asset.symbol, name: asset.name, cik: nil))
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

    /// In capitals, without apostrophes, and with one space for each run of other characters that are neither letters
    /// nor digits.
    private static func words(_ text: String) -> String {
        text.uppercased().filter { $0 != "'" && $0 != "’" }.split { !$0.isLetter && !$0.isNumber }
            .joined(separator: " ")
    }
}
