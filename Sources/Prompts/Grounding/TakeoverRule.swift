internal import Basics

/// Finds what a model writes that obeys its material: another name for itself, words about its own rules, the words that
/// the material orders it to write.
///
/// A sentence on the article itself may tell of its orders, and one with a quotation may have somebody's "I am".
struct TakeoverRule: Sendable {
    /// What the material orders to be written: the words behind "write" or "reply with".
    private let ordered: [[String]]
    /// Names that the material gives to whoever reads it: "You are now …".
    private let names: Set<String>
    private let sources: [ParsedText]

    init(sources: [ParsedText]) {
        self.sources = sources
        ordered = sources.flatMap { OrderedWords.all(in: $0.words) }
        names = sources.reduce(into: []) { $0.formUnion(OrderedWords.names(in: $1.words)) }
    }

    /// What is wrong with a text, as the end of a sentence about it; `nil` when nothing is.
    func fault(in text: ParsedText, _ language: Language) -> String? {
        let material = WordLists.of(language).material
        let lists = SelfWords.of(language)
        for sentence in text.sentences {
            let words = text.words(of: sentence)
            let folded = words.map(\.folded).filter { $0 != "," }
            guard !folded.isEmpty, !hasQuotation(sentence, text) else { continue }
            if isShouted(words) { return Self.problem }
            guard material.isDisjoint(with: folded) else { continue }
            let isFound =
                lists.introduces(words, language) || lists.speaksOfRules(folded) || lists.reportsStatus(folded)
                || ordered.contains { Self.holds($0, folded) } || words.contains { names.contains($0.folded) }
            if isFound { return Self.problem }
        }
        return nil
    }

    private static let problem = "speaks of itself or says what the material orders; tell only the news"

    private static let marks: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "«", "»"]

    private func hasQuotation(_ sentence: ParsedText.Sentence, _ text: ParsedText) -> Bool {
        text.plain.scalars[sentence.range].contains(where: Self.marks.contains)
    }

    /// A sentence in capitals with a word that the material does not have: "HACKED."
    private func isShouted(_ words: [CalmWords.Word]) -> Bool {
        let letters = words.filter { $0.text.unicodeScalars.contains(where: \.isLetter) }
        guard letters.count == words.count else { return false }
        return letters.allSatisfy { $0.text.unicodeScalars.allSatisfy(\.isUppercase) }
            && letters.contains { word in
                word.text.utf8.count > 3
                    && !sources.contains { $0.words.contains { $0.folded.hasSameBytes(as: word.folded) } }
            }
    }

    /// Whether ordered words hold those of a sentence: next to each other, one or two at the end.
    private static func holds(_ ordered: [String], _ sentence: [String]) -> Bool {
        guard sentence.count <= ordered.count else { return false }
        if sentence.count < 3 { return Array(ordered.suffix(sentence.count)) == sentence }
        return sentence.occurs(in: ordered)
    }
}
