package import Basics

/// Holds a claim against the sentence that it quotes, by meanings, dates, names and denials, so that the two may be in
/// different languages.
///
/// A quote shows which sentence a claim is about, so less has to agree here than for `ClaimRule`, which looks for it.
package struct QuotedClaim: Sendable {
    /// What a claim says otherwise than its quote.
    package enum Disagreement: Sendable, Hashable {
        /// It says that something rose where the quote says that it fell.
        case opposite
        /// It denies, and the quote denies nothing.
        case denial
        /// It names a month, a day or a quarter that its passages do not have.
        case date(String)
        /// It names somebody or something that neither its passages nor its company are called.
        case name(String)
        /// It speaks of nothing that its passages speak of.
        case otherMatter
    }

    private let quoted: GroundedText
    private let quotedWords: [String]
    private let passages: [GroundedText]
    private let dates: DateRule
    private let named: [ParsedText]

    /// Words with a capital by which anybody speaks of a filing.
    private static let wordsOfFilings = "Form 10-K 10-Q 20-F, Item, Part, Note, Risk Factors, United States"

    /// - Parameters:
    ///   - sentence: The sentences that have the quote.
    ///   - passages: The texts that the claim rests on.
    ///   - years: Years that it may name.
    ///   - names: Names that it may use beside those of the passages.
    package init(sentence: String, passages: [String], years: [String], names: [String]) {
        let text = ParsedText(sentence)
        let all = passages.map { ParsedText.cache.value($0, ParsedText.init) }
        quoted = text.grounded(.english)
        quotedWords = text.words.map(\.folded)
        self.passages = all.map { $0.grounded(.english) }
        dates = DateRule(material: all + years.map(ParsedText.init))
        named = all + (names + [Self.wordsOfFilings]).map { ParsedText.cache.value($0, ParsedText.init) }
    }

    /// The first thing that a claim says otherwise; `nil` when nothing is known to be.
    package func disagreement(with claim: String, _ language: Language) -> Disagreement? {
        let text = ParsedText(claim)
        let clauses = text.grounded(language).clauses
        let keys = clauses.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        if clauses.contains(where: { isOpposite($0, keys) }) { return .opposite }
        if !deniesAnything, clauses.contains(where: { $0.isNegated && !isDenied($0) }) { return .denial }
        if let date = dates.strayDate(in: text, language) { return .date(date) }
        if let name = NameRule(material: named, language: language).strayName(in: text) { return .name(name) }
        return language != .english && isOfOtherMatter(keys) ? .otherMatter : nil
    }

    // MARK: Opposites

    /// Meanings whose opposite in a quote is about the same thing. That a year ends and a contract begins is not.
    private static let directions: Set<String> = [
        "rise", "fall", "cheap", "dear", "strong", "weak", "fast", "slow", "accept", "reject", "block", "allow",
        "success", "fail", "include", "leaveout",
    ]
    private static let results: Set<String> = ["c:profit", "c:loss"]

    private func isOpposite(_ clause: GroundedText.Clause, _ all: Set<String>) -> Bool {
        let stated = quoted.clauses.reduce(into: Set<String>()) { $0.formUnion($1.stated) }
        let quotedKeys = quoted.sentenceKeys.reduce(into: Set<String>()) { $0.formUnion($1) }
        // A loss that falls is a profit that rises.
        let turns = all.contains("c:loss") != quotedKeys.contains("c:loss")
        return clause.stated.contains { key in
            let name = String(key.dropFirst(2))
            guard key.hasPrefix("c:"), let opposite = ConceptLexicon.concepts[name]?.opposite else { return false }
            let (same, other) = (ClaimRule.withKin(key), ClaimRule.withKin("c:" + opposite))
            let isComparable =
                Self.results.contains(key)
                ? clause.keys.contains { $0.hasPrefix("n:") && quotedKeys.contains($0) }
                : Self.directions.contains(name) && !turns
            return isComparable && !stated.isDisjoint(with: other) && quotedKeys.isDisjoint(with: same)
                && all.isDisjoint(with: other) && !isTold(clause, same)
        }
    }

    /// Whether a clause of the passages states the meaning of the same thing.
    private func isTold(_ clause: GroundedText.Clause, _ meanings: Set<String>) -> Bool {
        func things(_ clause: GroundedText.Clause) -> Set<String> {
            clause.words.filter { $0.isDisjoint(with: meanings) }.reduce(into: []) { $0.formUnion($1) }
        }
        let own = things(clause)
        return passages.contains { text in
            text.clauses.contains {
                !$0.stated.isDisjoint(with: meanings) && !things($0).isDisjoint(with: own)
            }
        }
    }

    // MARK: Denials

    /// Beginnings of English words that lack, end, limit or leave something as it is, which a denial can tell as well.
    private static let lacking = [
        "absen", "alone", "avoid", "below", "ceas", "constant", "declin", "decreas", "delay", "difficult",
        "discontinu", "eliminat", "end", "except", "exclu", "expir", "fail", "few", "flat", "free", "hard",
        "illiquid", "immaterial", "impair", "impossib", "inab", "inadequ", "ineligib", "insignific", "insuffic",
        "instead", "lack", "less", "limit", "little", "los", "lower", "minor", "minim", "negativ", "non", "only",
        "prevent", "prohibit", "rather", "reduc", "refus", "remain", "remov", "restrict", "same", "short", "sole",
        "stop", "suspend", "terminat", "until", "without", "zero",
    ]
    /// Words that begin with "un" and deny nothing.
    private static let undenying = ["under", "uni", "unless", "until", "unto"]

    private static func denies(_ words: some Sequence<String>) -> Bool {
        let negations = WordLists.of(.english).negations
        return words.contains { word in
            negations.contains(word) || lacking.contains(where: word.hasPrefix)
                || word.hasPrefix("un") && word.utf8.count > 4 && !undenying.contains(where: word.hasPrefix)
        }
    }

    private var deniesAnything: Bool { Self.denies(quotedWords) }

    /// Whether another clause of the passages that speaks of the same denies something.
    private func isDenied(_ clause: GroundedText.Clause) -> Bool {
        passages.contains { text in
            text.clauses.contains { known in
                !known.keys.isDisjoint(with: clause.keys)
                    && (known.isNegated || Self.denies(CalmWords.split(NormalizedText(known.text)).map(\.folded)))
            }
        }
    }

    // MARK: Matter

    private static let fewestMeanings = 3

    /// Whether a claim has several meanings that the table knows, and neither these nor its numbers, names and longer
    /// words are in its passages.
    private func isOfOtherMatter(_ keys: Set<String>) -> Bool {
        let known = passages.flatMap(\.sentenceKeys).reduce(into: Set<String>()) { $0.formUnion($1) }
        let meanings = keys.filter { $0.hasPrefix("c:") }
        return meanings.count >= Self.fewestMeanings && keys.isDisjoint(with: known)
            && ClaimRule.beginnings(of: keys).isDisjoint(with: ClaimRule.beginnings(of: known))
    }
}
