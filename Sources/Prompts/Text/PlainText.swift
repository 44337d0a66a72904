/// Prose as the checks read it: characters that only differ in looks are made the same, so that a rule cannot be
/// missed because of a no-break space, an invisible character or a full-width digit.
struct PlainText {
    let scalars: [Unicode.Scalar]

    init(_ text: String) {
        scalars = text.unicodeScalars.compactMap(Self.plain)
    }

    /// All of it, with every run of white space within a line as one space.
    var spaced: String {
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            let isGap = scalar.isSpace && !scalar.isLineBreak
            if isGap, text.last == " " { continue }
            text.append(isGap ? " " : scalar)
        }
        return String(text)
    }

    func string(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }

    /// `nil` for what is invisible or only marks emphasis (`**416** billion`).
    static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "*", "`", "\u{AD}", "\u{200B}"..."\u{200D}", "\u{2060}", "\u{FEFF}": return nil
        case "\u{2010}", "\u{2011}", "\u{2212}", "\u{FE63}", "\u{FF0D}": return "-"
        case "\u{2012}"..."\u{2015}": return "–"
        case "\u{2018}", "\u{2019}", "\u{201B}", "\u{2032}": return "'"
        case "\u{FF04}", "\u{FE69}": return "$"
        case "\u{FF05}", "\u{FE6A}", "\u{66A}": return "%"
        case "\u{FF0C}": return ","
        case "\u{FF0E}": return "."
        case "\u{2715}", "\u{2716}": return "×"
        default: break
        }
        if scalar.value > 0x7F, scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
        }
        return scalar
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }
    var isLetter: Bool { properties.isAlphabetic }
    var isSpace: Bool { properties.isWhitespace }
    var isLineBreak: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }
}
