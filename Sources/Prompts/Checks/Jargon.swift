/// Finds terms of finance that a text uses without saying what they are.
///
/// A term counts as explained where it first stands: by words in brackets or set off behind it, by words such as
/// `called` before it, or by a next sentence that says what it is. The list is of terms that people who own investments
/// and do not work in finance would have to look up; words such as `dividend` or `inflation` are not among them.
enum Jargon {
    /// In lower case. A plural in `s` is the same term.
    private static let terms: [String] = [
        "ebitda", "ebit", "eps", "p/e", "pe ratio", "price-to-earnings", "price to earnings", "roe", "roic", "capex",
        "opex", "capital expenditure", "gross margin", "operating margin", "net margin", "free cash flow",
        "diluted earnings", "operating leverage", "leverage", "leveraged buyout", "deleveraging", "run rate",
        "top line", "bottom line", "headwind", "tailwind", "guidance", "forward guidance", "consensus estimate",
        "basis point", "bps", "yield curve", "yield spread", "credit spread", "bond yield", "treasury yield",
        "quantitative easing", "quantitative tightening", "tapering", "hawkish", "dovish", "fomc", "fed funds",
        "federal funds rate", "repo", "reverse repo", "liquidity", "convexity", "derivative", "credit default swap",
        "interest rate swap", "call option", "put option", "implied volatility", "volatility index", "vix",
        "short interest", "short squeeze", "hedge", "hedging", "arbitrage", "securitization", "securitisation",
        "collateralized", "collateralised", "tranche", "subordinated debt", "mezzanine", "convertible note",
        "convertible bond", "senior note", "covenant", "amortization", "amortisation", "impairment", "write-down",
        "writedown", "accrual", "gaap", "non-gaap", "dilution", "market cap", "market capitalization",
        "market capitalisation", "multiple expansion", "valuation multiple", "sell-side", "buy-side", "overweight",
        "underweight", "year-over-year", "yoy", "qoq", "comparable sales", "same-store sales", "like-for-like",
        "book-to-bill", "net interest margin", "net interest income", "tier 1 capital", "cet1", "pmi", "core pce",
        "pce", "cpi", "ppi", "gdp", "nonfarm payroll", "stagflation", "disinflation", "monetary tightening", "ipo",
        "spac", "lbo", "m&a", "poison pill", "chapter 11", "contango", "backwardation", "sharpe ratio", "drawdown",
        "risk premium", "carry trade", "margin call", "mark-to-market", "off-balance-sheet", "pro forma",
    ]

    /// Longer terms that everybody knows, although a shorter one is in them.
    private static let known: [String] = ["hedge fund"]

    /// Terms by their first word, longer ones first.
    private static let index: [String: [(words: [String], isKnown: Bool)]] = {
        var index: [String: [(words: [String], isKnown: Bool)]] = [:]
        for (list, isKnown) in [(terms, false), (known, true)] {
            for term in list {
                let words = term.split(separator: " ").map(String.init)
                index[words[0], default: []].append((words, isKnown))
            }
        }
        return index.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    }()

    /// The terms that the text is the first to use and does not explain, as it writes them. Adds all that it uses to
    /// `known`.
    static func unexplained(in text: String, known: inout Set<String>) -> [String] {
        let sentences = Sentences.split(text)
        var found: [String] = []
        for (place, sentence) in sentences.enumerated() {
            let words = Word.all(in: sentence)
            var position = 0
            while position < words.count {
                guard let match = term(at: position, in: words) else {
                    position += 1
                    continue
                }
                let range = position..<position + match.words.count
                position = range.upperBound
                guard !match.isKnown, known.insert(match.words.joined(separator: " ")).inserted else { continue }
                let next = place + 1 < sentences.count ? sentences[place + 1] : ""
                if isExplained(range, words, sentence, next: next, term: match.words) { continue }
                found.append(
                    String(
                        sentence[
                            words[range.lowerBound].range.lowerBound..<words[range.upperBound - 1].range.upperBound]))
            }
        }
        return found
    }

    private static func term(at place: Int, in words: [Word]) -> (words: [String], isKnown: Bool)? {
        let candidates = [words[place].text, words[place].singular].flatMap { index[$0] ?? [] }
        return candidates.first { candidate in
            guard place + candidate.words.count <= words.count else { return false }
            return candidate.words.enumerated().allSatisfy { offset, word in
                let other = words[place + offset]
                return other.text == word || offset == candidate.words.count - 1 && other.singular == word
            }
        }
    }

    // MARK: Explanations

    /// The words by which a text introduces a term after it has said what it is.
    private static let introductions: Set<String> = ["called", "termed", "named", "so-called", "known", "or"]
    /// The words that set off an explanation behind a term and a comma.
    private static let apposition = [
        "which ", "that is", "meaning", "or ", "a ", "an ", "the ", "i.e.", "in other words", "what ", "how ",
    ]
    /// The words of a sentence that says what something is.
    private static let definitions = [
        " is a ", " is an ", " is the ", " is what ", " is how ", " is money ", " is profit ", " is when ",
        " is one ", " are a ", " are the ", " are what ", " are those ", " are loans ", " means ", " mean ",
        " measures ", " measure ", " stands for ", " refers to ", " refer to ", " describes ", " describe ",
        " counts ", " compares ", " says how ", " shows how ", " tells how ",
    ]
    private static let references = [
        "that ", "this ", "it ", "they ", "these ", "such ", "in plain words", "put simply",
    ]

    private static func isExplained(
        _ range: Range<Int>, _ words: [Word], _ sentence: String, next: String, term: [String]
    ) -> Bool {
        let before = sentence[..<words[range.lowerBound].range.lowerBound]
        let start = words[range.upperBound - 1].range.upperBound
        var rest = sentence[start...].lowercased()[...]
        while let first = rest.first, "\"”'’".contains(first) { rest = rest.dropFirst() }
        if before.last == "(" || rest.trimmedStart.hasPrefix("(") { return true }
        // `what it earns before interest, called EBITDA`
        let earlier = words[max(0, range.lowerBound - 3)..<range.lowerBound].map(\.text)
        if earlier.contains(where: { introductions.contains($0) && $0 != "or" }) { return true }
        if earlier.last == "or", before.contains(",") { return true }
        for mark in [":", " –", " —", "—", " - "] where rest.hasPrefix(mark) { return true }
        if rest.first == "," {
            let set = rest.dropFirst().trimmedStart
            if apposition.contains(where: set.hasPrefix) { return true }
        }
        // `EBITDA is what a firm earns …` and, in the next sentence, `That is …` or `EBITDA means …`.
        if definitions.contains(where: rest.hasPrefix) { return true }
        let following = next.lowercased()
        guard definitions.contains(where: following.contains) || following.hasPrefix("in other words") else {
            return false
        }
        return references.contains(where: following.hasPrefix) || following.contains(term[0])
            || following.hasPrefix("in other words")
    }

    /// A word of a sentence in lower case, with its place.
    private struct Word {
        var text: String
        var range: Range<String.Index>

        /// Without the `s` of a plural.
        var singular: String {
            text.utf8.count > 2 && text.utf8.last == UInt8(ascii: "s") ? String(text.dropLast()) : text
        }

        /// Runs of letters and digits with the marks that terms have inside: `p/e`, `m&a`, `non-gaap`.
        static func all(in sentence: String) -> [Word] {
            var words: [Word] = []
            let scalars = sentence.unicodeScalars
            var place = scalars.startIndex
            func isPart(_ scalar: Unicode.Scalar) -> Bool {
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "-/&".unicodeScalars.contains(scalar)
            }
            while place < scalars.endIndex {
                guard isPart(scalars[place]) else {
                    place = scalars.index(after: place)
                    continue
                }
                var end = place
                while end < scalars.endIndex, isPart(scalars[end]) { end = scalars.index(after: end) }
                words.append(Word(text: String(sentence[place..<end]).lowercased(), range: place..<end))
                place = end
            }
            return words
        }
    }
}

extension Substring {
    fileprivate var trimmedStart: Substring { drop(while: \.isWhitespace) }
}
