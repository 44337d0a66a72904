internal import Basics

/// Texts of feeds and metadata, which may hold markup or not.
package enum HTMLText {
    /// The text of a piece of HTML: tags taken out, references decoded, blocks apart from each other.
    package static func plain(_ html: String) -> String {
        let html = html.sanitized
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            return html.split(omittingEmptySubsequences: false) { $0 == "\n" }.map { String($0).collapsed }
                .joined(separator: "\n").trimmed
        }
        // Without an element around it, the parser would take a leading text for white space of the head.
        let page = HTMLReader.read(Array("<div>".utf8) + Array(html.utf8) + Array("</div>".utf8))
        return TextRenderer.text(of: [HTMLTree.root], in: page.tree)
    }

    /// The text of a piece of HTML in one line, as titles are.
    package static func line(_ html: String) -> String { plain(html).collapsed }
}

/// Copies text, folds every run of white space into one space, and counts the characters.
enum TextCollapser {
    struct Counts {
        var length: Int32 = 0
        var commas: Int32 = 0
        var isBlank = true
    }

    /// - `lastIsSpace`: whether white space came before; then no more of it is copied.
    /// - `isPreformatted`: keeps white space as it is.
    static func append(
        _ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], lastIsSpace: inout Bool, isPreformatted: Bool
    ) -> Counts {
        var counts = Counts()
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            var isSpace = byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
            if byte == 0xC2, index < text.count {
                // A no-break space, and the places 0x80 to 0x9F, which pages of Windows writers use for quotes.
                if text[index] == 0xA0 {
                    isSpace = true
                    index += 1
                } else if text[index] < 0xA0 {
                    bytes += Windows1252.utf8(of: text[index])
                    index += 1
                    counts.length += 1
                    (lastIsSpace, counts.isBlank) = (false, false)
                    continue
                }
            }
            if isSpace {
                if isPreformatted {
                    bytes.append(byte == 0xC2 ? 0x20 : byte)
                    counts.length += 1
                } else if !lastIsSpace {
                    bytes.append(0x20)
                    counts.length += 1
                }
                lastIsSpace = true
                continue
            }
            lastIsSpace = false
            counts.isBlank = false
            bytes.append(byte)
            if byte & 0xC0 != 0x80 { counts.length += 1 }
            if byte == 0x2C {
                counts.commas += 1
            } else if byte >= 0x80, isComma(text, endingAt: index) {
                counts.commas += 1
            }
        }
        return counts
    }

    /// The Arabic and the full-width comma.
    private static func isComma(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        switch text[end - 1] {
        case 0x8C:
            (end >= 2 && text[end - 2] == 0xD8) || (end >= 3 && text[end - 2] == 0xBC && text[end - 3] == 0xEF)
        default: false
        }
    }
}

/// Windows-1252 from 0x80 to 0x9F, where ISO 8859-1 has control characters.
enum Windows1252 {
    private static let scalars: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]

    /// The character of a byte from 0x80 to 0x9F.
    static func scalar(of byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? Unicode.Scalar(scalars[Int(byte) - 0x80]) ?? "\u{FFFD}" : Unicode.Scalar(byte)
    }

    static func utf8(of byte: UInt8) -> [UInt8] { Array(String(scalar(of: byte)).utf8) }
}

internal import CXML2

/// Character references as HTML has them.
enum HTMLEntities {
    /// A reference is not longer than this.
    private static let longest = 32

    /// The text with HTML's character references resolved; other text is unchanged.
    static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let body = rest.dropFirst().prefix(longest).prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#")
            }
            if let scalar = scalar(of: body) {
                result.unicodeScalars.append(scalar)
                rest = rest[body.endIndex...]
                if rest.first == ";" { rest.removeFirst() }
            } else {
                result += "&"
                rest.removeFirst()
            }
        }
        return (result + rest).sanitized
    }

    /// The character of a reference without `&` and `;`: `amp`, `#39`, `#x27`.
    static func scalar(of body: Substring) -> Unicode.Scalar? {
        guard body.first == "#" else { return named(String(body)) }
        let digits = body.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        guard let value = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10), value > 0 else {
            return nil
        }
        if (0x80...0x9F).contains(value) { return Windows1252.scalar(of: UInt8(value)) }
        return Unicode.Scalar(value)
    }

    private static func named(_ name: String) -> Unicode.Scalar? {
        guard !name.isEmpty else { return nil }
        if name == "apos" { return "'" }
        return htmlEntityLookup(name).flatMap { Unicode.Scalar($0.pointee.value) }
    }
}
