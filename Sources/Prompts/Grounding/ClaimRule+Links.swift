internal import Basics

/// A sentence of the sources with what shows whether it may tell a cause.
struct SourceSentence: Sendable {
    var keys: Set<String>
    /// Whether it has a word that may tell a cause.
    var mayGiveCause: Bool

    static func all(of sources: [ParsedText]) -> [SourceSentence] {
        sources.flatMap { text -> [SourceSentence] in
            let language = text.language ?? .english
            // The last sentence of a text is not beside the first one of the next, as its title.
            return [SourceSentence(keys: [], mayGiveCause: false)]
                + zip(text.sentences, text.grounded(language).sentenceKeys).map { sentence, keys in
                    SourceSentence(
                        keys: keys.union(ClaimRule.synonyms(of: keys)),
                        mayGiveCause: CauseWords.mayGive(text.words(of: sentence), language))
                }
        }
    }
}

extension ClaimRule {
    /// Meanings that texts put for one another where they tell causes.
    private static let synonymous: [Set<String>] = [
        ["c:cheap", "c:fall", "c:fewer"], ["c:dear", "c:rise", "c:more"], ["c:cost", "c:price"],
        ["c:profit", "c:earn", "c:lose", "c:loss"], ["c:revenue", "c:sell"],
        ["c:petrol", "c:oil", "c:gas", "c:energy"],
    ]

    static func synonyms(of keys: Set<String>) -> Set<String> {
        synonymous.reduce(into: []) { all, group in
            if !group.isDisjoint(with: keys) { all.formUnion(group) }
        }
    }

    /// Whether a cause is put together from words that the sources have in different places: no sentence has half of one
    /// of its clauses, those that have it say only that it may be, or none of them is near what it is said to have caused.
    func isAssembled(_ cause: [CalmWords.Word], of effect: [CalmWords.Word], _ language: Language) -> Bool {
        let reader = ClauseReader(language: language)
        let parts = reader.clauses(ofPart: cause)
        let isHedged = parts.contains(where: \.isOpen)
        for part in parts where part.words.count > 1 {
            let words = Self.matter(in: part.words, without: Self.fillers)
            let support = sentences.indices.filter { Self.holds(sentences[$0].keys, words) }
            if support.isEmpty { return words.count > 2 }
            if !isHedged, isOnlyPossible(words) { return true }
        }
        let words = parts.flatMap(\.words)
        let ofEffect = reader.keys(ofPart: effect).filter { $0.isDisjoint(with: Self.unmattering) && !Self.isName($0) }
        let matter = Self.matter(in: ofEffect, without: ["c:price", "c:cost"], fewest: 1).reduce(into: Set<String>()) {
            $0.formUnion($1)
        }
        let wanted = matter.union(Self.synonyms(of: matter))
        guard sentences.contains(where: { !$0.keys.isDisjoint(with: wanted) }) else { return false }
        let support = sentences.indices.filter { Self.holds(sentences[$0].keys, words) }
        guard !support.isEmpty else { return words.count == 1 && givesCause(of: wanted) }
        return !support.contains { place in
            let near = [place - 1, place, place + 1].filter(sentences.indices.contains)
            return near.contains { other in
                !sentences[other].keys.isDisjoint(with: wanted)
                    && (other == place || sentences[place].mayGiveCause || sentences[other].mayGiveCause)
            }
        }
    }

    /// Whether half of some words are among keys.
    private static func holds(_ keys: Set<String>, _ words: [Set<String>]) -> Bool {
        let shared = words.count { !$0.isDisjoint(with: keys) }
        return shared > 0 && 2 * shared >= words.count
    }

    /// Whether the clauses that have most of some words all leave it open.
    private func isOnlyPossible(_ words: [Set<String>]) -> Bool {
        let shared = clauses.map { known in words.count { !$0.isDisjoint(with: known.clause.keys) } }
        guard let most = shared.max(), most >= 2, 2 * most >= words.count else { return false }
        return clauses.indices.allSatisfy { shared[$0] < most || clauses[$0].clause.isPossible }
    }

    /// Whether a sentence of the sources tells a cause of something.
    private func givesCause(of matter: Set<String>) -> Bool {
        clauses.contains { $0.clause.isCause && !$0.around.isDisjoint(with: matter) }
            || caused.contains { !$0.isDisjoint(with: matter) }
    }

    /// Words without names and without those that say little, unless hardly any is left.
    private static func matter(
        in words: [Set<String>], without few: Set<String>, fewest: Int = 2
    ) -> [Set<String>] {
        let left = words.filter { !isName($0) && $0.isDisjoint(with: few) }
        return left.count >= fewest ? left : words
    }

    private static func isName(_ word: Set<String>) -> Bool {
        word.contains { $0.hasPrefix("w:") || $0.hasPrefix("n:") }
    }

    private static let unmattering: Set<String> = [
        "c:rise", "c:fall", "c:change", "c:more", "c:fewer", "c:company", "c:announce", "c:expect",
    ]
    private static let fillers: Set<String> = ["s:en:becam", "s:en:becom", "s:en:got"]
}
