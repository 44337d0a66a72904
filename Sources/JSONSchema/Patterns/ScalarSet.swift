/// A set of Unicode scalars, as a class such as `[A-Z\d]` names it.
struct ScalarSet: Sendable {
    enum Item: Sendable {
        case range(ClosedRange<UInt32>)
        /// `\d`: the ASCII digits.
        case digit(isNegated: Bool)
        /// `\w`: the ASCII letters, digits and `_`.
        case word(isNegated: Bool)
        /// `\s`: the white space and line breaks of ECMA-262.
        case space(isNegated: Bool)
        /// `\p{L}`: the short name of a general category or its first letter; empty for every scalar.
        case category(String, isNegated: Bool)
    }

    static let anyExceptLineBreaks = ScalarSet(
        [.range(0x0A...0x0A), .range(0x0D...0x0D), .range(0x2028...0x2029)], isNegated: true)

    private let items: [Item]
    private let isNegated: Bool
    /// Membership of the ASCII characters, one bit for each.
    private var ascii: (low: UInt64, high: UInt64) = (0, 0)

    init(_ items: [Item], isNegated: Bool = false) {
        self.items = items
        self.isNegated = isNegated
        for value in 0..<UInt32(64) {
            if containsByItems(value) { ascii.low |= 1 << UInt64(value) }
            if containsByItems(value + 64) { ascii.high |= 1 << UInt64(value) }
        }
    }

    func contains(_ value: UInt32) -> Bool {
        if value < 64 { return ascii.low >> UInt64(value) & 1 == 1 }
        if value < 128 { return ascii.high >> UInt64(value - 64) & 1 == 1 }
        return containsByItems(value)
    }

    private func containsByItems(_ value: UInt32) -> Bool { items.contains { $0.contains(value) } != isNegated }

    static func isWord(_ value: UInt32) -> Bool {
        switch value {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }

    /// The short name of a general category from its short or long name; empty for `Any`.
    static func category(named name: String) -> String? {
        if name == "Any" { return "" }
        if let short = longNames[name] { return short }
        return longNames.values.contains(name) ? name : nil
    }

    private static let longNames = [
        "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
        "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc",
        "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
        "Punctuation": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
        "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
        "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
        "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C",
        "Control": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
    ]
}

extension ScalarSet.Item {
    fileprivate func contains(_ value: UInt32) -> Bool {
        switch self {
        case .range(let range): range.contains(value)
        case .digit(let isNegated): (0x30...0x39 ~= value) != isNegated
        case .word(let isNegated): ScalarSet.isWord(value) != isNegated
        case .space(let isNegated): Self.isSpace(value) != isNegated
        case .category(let name, let isNegated):
            (Unicode.Scalar(value)?.properties.generalCategory.shortName ?? "Cs").hasPrefix(name) != isNegated
        }
    }

    private static func isSpace(_ value: UInt32) -> Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0xA0, 0x2028, 0x2029, 0xFEFF: true
        case 0..<0x80: false
        default: Unicode.Scalar(value)?.properties.generalCategory == .spaceSeparator
        }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var shortName: String {
        switch self {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
