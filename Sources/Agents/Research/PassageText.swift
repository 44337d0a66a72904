import Basics

/// A passage as it is compared.
enum PassageText {
    /// One kind of quotation marks and dashes, single spaces, small letters, nothing invisible.
    static func folded(_ text: String) -> String {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        var isSpace = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9", ".", ",": folded.append(UInt8(truncatingIfNeeded: scalar.value))
            case "A"..."Z": folded.append(UInt8(truncatingIfNeeded: scalar.value) | 0x20)
            case " ", "\t"..."\r":
                if !isSpace { folded.append(0x20) }
                isSpace = true
                continue
            case "“", "”", "„", "\"": folded.append(UInt8(ascii: "\""))
            case "‘", "’", "'", "`": folded.append(UInt8(ascii: "'"))
            case "–", "—", "‐", "‑", "-": folded.append(UInt8(ascii: "-"))
            // What else ASCII has is written as it is.
            case _ where scalar.isASCII: folded.append(UInt8(truncatingIfNeeded: scalar.value))
            case _ where scalar.properties.isDefaultIgnorableCodePoint: continue
            case _ where scalar.properties.isWhitespace:
                if !isSpace { folded.append(0x20) }
                isSpace = true
                continue
            default: folded.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            }
            isSpace = false
        }
        if folded.last == 0x20 { folded.removeLast() }
        return String(decoding: folded, as: UTF8.self)
    }

    /// A place of a folded passage.
    struct Place {
        var text: String
        var range: Range<String.Index>

        /// The words of its sentence before it.
        private var sentenceBefore: Substring {
            text[..<range.lowerBound].split(omittingEmptySubsequences: false) { ".!?;".contains($0) }.last ?? ""
        }

        /// The three words of its sentence before it, which can turn it round: "has not ...".
        var wordsBefore: [String] { PassageText.inOrder(sentenceBefore).suffix(3) }

        /// The sentences that have it, from the first to the last of its words. A point between digits ends none.
        var sentences: Substring {
            let before = text[..<range.lowerBound].ranges(of: ". ").last?.upperBound ?? text.startIndex
            // A quote may have the point at its end.
            let end = text[..<range.upperBound].hasSuffix(".") ? range.upperBound : nil
            let after = end ?? text[range.upperBound...].firstRange(of: ". ")?.lowerBound ?? text.endIndex
            return text[before..<after]
        }

        /// The words of its clause before it: "may not in any case be able to ...". What is set between commas belongs to the
        /// clause.
        var clauseBefore: [String] {
            var clause: [String] = []
            for part in sentenceBefore.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                var words = PassageText.inOrder(part)
                let border = words.lastIndex(where: Self.borders.contains)
                if let border { words = Array(words[(border + 1)...]) }
                // "and we": another subject.
                let isOwn = words.last == "and" && Self.subjects.contains { text[range].hasPrefix($0 + " ") }
                clause = isOwn ? clause : words + clause
                guard border == nil, !isOwn, words.isEmpty || Self.continuations.contains(words[0]) else { break }
            }
            return clause
        }

        private static let borders: Set<String> = ["but", "while", "whereas", "although", "though", "because"]
        private static let subjects = ["we", "it", "they", "our"]
        private static let continuations: Set<String> = ["be", "been", "have", "able", "to"]
    }

    /// The first of some passages that has a quote, and where.
    static func home(of quote: String, among passages: [GivenPassage]) -> (passage: GivenPassage, place: Place)? {
        passages.lazy.compactMap { passage in place(of: quote, in: passage.text).map { (passage, $0) } }.first
    }

    /// Where a quote stands in a passage, both folded, with whole words at its ends.
    static func place(of quote: String, in passage: String) -> Place? {
        let (quote, text) = (folded(quote), folded(passage))
        guard let first = quote.first, let last = quote.last, text.containsBytes(of: quote) else { return nil }
        func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
        return text.ranges(of: quote).first { range in
            let begins =
                range.lowerBound == text.startIndex || !isWord(first)
                || !isWord(text[text.index(before: range.lowerBound)])
            return begins && (range.upperBound == text.endIndex || !isWord(last) || !isWord(text[range.upperBound]))
        }.map { Place(text: text, range: $0) }
    }

    static func words(_ text: String) -> Set<String> { Set(inOrder(folded(text)[...])) }

    /// The words of a folded text.
    private static func inOrder(_ text: Substring) -> [String] {
        text.split { !$0.isLetter && $0 != "'" }.map(String.init)
    }

    /// A short line without an end.
    static func isHeading(_ text: String) -> Bool {
        let words = text.split(separator: " ").count
        return words <= 14 && !".!?;:”\"".contains(text.last ?? " ")
    }
}
