internal import Basics

/// A number in words, up to the first scale word: `twenty-five`, `one hundred and ten`, `two point five`, `half a`.
struct WordNumber {
    private(set) var value = 0.0
    private(set) var step = 1.0
    /// The index after its last token.
    private(set) var end: Int
    /// Whether it is one word up to twelve: a count such as "three risks" unless a unit follows.
    private(set) var isSmall = false

    private let tokens: [FigureToken]

    init?(tokens: [FigureToken], at place: Int) {
        self.tokens = tokens
        end = place
        guard place < tokens.count, tokens[place].isWord else { return nil }
        guard takeArticle() || takeHundreds() else { return nil }
        takeDecimals()
    }

    private func lower(_ offset: Int = 0) -> String? {
        tokens.indices.contains(end + offset) ? tokens[end + offset].lower : nil
    }

    /// `a billion`, `half a billion`, `a half billion`
    private mutating func takeArticle() -> Bool {
        let article = lower() == "a" ? 1 : 0
        if lower(article) == "half", let scale = lower(article + 1), NumberWords.scales[scale] != nil {
            value = 0.5
            step = 0.1
            end += article + 1
            return true
        }
        if lower() == "half", lower(1) == "a", let scale = lower(2), NumberWords.scales[scale] != nil {
            value = 0.5
            step = 0.1
            end += 2
            return true
        }
        guard lower() == "a" || lower() == "an", let scale = lower(1), NumberWords.scales[scale] != nil else {
            return false
        }
        end += 1
        value = scale == "hundred" ? hundreds(1) : 1
        return true
    }

    private mutating func takeHundreds() -> Bool {
        guard let first = takeTens() else { return false }
        isSmall = first <= 12 && lower() != "hundred"
        value = hundreds(first)
        return true
    }

    /// Adds the tens after "hundred", when it is more than a scale word: `one hundred and ten`.
    private mutating func hundreds(_ first: Double) -> Double {
        guard lower() == "hundred" else { return first }
        let before = end
        end += lower(1) == "and" ? 2 : 1
        guard let rest = takeTens() else {
            end = before
            return first
        }
        return first * 100 + rest
    }

    private mutating func takeTens() -> Double? {
        guard let word = lower() else { return nil }
        if let small = NumberWords.small[word] {
            end += 1
            return small
        }
        guard let tens = NumberWords.tens[word] else { return nil }
        end += 1
        let hyphen = lower() == "-" ? 1 : 0
        if let next = lower(hyphen), let unit = NumberWords.small[next], (1...9).contains(unit) {
            end += hyphen + 1
            return tens + unit
        }
        return tens
    }

    /// `two point five`, `two and a half`, `five and a quarter`
    private mutating func takeDecimals() {
        let parts: [(words: [String], value: Double)] = [
            (["and", "a", "half"], 0.5), (["and", "a", "quarter"], 0.25), (["and", "three", "quarters"], 0.75),
        ]
        if let part = parts.first(where: { part in part.words.indices.allSatisfy { lower($0) == part.words[$0] } }) {
            value += part.value
            step = part.value == 0.5 ? 0.1 : 0.01
            end += part.words.count
            isSmall = false
            return
        }
        guard lower() == "point", let first = lower(1), NumberWords.small[first].map({ $0 < 10 }) == true else {
            return
        }
        end += 1
        isSmall = false
        while let word = lower(), let digit = NumberWords.small[word], digit < 10 {
            step /= 10
            value += digit * step
            end += 1
        }
    }
}

/// A fraction in words: `two-thirds`, `a quarter of`, `about half`, `nine in ten`.
///
/// Halves, thirds and quarters of a year are no fractions.
struct WordFraction {
    let value: Double
    /// The index after its last token.
    let end: Int

    init?(tokens: [FigureToken], at place: Int) {
        func lower(_ offset: Int) -> String? {
            tokens.indices.contains(place + offset) ? tokens[place + offset].lower : nil
        }
        let word = tokens[place].lower
        if word == "half" {
            guard Self.isHalf(next: lower(1), after: lower(2), before: lower(-1)) else { return nil }
            value = 0.5
            end = place + 1
            return
        }
        guard let count = word == "a" ? 1 : NumberWords.small[word], count > 0 else { return nil }
        if let link = lower(1), link == "in" || link == "out", word != "a" {
            let offset = link == "out" && lower(2) == "of" ? 3 : 2
            guard let base = lower(offset).flatMap({ NumberWords.small[$0] }), base > count, base <= 12,
                link == "in" || base == 10 || base == 5
            else { return nil }
            value = count / base
            end = place + offset + 1
            return
        }
        let isHyphenated = lower(1) == "-"
        let offset = isHyphenated ? 2 : 1
        guard let part = lower(offset), let base = NumberWords.denominators[part], count < base else { return nil }
        let isOf = lower(offset + 1) == "of" && !Self.isTime(lower(offset + 2))
        let isPeriod = base == 4 || base == 2
        // "one quarter of many": three months.
        if isPeriod, ["many", "several"].contains(lower(offset + 2)) { return nil }
        // "cut by a third within a year", but not "by a third party"
        let follows = lower(offset + 1)
        let endsThere = follows.map { $0.first?.isLetter != true || Self.afterFraction.contains($0) } ?? true
        let isBy = lower(-1) == "by" && endsThere
        // "a third more", "a quarter cheaper"
        let isCompared = follows.map(Self.comparatives.contains) == true
        guard isHyphenated || isOf || isBy || isCompared || word != "a" && !isPeriod else { return nil }
        guard !isHyphenated || lower(offset + 1) != "-" else { return nil }
        value = count / base
        end = place + offset + 1
    }

    private static let comparatives: Set<String> = [
        "more", "less", "fewer", "higher", "lower", "larger", "smaller", "bigger", "faster", "slower", "cheaper",
        "dearer", "again", "above", "below",
    ]

    private static let afterFraction: Set<String> = [
        "within", "in", "to", "since", "from", "over", "on", "and", "compared", "this", "last", "while", "after",
    ]

    private static func isHalf(next: String?, after: String?, before: String?) -> Bool {
        if let before,
            ["first", "second", "other", "latter", "former", "next", "last", "and", "a", "better"].contains(before)
        {
            return false
        }
        if next == "a", let after, NumberWords.scales[after] != nil { return false }
        if next == "-" || next == "year" || next == "years" { return false }
        if next == "again", after == "as" { return true }
        if let next, ["of", "the", "its", "their", "as", "what", "that", "all"].contains(next) {
            return !isTime(next == "of" || next == "the" ? after : nil)
        }
        return before.map {
            ["by", "in", "about", "nearly", "almost", "roughly", "than", "over", "around"].contains($0)
        } ?? false
    }

    private static func isTime(_ word: String?) -> Bool {
        guard let word else { return false }
        return word.allSatisfy(\.isNumber) || ["year", "fiscal", "decade", "day", "month"].contains(word)
    }
}

/// A part of a unit in words: `a quarter of a percentage point`, `half a percent`, `three quarters of a million`.
struct WordPart {
    let value: Double
    /// The index of the unit.
    let unit: Int
    /// Whether the unit is a point of a rate, which is one of percent.
    let isPoint: Bool

    init?(tokens: [FigureToken], at place: Int) {
        func lower(_ offset: Int) -> String? {
            tokens.indices.contains(place + offset) ? tokens[place + offset].lower : nil
        }
        var offset: Int
        switch lower(0) {
        case "quarter-point":
            (value, unit, isPoint) = (0.25, place, true)
            return
        case "half":
            value = 0.5
            offset = 1
        default:
            guard let count = lower(0) == "a" || lower(0) == "one" ? 1 : lower(0).flatMap({ NumberWords.small[$0] })
            else { return nil }
            offset = lower(1) == "-" ? 2 : 1
            guard let base = lower(offset).flatMap({ NumberWords.denominators[$0] }), count < base else { return nil }
            value = count / base
            offset += 1
        }
        if let link = lower(offset), ["of", "de", "-"].contains(link) { offset += 1 }
        // "a quarter point", "half a point", "un cuarto de punto"
        let article = lower(offset).map { ["a", "an", "one"].contains($0) } == true
        let next = lower(offset + (article ? 1 : 0))
        if next == "point" {
            (unit, isPoint) = (place + offset + (article ? 1 : 0), true)
            return
        }
        guard let next, article || next == "percentage",
            ["percentage", "percent"].contains(next) || NumberWords.scales[next] != nil || Currencies.words[next] != nil
        else { return nil }
        (unit, isPoint) = (place + offset + (article ? 1 : 0), false)
    }
}

/// The teacher's way to state a ratio: `27 cents of every dollar of sales`, `$27 of each $100`.
struct PerDollar {
    /// 1 for "each dollar", 100 for "every $100".
    private let base: Double?

    init(sentence: String, _ language: Language) {
        let tokens = FigureTokenizer.tokens(of: NormalizedText(sentence), in: language)
        base =
            tokens.indices.lazy.compactMap { place -> Double? in
                guard ["each", "every", "per"].contains(tokens[place].lower), place + 1 < tokens.count else {
                    return nil
                }
                if ["dollar", "dollars"].contains(tokens[place + 1].lower) { return 1 }
                guard tokens[place + 1].text == "$", place + 2 < tokens.count else { return nil }
                return tokens[place + 2].numeral.flatMap { [1, 10, 100, 1000].contains($0.value) ? $0.value : nil }
            }.first
    }

    /// Whether the figure is the whole of which others are parts.
    func isBase(_ figure: TextFigure) -> Bool {
        guard let base, case .money? = figure.readings.first?.kind else { return false }
        return figure.readings[0].value == base && base >= 1
    }

    /// Lets an amount of money also state the ratio that it is of the whole.
    func complete(_ figure: TextFigure) -> TextFigure {
        guard let base, case .money? = figure.readings.first?.kind, figure.scale == 1 else { return figure }
        var figure = figure
        let reading = figure.readings[0]
        figure.readings.append(
            .init(kind: .percent, value: reading.value / base * 100, step: reading.step / base * 100))
        figure.readings.append(.init(kind: .times, value: reading.value / base, step: reading.step / base))
        return figure
    }
}
