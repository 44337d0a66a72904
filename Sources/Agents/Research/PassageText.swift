/// A passage as it is compared.
enum PassageText {
    /// One kind of quotation marks and dashes, single spaces, small letters, nothing invisible.
    static func folded(_ text: String) -> String {
        var folded = ""
        var isSpace = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "“", "”", "„", "\"": folded.append("\"")
            case "‘", "’", "'", "`": folded.append("'")
            case "–", "—", "‐", "‑", "-": folded.append("-")
            case _ where scalar.properties.isDefaultIgnorableCodePoint: continue
            case _ where scalar.properties.isWhitespace:
                if !isSpace { folded.append(" ") }
                isSpace = true
                continue
            default: folded.unicodeScalars.append(scalar)
            }
            isSpace = false
        }
        if folded.hasSuffix(" ") { folded.removeLast() }
        return folded.lowercased()
    }

    /// A place of a folded passage.
    struct Place {
        var text: String
        var range: Range<String.Index>

        /// The three words of its sentence before it, which can turn it round: "has not ...".
        var wordsBefore: Set<String> {
            let sentence =
                text[..<range.lowerBound].split(omittingEmptySubsequences: false) { ".!?;".contains($0) }.last ?? ""
            return Set(sentence.split { !$0.isLetter && $0 != "'" }.suffix(3).map(String.init))
        }
    }

    /// The first of some passages that has a quote, and where.
    static func home(of quote: String, among passages: [GivenPassage]) -> (passage: GivenPassage, place: Place)? {
        passages.lazy.compactMap { passage in place(of: quote, in: passage.text).map { (passage, $0) } }.first
    }

    /// Where a quote stands in a passage, both folded, with whole words at its ends.
    static func place(of quote: String, in passage: String) -> Place? {
        let (quote, text) = (folded(quote), folded(passage))
        guard let first = quote.first, let last = quote.last else { return nil }
        func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
        return text.ranges(of: quote).first { range in
            let begins =
                range.lowerBound == text.startIndex || !isWord(first)
                || !isWord(text[text.index(before: range.lowerBound)])
            return begins && (range.upperBound == text.endIndex || !isWord(last) || !isWord(text[range.upperBound]))
        }.map { Place(text: text, range: $0) }
    }

    static func words(_ text: String) -> Set<String> {
        Set(folded(text).split { !$0.isLetter && $0 != "'" }.map(String.init))
    }

    /// A short line without an end.
    static func isHeading(_ text: String) -> Bool {
        let words = text.split(separator: " ").count
        return words <= 14 && !".!?;:”\"".contains(text.last ?? " ")
    }
}
