internal import Basics

/// A number, a word or a sign of a text in which figures are looked for.
struct FigureToken {
    enum Kind {
        case number(Numeral)
        case word
        case symbol
    }

    /// A number written in digits.
    struct Numeral {
        var value: Double
        /// Digits after the decimal point.
        var decimals: Int
        /// Zeros at the end of a whole number, which may or may not be significant.
        var trailingZeros: Int
        /// Digits without leading zeros.
        var digits: Int
        var isGrouped: Bool
        /// `½`
        var isVulgarFraction = false
        /// `416.200 millones`, where the language has no common word for a billion.
        var isRounded = false

        var isWhole: Bool { decimals == 0 && !isVulgarFraction }
        /// Four digits that could be a year.
        var isYear: Bool { isWhole && !isGrouped && digits == 4 && (1800...2199).contains(value) }
    }

    var kind: Kind
    var text: String
    var lower: String
    var range: Range<Int>
    /// Whether it follows the token before without a space.
    var isGlued: Bool
    var startsLine: Bool

    var numeral: Numeral? {
        if case .number(let numeral) = kind { numeral } else { nil }
    }

    var isWord: Bool {
        if case .word = kind { true } else { false }
    }

    /// Whether this is a word with a capital.
    var isName: Bool { isWord && text.unicodeScalars.first?.isUppercase == true }
}

/// Takes a text apart into numbers, words and signs.
///
/// A word may have digits in it when it starts with a letter (`FY2025`, `Q3`, `H100`): those name things and are no
/// figures, unless a percent sign or decimals follow (`EPS6.08`).
struct FigureTokenizer {
    private let scalars: [Unicode.Scalar]
    /// The language of the text, by which numbers have a decimal point or a decimal comma.
    private let language: Language
    private var place = 0
    private var tokens: [FigureToken] = []

    /// The tokens of a text; its words in their English forms.
    static func tokens(of text: NormalizedText, in language: Language) -> [FigureToken] {
        var tokenizer = FigureTokenizer(scalars: text.scalars, language: language)
        return FigureTranslation.translate(tokenizer.tokenize(), from: language)
    }

    private init(scalars: [Unicode.Scalar], language: Language) {
        self.scalars = scalars
        self.language = language
    }

    private mutating func tokenize() -> [FigureToken] {
        while place < scalars.count {
            let scalar = scalars[place]
            if scalar.isSpace {
                place += 1
            } else if scalar.isDigit || startsDecimals {
                takeNumber()
            } else if let value = vulgarFraction(at: place) {
                let numeral = FigureToken.Numeral(
                    value: value, decimals: 2, trailingZeros: 0, digits: 2, isGrouped: false, isVulgarFraction: true)
                take(1, as: .number(numeral))
            } else if scalar.isLetter {
                takeWord()
            } else {
                take(1, as: .symbol)
            }
        }
        return tokens
    }

    private mutating func take(_ count: Int, as kind: FigureToken.Kind) {
        let range = place..<place + count
        let text = String(scalars[range])
        var before = place
        while before > 0, scalars[before - 1].isSpace, !scalars[before - 1].isLineBreak { before -= 1 }
        let token = FigureToken(
            kind: kind, text: text, lower: text.lowercased(), range: range,
            isGlued: place > 0 && !scalars[place - 1].isSpace,
            startsLine: before == 0 || scalars[before - 1].isLineBreak)
        tokens.append(token)
        place += count
    }

    // MARK: Words

    private mutating func takeWord() {
        var end = place
        while end < scalars.count, isWordPart(end) { end += 1 }
        let lettersEnd = end
        guard end < scalars.count, scalars[end].isDigit else { return take(end - place, as: .word) }
        if Currencies.codes.contains(string(place..<end)) { return take(end - place, as: .word) }
        while end < scalars.count, scalars[end].isLetter || scalars[end].isDigit { end += 1 }
        let isFigure =
            peek(end) == "%" || (peek(end) == "." || peek(end) == ",") && peek(end + 1)?.isDigit == true
        take((isFigure ? lettersEnd : end) - place, as: .word)
    }

    private func isWordPart(_ place: Int) -> Bool {
        if scalars[place].isLetter || scalars[place] == "_" { return true }
        return scalars[place] == "'" && peek(place + 1)?.isLetter == true
    }

    // MARK: Numbers

    private var startsDecimals: Bool {
        scalars[place] == "." && peek(place + 1)?.isDigit == true
            && (place == 0 || !(scalars[place - 1].isLetter || scalars[place - 1].isDigit))
    }

    private mutating func takeNumber() {
        var end = place
        var digits = ""
        var isGrouped = false
        takeDigits(&end, into: &digits)
        let isShort = (1...3).contains(digits.count)
        while isShort, let next = endOfGroup(after: end) {
            digits += string(next - 3..<next)
            end = next
            isGrouped = true
        }
        var decimals = ""
        if let mark = peek(end), isDecimalMark(mark, at: end, isGrouped: isGrouped), peek(end + 1)?.isDigit == true {
            end += 1
            takeDigits(&end, into: &decimals)
            if takeFurtherDots(&end) {
                return takeDotted(end, parts: string(place..<end))
            }
        }
        let exponent = takeExponent(&end)
        var value =
            Double("\(digits.isEmpty ? "0" : digits).\(decimals.isEmpty ? "0" : decimals)e\(exponent)") ?? .infinity
        var precision = decimals.count - exponent
        if let fraction = vulgarFraction(at: end), decimals.isEmpty {
            value += fraction
            precision = 1
            end += 1
        }
        let significant = digits.drop { $0 == "0" }
        let numeral = FigureToken.Numeral(
            value: value, decimals: precision,
            trailingZeros: decimals.isEmpty ? significant.reversed().prefix { $0 == "0" }.count : 0,
            digits: significant.count, isGrouped: isGrouped)
        take(end - place, as: .number(numeral))
    }

    private func takeDigits(_ end: inout Int, into text: inout String) {
        while let digit = peek(end), digit.isDigit {
            text.unicodeScalars.append(digit)
            end += 1
        }
    }

    /// `416,161`, `416 161` with a no-break or thin space, `416'161`: the end of a group of exactly three digits.
    private func endOfGroup(after place: Int) -> Int? {
        guard let mark = peek(place), Self.separators[language]?.contains(mark) == true else { return nil }
        guard (1...3).allSatisfy({ peek(place + $0)?.isDigit == true }), peek(place + 4)?.isDigit != true else {
            return nil
        }
        return place + 4
    }

    /// The marks between groups of three digits. Spanish uses commas in America and points in Europe; three digits
    /// behind a comma are a group there.
    private static let separators: [Language: Set<Unicode.Scalar>] = {
        let common: Set<Unicode.Scalar> = ["'", "\u{A0}", "\u{202F}", "\u{2009}", "\u{2007}"]
        return [
            .english: common.union([","]), .german: common.union(["."]), .french: common.union([".", " "]),
            .spanish: common.union([".", ",", " "]),
        ]
    }()

    private func isDecimalMark(_ mark: Unicode.Scalar, at place: Int, isGrouped: Bool) -> Bool {
        guard language != .english else { return mark == "." || mark == "," && !isGrouped && isDecimalComma(at: place) }
        return mark == "." && !isGrouped || mark == "," && isDecimalComma(at: place, longest: 4)
    }

    /// `3,5` is a decimal number, `3,5,7` and `2023,2024` are lists.
    private func isDecimalComma(at place: Int, longest: Int = 2) -> Bool {
        var end = place + 1
        while peek(end)?.isDigit == true { end += 1 }
        if end - place > 4, isYear(before: place) { return false }
        return end - place <= longest + 1 && peek(end) != "," && (place < 2 || peek(place - 2) != ",")
    }

    /// Whether four digits stand before a place, as in a list of years.
    private func isYear(before place: Int) -> Bool { place >= 4 && (1...4).allSatisfy { scalars[place - $0].isDigit } }

    private func takeFurtherDots(_ end: inout Int) -> Bool {
        var found = false
        while peek(end) == ".", peek(end + 1)?.isDigit == true {
            found = true
            end += 1
            while peek(end)?.isDigit == true { end += 1 }
        }
        return found
    }

    /// Several full stops: groups of thousands (`1.234.567`), else a date or a version.
    private mutating func takeDotted(_ end: Int, parts text: String) {
        let parts = text.split(separator: ".")
        guard parts.dropFirst().allSatisfy({ $0.count == 3 }), let value = Double(parts.joined()) else {
            return take(end - place, as: .word)
        }
        let numeral = FigureToken.Numeral(
            value: value, decimals: 0, trailingZeros: 0, digits: parts.joined().count, isGrouped: true)
        take(end - place, as: .number(numeral))
    }

    private func takeExponent(_ end: inout Int) -> Int {
        guard peek(end) == "e" || peek(end) == "E" else { return 0 }
        var next = end + 1
        if peek(next) == "-" || peek(next) == "+" { next += 1 }
        let first = next
        while peek(next)?.isDigit == true { next += 1 }
        guard next > first, peek(next)?.isLetter != true, let exponent = Int(string(end + 1..<next)) else { return 0 }
        guard abs(exponent) < 100 else { return 0 }
        end = next
        return exponent
    }

    private func vulgarFraction(at place: Int) -> Double? {
        guard let scalar = peek(place), scalar.value > 0x7F, scalar.properties.numericType == .numeric,
            let value = scalar.properties.numericValue, value > 0, value < 1
        else { return nil }
        return value
    }

    private func peek(_ place: Int) -> Unicode.Scalar? { scalars.indices.contains(place) ? scalars[place] : nil }

    private func string(_ range: Range<Int>) -> String { String(scalars[range]) }
}
