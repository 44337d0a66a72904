internal import Basics

/// A quantity that a text names only roughly: `billions of dollars`, `several hundred`, `double-digit growth`.
struct VagueFigure {
    private enum Measure { case amount, money, percent, times }

    var text: String
    var range: Range<Int>
    private let measure: Measure
    /// The values that it can stand for; the upper end excluded.
    private let values: Range<Double>

    /// Whether a fact is of this size.
    func covers(_ fact: Fact) -> Bool {
        let value = abs(fact.value)
        switch (measure, fact.unit) {
        case (.amount, .currency), (.amount, .number), (.amount, .shares): return values.contains(value)
        case (.money, .currency): return values.contains(value)
        // Another text says it as roughly.
        case (.money, .number): return fact.label == text && values.contains(value)
        case (.percent, .percent): return values.contains(value)
        case (.percent, .ratio): return values.contains(value * 100)
        case (.times, .times): return values.contains(value)
        default: return false
        }
    }

    /// A fact for a text that repeats it.
    var fact: Fact {
        let unit: Fact.Unit =
            switch measure {
            case .amount, .money: .number
            case .percent: .percent
            case .times: .times
            }
        return Fact(values.lowerBound, unit, label: text)
    }

    /// The vague figures of a text, in their order.
    /// Its tokens are read where they are not at hand.
    static func all(
        in text: NormalizedText, _ language: Language, tokens: [FigureToken]? = nil
    ) -> [VagueFigure] {
        let tokens = tokens ?? FigureTokenizer.tokens(of: text, in: language)
        var found: [VagueFigure] = []
        for place in tokens.indices {
            guard let (length, measure, values) = reading(tokens[place...].prefix(8).map(\.lower)),
                found.last.map({ tokens[place].range.lowerBound >= $0.range.upperBound }) != false
            else { continue }
            let range = tokens[place].range.lowerBound..<tokens[place + length - 1].range.upperBound
            found.append(VagueFigure(text: text.string(range), range: range, measure: measure, values: values))
        }
        return found
    }

    private static func reading(_ words: [String]) -> (length: Int, Measure, Range<Double>)? {
        if words.first == "order" || words.first == "orders", words.dropFirst().starts(with: ["of", "magnitude"]) {
            return (3, .times, 5..<50)
        }
        // Most of the members is a way to speak; most of the sales is a figure.
        if let first = words.first, ["majority", "most", "bulk"].contains(first), words.dropFirst().first == "of",
            words.dropFirst(2).prefix(4).prefix(while: { $0 != "of" && $0.first?.isLetter == true })
                .contains(where: amounts.contains)
        {
            return (2, .percent, 50..<100)
        }
        // "several times over", "many times larger"
        if let first = words.first, ["several", "many"].contains(first), words.dropFirst().first == "times",
            let next = words.dropFirst(2).first, multiplied.contains(next)
        {
            return (2, .times, 3..<50)
        }
        // One word in German: zweistellig.
        let whole = ["single-digit": 0.0..<10, "double-digit": 10..<100, "triple-digit": 100..<1000]
        if let digits = whole[words.first ?? ""] { return (1, .percent, digits) }
        if let digits = ["single": 0.0..<10, "double": 10..<100, "triple": 100..<1000][words.first ?? ""] {
            let rest = words.dropFirst().drop { $0 == "-" }
            guard let next = rest.first, ["digit", "digits"].contains(next) else { return nil }
            return (words.count - rest.count + 1, .percent, digits)
        }
        return several(words) ?? plural(words)
    }

    /// `several hundred`, `a few million`, `a couple of thousand`
    private static func several(_ words: [String]) -> (length: Int, Measure, Range<Double>)? {
        guard let first = words.first, ["several", "few", "couple"].contains(first) else { return nil }
        var place = 1
        if words.dropFirst().first == "of" { place += 1 }
        var scale = 1.0
        while place < words.count, let factor = scaleFactor(of: words[place]), factor > 12 {
            scale *= factor
            place += 1
            // "varios cientos de millones": the link belongs to neither.
            if place + 1 < words.count, links.contains(words[place]), scaleFactor(of: words[place + 1]) != nil {
                place += 1
            }
        }
        guard scale > 1 else { return nil }
        // "several million pounds" are no customers.
        let isMoney = words.dropFirst(place).prefix(2).contains { Currencies.words[$0] != nil }
        return (place, isMoney ? .money : .amount, scale..<scale * 10)
    }

    private static let multiplied: Set<String> = [
        "over", "as", "the", "its", "larger", "higher", "bigger", "more", "what", "that",
    ]

    private static let amounts: Set<String> = [
        "sales", "revenue", "revenues", "turnover", "profit", "profits", "earnings", "income", "costs", "exports",
        "imports", "output", "production", "debt", "assets",
    ]

    private static let links: Set<String> = ["of", "de", "d"]

    private static func scaleFactor(of word: String) -> Double? {
        NumberWords.scales[word] ?? (word.last == "s" ? NumberWords.scales[String(word.dropLast())] : nil)
    }

    /// `billions of dollars`, `tens of millions of euros`: only money, since millions of people are a way to speak.
    private static func plural(_ words: [String]) -> (length: Int, Measure, Range<Double>)? {
        var place = 0
        var (scale, parts) = (1.0, 0)
        while place < words.count {
            // "cientos de millones": other languages' scales have one English form, in the singular.
            guard words[place].last == "s" || parts > 0 else { break }
            let singular = words[place].last == "s" ? String(words[place].dropLast()) : words[place]
            guard let factor = singular == "ten" ? 10 : NumberWords.scales[singular], factor != 12 else { break }
            scale *= factor
            parts += 1
            place += 1
            if place < words.count, links.contains(words[place]) { place += 1 }
        }
        guard scale >= 100, place < words.count, Currencies.words[words[place]] != nil else { return nil }
        // `Millions` goes up to a billion, `tens of millions` up to a hundred.
        return (place + 1, .amount, scale..<scale * (parts > 1 ? 10 : 1000))
    }
}

/// Counts in small words, such as `two cities`, which are no figures by themselves: a source that counts the same
/// things has to give the same number.
struct SmallCount: Hashable {
    var number: Double
    /// The noun without its plural ending.
    var noun: String
    var range: Range<Int>

    /// The counts of a text: a number and the plural that follows it within `reach` words. Numbers in digits and above
    /// twelve count where `numerals` says so.
    private static func all(
        among tokens: [FigureToken], _ language: Language, reach: Int, numerals: Bool
    ) -> [SmallCount] {
        tokens.indices.flatMap { place -> [SmallCount] in
            let token = tokens[place]
            let word = NumberWords.small[token.lower].flatMap { numerals || (2...12).contains($0) ? $0 : nil }
            guard let number = word ?? (numerals ? token.numeral?.value : nil) else { return [] }
            // `four thousand` is a figure.
            if tokens[(place + 1)...].first.map({ NumberWords.scales[$0.lower] != nil }) == true { return [] }
            if !numerals, place > 0, ["-", "–", "or", "to", "and"].contains(tokens[place - 1].lower) { return [] }
            var counts: [SmallCount] = []
            for next in tokens[(place + 1)...].prefix(reach) {
                // "two of the twelve members": the source counts both.
                if numerals, ["of", "the", "its", "their"].contains(next.lower) || next.numeral != nil { continue }
                guard next.isWord, !["of", "or", "to", "and", "in", "the"].contains(next.lower) else { break }
                guard let noun = noun(next, language) else { continue }
                let range = token.range.lowerBound..<next.range.upperBound
                counts.append(SmallCount(number: number, noun: noun, range: range))
                if !numerals { break }
            }
            return counts
        }
    }

    /// A plural without its ending. German plurals have many, and every noun has a capital there.
    private static func noun(_ token: FigureToken, _ language: Language) -> String? {
        guard token.lower.utf8.count > 3, !FigureVocabulary.parts.contains(token.lower) else { return nil }
        // Words with an English form are the same in every language.
        if token.lower.last == "s", !token.lower.hasSuffix("ss") {
            return String(token.lower.dropLast())
        }
        return language == .german && token.isName ? "de:" + token.lower : nil
    }

    /// The counts of a text that contradict those of its sources.
    static func contradictions(among tokens: [FigureToken], _ language: Language, sources: [String]) -> [SmallCount] {
        let counts = all(among: tokens, language, reach: 2, numerals: false)
        guard !counts.isEmpty else { return [] }
        var known: [String: Set<Double>] = [:]
        for source in sources.map({ NormalizedText($0) }) {
            let own = LanguageDetector(source).language ?? .english
            let tokens = FigureTokenizer.tokens(of: source, in: own)
            for count in all(among: tokens, own, reach: 6, numerals: true) {
                known[count.noun, default: []].insert(count.number)
            }
        }
        return counts.filter { count in known[count.noun].map { !$0.contains(count.number) } == true }
    }
}
