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
        /// Zeros at the end of a whole number, which may be significant or not.
        var trailingZeros: Int
        /// Digits without leading zeros.
        var digits: Int
        var isGrouped: Bool
        /// `½`
        var isVulgarFraction = false

        var isWhole: Bool { decimals == 0 && !isVulgarFraction }
        /// Four digits that could be a year.
        var isYear: Bool { isWhole && !isGrouped && digits == 4 && (1800...2199).contains(value) }
    }

    var kind: Kind
    var text: String
    var lower: String
    var range: Range<Int>
    /// Nothing stands between it and the token before.
    var isGlued: Bool
    var startsLine: Bool

    var numeral: Numeral? {
        if case .number(let numeral) = kind { numeral } else { nil }
    }

    var isWord: Bool {
        if case .word = kind { true } else { false }
    }

    /// A word written large.
    var isName: Bool { isWord && text.unicodeScalars.first?.properties.isUppercase == true }
}
