/// The companies and crypto assets that can be recognised by name.
package struct CompanyDirectory: Sendable {
    /// The context that a name needs before it counts.
    enum Certainty: Sendable {
        /// The name is unique: `Microsoft`.
        case certain
        /// The name is also a surname, a fruit or a river: it needs a capital and no sign of the other meaning.
        case capital
        /// The name is also an everyday word: it needs a word of business beside it.
        case context
    }

    struct Alias: Sendable {
        var ticker: TickerSymbol
        /// As it must be written, word by word.
        var words: [String]
        var certainty: Certainty
        /// `Macy's` is a shop, `Macy` a name: the ending belongs to it.
        var isPossessive: Bool
    }

    private(set) var names: [TickerSymbol: String] = [:]
    /// By the first word in lower case, longer ones first.
    private(set) var aliases: [String: [Alias]] = [:]

    /// The larger companies and the common crypto assets, as of 2026.
    package static let bundled = CompanyDirectory(tsv: String(decoding: PackageResources.companies_tsv, as: UTF8.self))

    /// Reads lines of `TICKER`, name and aliases apart by `;`, with tabs between; `?` marks a name that is a surname or
    /// a thing as well, `!` an everyday word. Unreadable lines are skipped.
    package init(tsv: String) {
        for line in tsv.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 2, let ticker = TickerSymbol(String(fields[0])) else { continue }
            names[ticker] = String(fields[1])
            for alias in fields.dropFirst(2).joined().split(separator: ";") {
                let certainty: Certainty =
                    switch alias.first {
                    case "?": .capital
                    case "!": .context
                    default: .certain
                    }
                let words = Words.of(String(certainty == .certain ? alias : alias.dropFirst())).map(\.written)
                guard let first = words.first else { continue }
                aliases[first.lowercased(), default: []].append(
                    Alias(
                        ticker: ticker, words: words, certainty: certainty,
                        isPossessive: alias.hasSuffix("'s") && words.count == 1))
            }
        }
        for key in aliases.keys { aliases[key]?.sort { $0.words.count > $1.words.count } }
    }

    /// The name of the company or asset with a symbol.
    package func name(of ticker: TickerSymbol) -> String? { names[ticker] }

    func knows(_ ticker: TickerSymbol) -> Bool { names[ticker] != nil }
}
