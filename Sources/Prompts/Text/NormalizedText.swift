/// Prose as the checks read it: characters that only differ in looks become the same, so that no rule misses a text
/// because of a no-break space, an invisible character or a full-width digit.
struct NormalizedText {
    let scalars: [Unicode.Scalar]

    init(_ text: String) {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard let plain = Self.plain(scalar) else { continue }
            if let last = scalars.last, let composed = Accents.composed(last, plain) {
                scalars[scalars.count - 1] = composed
            } else {
                scalars.append(plain)
            }
        }
        self.scalars = scalars
    }

    /// For each scalar of the normalised form of a text, the UTF-16 units of the text that it is made of.
    static func places(in text: String) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var (last, offset): (Unicode.Scalar?, Int) = (nil, 0)
        for scalar in text.unicodeScalars {
            let range = offset..<offset + UTF16.width(scalar)
            offset = range.upperBound
            guard let plain = plain(scalar) else { continue }
            if let before = last, let composed = Accents.composed(before, plain) {
                places[places.count - 1] = places[places.count - 1].lowerBound..<range.upperBound
                last = composed
            } else {
                places.append(range)
                last = plain
            }
        }
        return places
    }

    /// Whether the bytes of a text show that it is `spaced` as it is: ASCII without emphasis, tabs and double spaces. Most
    /// texts are, and to compare them byte by byte takes as long as a search.
    static func isSpaced(_ text: String) -> Bool {
        var last: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "`"): return false
            case UInt8(ascii: " ") where last == byte: return false
            case 0x20..<0x7F, UInt8(ascii: "\n"): last = byte
            default: return false
            }
        }
        return true
    }

    /// The text with every run of white space within a line as one space.
    var spaced: String {
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            let isGap = scalar.isSpace && !scalar.isLineBreak
            if isGap, text.last == " " { continue }
            text.append(isGap ? " " : scalar)
        }
        return String(text)
    }

    func string(_ range: Range<Int>) -> String { String(scalars[range]) }

    /// `nil` for an invisible character and for marks of emphasis (`**416** billion`).
    static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return scalar == "*" || scalar == "`" ? nil : scalar }
        switch scalar {
        case "\u{AD}", "\u{200B}"..."\u{200D}", "\u{2060}", "\u{FEFF}": return nil
        // Marks that set the direction of writing.
        case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": return nil
        case "\u{2010}", "\u{2011}", "\u{2212}", "\u{FE63}", "\u{FF0D}": return "-"
        case "\u{2012}"..."\u{2015}": return "–"
        case "\u{2018}", "\u{2019}", "\u{201B}", "\u{2032}": return "'"
        case "\u{FF04}", "\u{FE69}": return "$"
        case "\u{FF05}", "\u{FE6A}", "\u{66A}": return "%"
        case "\u{FF0C}", "\u{60C}", "\u{66C}": return ","
        case "\u{FF0E}", "\u{66B}": return "."
        case "\u{2715}", "\u{2716}": return "×"
        default: break
        }
        if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
        }
        return scalar
    }
}

/// The accented letters of Western European languages, which texts also write as a letter and a combining mark.
enum Accents {
    /// By the combining mark: letters without the accent, and with it in the same order.
    private static let letters: [Unicode.Scalar: (bare: String, accented: String)] = [
        "\u{300}": ("AEIOUaeiou", "ÀÈÌÒÙàèìòù"), "\u{301}": ("AEIOUYaeiouy", "ÁÉÍÓÚÝáéíóúý"),
        "\u{302}": ("AEIOUaeiou", "ÂÊÎÔÛâêîôû"), "\u{303}": ("ANOano", "ÃÑÕãñõ"),
        "\u{308}": ("AEIOUaeiouy", "ÄËÏÖÜäëïöüÿ"), "\u{327}": ("Cc", "Çç"),
    ]

    private static let table: [Unicode.Scalar: [Unicode.Scalar: Unicode.Scalar]] = letters.mapValues { pair in
        Dictionary(uniqueKeysWithValues: zip(pair.bare.unicodeScalars, pair.accented.unicodeScalars))
    }

    /// The letter that a letter and a combining mark behind it make.
    static func composed(_ letter: Unicode.Scalar, _ mark: Unicode.Scalar) -> Unicode.Scalar? {
        guard (0x300...0x327).contains(mark.value) else { return nil }
        return table[mark]?[letter]
    }
}

extension String {
    /// The text of scalars.
    init(_ scalars: ArraySlice<Unicode.Scalar>) {
        // Appending to a view of scalars takes several times as long.
        let length = scalars.reduce(0) { $0 + UTF8.width($1) }
        self.init(unsafeUninitializedCapacity: length) { bytes in
            var count = 0
            for scalar in scalars {
                UTF8.encode(scalar)?.forEach { byte in
                    bytes[count] = byte
                    count += 1
                }
            }
            return count
        }
    }
}

extension Character {
    // As for scalars, most are ASCII.
    /// A letter.
    var isWordLetter: Bool { asciiValue.map { Unicode.Scalar($0).isLetter } ?? isLetter }
    /// A letter or a number.
    var isWordPart: Bool {
        guard let byte = asciiValue else { return isLetter || isNumber }
        return Unicode.Scalar(byte).isLetter || Unicode.Scalar(byte).isDigit
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }

    // The properties of a scalar are looked up in a table; most scalars are ASCII.
    var isLetter: Bool {
        isASCII ? ("a"..."z").contains(self) || ("A"..."Z").contains(self) : properties.isAlphabetic
    }

    var isSpace: Bool { isASCII ? self == " " || (0x9...0xD).contains(value) : properties.isWhitespace }

    var isUppercase: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }
    var isLineBreak: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }
}

/// A text in which quotations are looked up.
///
/// Characters that only look different count as the same: typographic and plain quotation marks, dashes, invisible
/// characters, and any run of white space. Letters, their case, digits and all other marks must agree.
package struct SourceText: Sendable {
    private let source: [Unicode.Scalar]
    /// The source with white space as single spaces, and for each scalar its place in the source.
    private let scalars: [Unicode.Scalar]
    private let places: [Int]

    package init(_ text: String) {
        source = Array(text.unicodeScalars)
        (scalars, places) = Self.normal(source)
    }

    /// A passage as the source writes it; `nil` when it does not hold the quotation, whole words at both ends.
    ///
    /// Quotation marks and an ellipsis around the quotation are not part of it.
    package func passage(_ quote: String) -> String? {
        let wanted = Self.bare(Self.normal(Array(quote.unicodeScalars)).scalars)
        guard let first = wanted.first, let last = wanted.last, scalars.count >= wanted.count else { return nil }
        for start in 0...(scalars.count - wanted.count) where scalars[start] == first {
            let end = start + wanted.count
            guard scalars[end - 1] == last, scalars[start..<end].elementsEqual(wanted),
                isEdge(start - 1, first), isEdge(end, last)
            else { continue }
            return String(source[places[start]...places[end - 1]])
        }
        return nil
    }

    /// Whether a neighbour does not continue the word.
    private func isEdge(_ neighbour: Int, _ scalar: Unicode.Scalar) -> Bool {
        guard scalars.indices.contains(neighbour) else { return true }
        return !(Self.isWord(scalars[neighbour]) && Self.isWord(scalar))
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool { scalar.isLetter || scalar.isDigit }

    private static func normal(_ source: [Unicode.Scalar]) -> (scalars: [Unicode.Scalar], places: [Int]) {
        var scalars: [Unicode.Scalar] = []
        var places: [Int] = []
        for (place, scalar) in source.enumerated() {
            guard let plain = NormalizedText.plain(scalar) else { continue }
            if plain.isSpace {
                if scalars.last == " " || scalars.isEmpty { continue }
                scalars.append(" ")
            } else {
                scalars.append(
                    ["\u{201C}", "\u{201D}", "\u{201E}"].contains(plain) ? "\"" : plain == "–" ? "-" : plain)
            }
            places.append(place)
        }
        return (scalars, places)
    }

    private static func bare(_ scalars: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
        let around: Set<Unicode.Scalar> = [" ", "\"", "'", "«", "»", "…"]
        var rest = scalars[...]
        while let first = rest.first, around.contains(first) { rest.removeFirst() }
        while let last = rest.last, around.contains(last) { rest.removeLast() }
        return rest
    }
}
