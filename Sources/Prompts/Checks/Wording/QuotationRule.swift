internal import Basics

/// Words in quotation marks are somebody's words: they occur in the sources.
///
/// One or two words in quotation marks are taken for a term, unless the sentence says who spoke.
enum QuotationRule {
    private static let fewestWords = 3

    /// The first quotation that no source holds; `nil` when there is none.
    static func strayQuotation(in text: String, sources: [String]) -> String? {
        lazy var held = sources.map { SourceText($0.lowercased()) }
        for sentence in text.split(whereSeparator: \.isNewline).map(String.init) {
            let quotations = quotations(in: sentence)
            guard !quotations.isEmpty else { continue }
            let speaks = !Set(WordedText.words(of: sentence)).isDisjoint(with: speech)
            for quotation in quotations {
                let count = WordedText.words(of: quotation).count
                guard count >= fewestWords || count > 0 && speaks else { continue }
                if !isHeld(quotation.lowercased(), by: held) { return quotation }
            }
        }
        return nil
    }

    private static let speech: Set<String> = [
        "said", "says", "say", "told", "tells", "added", "adds", "call", "called", "calls", "wrote", "writes", "warned",
        "warns",
        "described", "describes", "according", "quoted", "stated", "states", "argued", "argues", "insisted", "words",
    ]

    /// An ellipsis stands for words that were left out, and brackets for words that were put in.
    private static func isHeld(_ quotation: String, by sources: [SourceText]) -> Bool {
        var plain = ""
        var depth = 0
        for character in quotation.replacing("...", with: "…") {
            if character == "[" { depth += 1 }
            if depth == 0 { plain.append(character) }
            if character == "]" {
                depth -= 1
                plain.append("…")
            }
        }
        let pieces = plain.split(separator: "…").map { bare($0) }.filter { !$0.isEmpty }
        return pieces.allSatisfy { piece in sources.contains { $0.passage(piece) != nil } }
    }

    /// Without the space and the marks around it, which may belong to the sentence that quotes.
    private static func bare(_ text: Substring) -> String {
        let marks: Set<Character> = [" ", ",", ".", ";", ":", "!", "?", "\"", "'", "‘", "’", "“", "”", "–", "-"]
        var rest = text
        while let first = rest.first, marks.contains(first) { rest.removeFirst() }
        while let last = rest.last, marks.contains(last) { rest.removeLast() }
        return String(rest)
    }

    /// The texts between marks: double ones of any form, guillemets, and single typographic ones.
    private static func quotations(in text: String) -> [String] {
        let closing: [Unicode.Scalar: Set<Unicode.Scalar>] = [
            "\"": ["\""], "“": ["”", "“", "\""], "„": ["“", "”", "\""], "«": ["»"], "»": ["«"], "‘": ["’"],
        ]
        let scalars = Array(text.unicodeScalars)
        var found: [String] = []
        var place = 0
        while place < scalars.count {
            guard let ends = closing[scalars[place]] else {
                place += 1
                continue
            }
            let end = scalars[(place + 1)...].indices.first { end in
                ends.contains(scalars[end])
                    // An apostrophe inside a word closes nothing.
                    && !(scalars[end] == "’" && end + 1 < scalars.count && scalars[end + 1].isLetter)
            }
            guard let end else { break }
            found.append(String(scalars[(place + 1)..<end]))
            place = end + 1
        }
        return found
    }
}
