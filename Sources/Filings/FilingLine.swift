/// A line of a filing as a reader sees it: a block of text, or a row of a table.
struct FilingLine: Sendable, Equatable {
    var text: String
    /// Whether every letter is bold.
    var isBold = false
    /// The size of its largest letters in points.
    var size = 10.0
    /// The printed number of its page; 0 where no number is known.
    var page = 0
    /// Whether the line is a row of a table.
    var isRow = false
    /// Whether a page ends after the line before this one.
    var beginsPage = false
    /// Whether the line links to another place of the document, as a row of a table of contents does.
    var isLink = false
}

extension FilingLine {
    /// Most characters of a line that can be a heading.
    static let longestHeading = 240

    /// The words of a text as they are compared: small letters, one kind of quotation mark, single spaces.
    static func folded(_ text: String) -> String {
        var folded = ""
        folded.reserveCapacity(text.utf8.count)
        var isSpace = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "’", "‘", "'", "`": continue
            case "–", "—", "‐", "‑":
                folded.append("-")
                isSpace = false
            case _ where scalar.properties.isWhitespace:
                if !isSpace { folded.append(" ") }
                isSpace = true
            default:
                folded.unicodeScalars.append(scalar)
                isSpace = false
            }
        }
        if folded.hasSuffix(" ") { folded.removeLast() }
        return folded.lowercased()
    }

    /// The number of words with at least two Latin letters.
    static func words(_ text: some StringProtocol) -> Int {
        var words = 0
        var length = 0
        for byte in text.utf8 {
            if (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) {
                length += 1
                if length == 2 { words += 1 }
            } else {
                length = 0
            }
        }
        return words
    }
}
