internal import Basics

/// The symbol of a share or of a crypto asset, in one spelling: `AAPL`, `BTC`, `BRK-B`.
///
/// One to five letters or digits, as the news document has it, and a class suffix of one or two letters.
package struct TickerSymbol: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let text: String

    /// Reads any case, surrounding space, and `BRK.B`, `BRK-B` or `BRK/B`; `nil` for other texts.
    package init?(_ text: String) {
        var symbol: [UInt8] = []
        var classLength: Int?
        for byte in text.trimmed.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                symbol.append(byte - 0x20)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                symbol.append(byte)
            case UInt8(ascii: "0")...UInt8(ascii: "9") where classLength == nil: symbol.append(byte)
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"):
                guard classLength == nil, (1...5).contains(symbol.count) else { return nil }
                symbol.append(UInt8(ascii: "-"))
                classLength = 0
                continue
            default: return nil
            }
            if let length = classLength {
                guard length < 2 else { return nil }
                classLength = length + 1
            } else if symbol.count > 5 {
                return nil
            }
        }
        guard !symbol.isEmpty, classLength != 0 else { return nil }
        self.text = String(decoding: symbol, as: UTF8.self)
    }

    package var description: String { text }

    package static func < (left: TickerSymbol, right: TickerSymbol) -> Bool { left.text < right.text }
}

/// Finds symbols that a text marks as such: `$AAPL`, `(NASDAQ: AAPL)`, `NYSE:BRK.B`, `(AAPL)`.
struct SymbolScanner {
    let text: String

    func symbols(knownBy directory: CompanyDirectory) -> [(place: Int, ticker: TickerSymbol)] {
        let scalars = Array(text.unicodeScalars.prefix(10_000))
        var found: [(place: Int, ticker: TickerSymbol)] = []
        for (place, scalar) in scalars.enumerated() {
            let before = place > 0 ? scalars[place - 1] : " "
            switch scalar {
            case "$" where !isWord(before) && before != "$":
                if let (symbol, _) = symbol(in: scalars, at: place + 1), let first = symbol.unicodeScalars.first,
                    !Words.isDigit(first), !Self.currencies.contains(symbol), let ticker = TickerSymbol(symbol),
                    symbol.unicodeScalars.count > 1 || directory.knows(ticker)
                {
                    found.append((place, ticker))
                }
            case ":":
                guard let exchange = word(in: scalars, endingBefore: place), Self.exchanges.contains(exchange)
                else { continue }
                var start = place + 1
                while start < scalars.count, scalars[start] == " " { start += 1 }
                if let (symbol, _) = symbol(in: scalars, at: start), let ticker = TickerSymbol(symbol) {
                    found.append((place, ticker))
                }
            case "(":
                if let (symbol, end) = symbol(in: scalars, at: place + 1), end < scalars.count, scalars[end] == ")",
                    symbol.unicodeScalars.count > 1, let ticker = TickerSymbol(symbol), directory.knows(ticker),
                    !Self.remarks.contains(symbol) || isNamed(ticker, in: directory)
                {
                    found.append((place, ticker))
                }
            default: continue
            }
        }
        return found
    }

    /// Whether the text has a word of the company's name, in any case.
    private func isNamed(_ ticker: TickerSymbol, in directory: CompanyDirectory) -> Bool {
        let name = Set(Words.of(directory.name(of: ticker) ?? "").map(\.folded))
        return Words.of(text).contains { $0.folded != ticker.text.lowercased() && name.contains($0.folded) }
    }

    private func isWord(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || Words.isDigit(scalar) }

    /// Capitals and digits, and a class suffix; `nil` when the word goes on otherwise (`$AAPLs`, `$5bn`).
    private func symbol(in scalars: [Unicode.Scalar], at start: Int) -> (String, end: Int)? {
        func isSymbolic(_ scalar: Unicode.Scalar) -> Bool { scalar >= "A" && scalar <= "Z" || Words.isDigit(scalar) }
        var end = start
        while end < scalars.count, isSymbolic(scalars[end]), end - start < 6 { end += 1 }
        guard (1...5).contains(end - start) else { return nil }
        if end + 1 < scalars.count, scalars[end] == "." || scalars[end] == "-" || scalars[end] == "/",
            scalars[end + 1] >= "A", scalars[end + 1] <= "Z", end + 2 >= scalars.count || !isWord(scalars[end + 2])
        {
            end += 2
        }
        guard end >= scalars.count || !isWord(scalars[end]) else { return nil }
        var symbol = String.UnicodeScalarView()
        symbol.append(contentsOf: scalars[start..<end])
        return (String(symbol), end)
    }

    private func word(in scalars: [Unicode.Scalar], endingBefore end: Int) -> String? {
        var end = end
        while end > 0, scalars[end - 1] == " " { end -= 1 }
        var start = end
        while start > 0, isWord(scalars[start - 1]), end - start < 12 { start -= 1 }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[start..<end])
        return word.isEmpty ? nil : String(word).uppercased()
    }

    private static let exchanges: Set<String> = [
        "NASDAQ", "NYSE", "NYSEARCA", "NYSEAMERICAN", "AMEX", "NYSEMKT", "OTCMKTS", "OTC", "OTCQB", "OTCQX", "CBOE",
        "BATS",
    ]

    /// Words after a dollar sign that are not shares.
    private static let currencies: Set<String> = [
        "US", "USD", "CAD", "AUD", "NZD", "HKD", "SGD", "CA", "AU", "NZ", "HK", "SG", "A", "C", "M",
    ]

    /// Symbols that are also words, and so in brackets a remark (`(LINK)`) unless the company is named as well.
    static let remarks: Set<String> = [
        "ALL", "ARM", "CAT", "COP", "COST", "DASH", "DE", "DOT", "DOW", "EA", "EL", "GAP", "GE", "HAL", "HOG", "HOOD",
        "ICE", "LI", "LINK", "LOW", "MA", "MAR", "MET", "MO", "NET", "NOW", "PINS", "PM", "RACE", "RIOT", "SE", "SHOP",
        "SNAP", "SNOW", "SO", "SPOT", "TEAM", "TON", "UNI",
    ]
}
