internal import Basics

/// Sentences that change two names about: one pays the other in the material, and the other pays in the answer.
struct RoleRule {
    /// Two names of a clause in their order, with what stands between them.
    private struct Pair {
        var first: Set<String>
        var second: Set<String>
        var between: Set<String>
        var text: String
    }

    private let pairs: [Pair]
    private let names: Set<String>

    /// - Parameters:
    ///   - sources: The material.
    ///   - names: The names of companies and people in it.
    init(sources: [ParsedText], names: Set<String>) {
        self.names = names
        pairs = sources.flatMap { Self.pairs(in: $0, $0.language ?? .english, names) }
    }

    /// The first clause of a text with the names of one of the material the other way round; `nil` when none has.
    func swapped(in text: ParsedText, _ language: Language) -> (claim: String, source: String)? {
        for claim in Self.pairs(in: text, language, names) where !claim.between.isEmpty {
            func agrees(_ pair: Pair, turned: Bool) -> Bool {
                let (first, second) = turned ? (pair.second, pair.first) : (pair.first, pair.second)
                return !first.isDisjoint(with: claim.first) && !second.isDisjoint(with: claim.second)
                    && !pair.between.isDisjoint(with: claim.between)
            }
            if pairs.contains(where: { agrees($0, turned: false) }) { continue }
            if let source = pairs.first(where: { agrees($0, turned: true) }) { return (claim.text, source.text) }
        }
        return nil
    }

    /// Words of a passive, in which the order of names is the other one.
    private static let passive: Set<String> = [
        "by", "was", "were", "been", "being", "von", "wurde", "wurden", "worden", "por", "fue", "fueron", "par", "ete",
    ]

    private static func pairs(in text: ParsedText, _ language: Language, _ names: Set<String>) -> [Pair] {
        guard names.count > 1 else { return [] }
        var found: [Pair] = []
        for sentence in text.sentences {
            let words = text.words(of: sentence)
            let conjunctions = WordLists.of(language).conjunctions
            for clause in words.split(whereSeparator: { $0.lower == "," || conjunctions.contains($0.folded) }) {
                if let pair = pair(Array(clause), language, names) { found.append(pair) }
            }
        }
        return found
    }

    private static func pair(_ words: [CalmWords.Word], _ language: Language, _ names: Set<String>) -> Pair? {
        let folded = words.map(\.folded)
        guard Set(folded).isDisjoint(with: passive) else { return nil }
        var groups: [Range<Int>] = []
        for place in words.indices where words[place].isCapitalised && names.contains(folded[place]) {
            if let last = groups.last, last.upperBound == place {
                groups[groups.count - 1] = last.lowerBound..<(place + 1)
            } else {
                groups.append(place..<(place + 1))
            }
        }
        guard groups.count == 2 else { return nil }
        let (first, second) = (Set(folded[groups[0]]), Set(folded[groups[1]]))
        guard first.isDisjoint(with: second) else { return nil }
        let middle = words[groups[0].upperBound..<groups[1].lowerBound]
        let between = ClauseReader(language: language).clauses(ofPart: middle)
            .reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        return Pair(
            first: first, second: second, between: between, text: words.map(\.text).joined(separator: " "))
    }
}
