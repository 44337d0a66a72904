internal import Basics

/// Holds what an answer states and denies against the clause of its sources that speaks of the same.
struct ClaimRule {
    /// A claim of an answer that its sources do not bear out.
    struct Problem: Equatable {
        enum Reason: Equatable { case denied, opposite, cause, forecast }

        var reason: Reason
        /// The clause of the answer.
        var claim: String
        /// The clause of the sources that says otherwise.
        var source: String?
    }

    /// A clause of the sources.
    struct Known {
        var clause: GroundedText.Clause
        /// The keys of its sentence.
        var around: Set<String>
    }

    /// The meanings of which an announcement of one announces the other.
    static let kin = [("c:cheap", "c:fall"), ("c:dear", "c:rise")]

    let clauses: [Known]
    /// What the sources speak of.
    let keys: Set<String>
    let languages: Set<Language>

    init(sources: [String]) {
        let texts = sources.map { GroundedText($0) }
        clauses = texts.flatMap { text in
            text.clauses.map { Known(clause: $0, around: text.sentenceKeys[$0.sentence]) }
        }
        languages = Set(texts.map(\.language))
        keys = texts.flatMap(\.sentenceKeys).reduce(into: []) { $0.formUnion($1) }
    }

    // MARK: Negation and opposites

    /// The clauses of a text that state what the sources deny, deny what they state, or say the opposite.
    func contradictions(in text: String, _ language: Language) -> [Problem] {
        let grounded = GroundedText(text, language: language)
        let material = WordLists.of(language).material
        return grounded.clauses.compactMap { clause in
            // What an article does not tell is not denied.
            let isAboutArticle =
                clause.isNegated && clause.text.split(separator: " ").contains { material.contains(String($0).folded) }
            guard !clause.isOpen, !isAboutArticle else { return nil }
            let claim = Claim(clause: clause, sentence: grounded.sentenceWords[clause.sentence])
            // A piece of a sentence that denies: "A strike that was planned will not take place". What an answer denies
            // is often a figure in other words: "most had not expected it" where "seven of 23 had".
            let mayState =
                !clause.isNegated && !grounded.clauses.contains { $0.sentence == clause.sentence && $0.isNegated }
            return (mayState ? denial(claim) : nil) ?? opposite(claim)
        }
    }

    /// A clause of an answer with the words of its sentence.
    private struct Claim {
        var clause: GroundedText.Clause
        var sentence: [Set<String>]

        /// The words that a clause of the sources shares: in the clause, and elsewhere in the sentence.
        func shared(with known: Known, without: Set<String>) -> (near: Int, far: Int) {
            let near = clause.words.count { !$0.isDisjoint(with: known.clause.keys) && $0.isDisjoint(with: without) }
            let far = sentence.count { !$0.isDisjoint(with: known.around) && $0.isDisjoint(with: without) }
            return (near, max(0, far - near))
        }
    }

    private func denial(_ claim: Claim) -> Problem? {
        let clause = claim.clause
        for key in clause.keys.sorted() where !key.hasPrefix("n:") && !key.hasPrefix("w:") {
            let known = clauses.filter { $0.clause.keys.contains(key) }
            let agree = known.filter { !$0.clause.isNegated || $0.clause.isOpen }
            let conflict = known.filter { known in
                known.clause.isNegated && !known.clause.isOpen && known.clause.denied.contains(key)
            }
            if let found = strongest(conflict, against: agree, claim, without: [key]) {
                return Problem(reason: .denied, claim: clause.text, source: found.clause.text)
            }
        }
        return nil
    }

    private func opposite(_ claim: Claim) -> Problem? {
        let clause = claim.clause
        for key in clause.stated.sorted() where key.hasPrefix("c:") {
            let concept = ConceptLexicon.concepts[String(key.dropFirst(2))]
            guard let opposite = concept?.opposite.map({ "c:" + $0 }), !clause.keys.contains(opposite) else { continue }
            let conflict = clauses.filter {
                $0.clause.stated.contains(opposite) && !$0.clause.keys.contains(key) && !$0.clause.isOpen
                    && !$0.clause.isNegated
            }
            let agree = clauses.filter { $0.clause.keys.contains(key) }
            // Fast and slow, strong and weak, cheap and dear are said of anything.
            let soft: Set = ["fast", "slow", "strong", "weak", "cheap", "dear"]
            let needed = soft.contains(concept?.name ?? "") ? 2 : 1
            if let found = strongest(conflict, against: agree, claim, without: [key, opposite], needed: needed) {
                return Problem(reason: .opposite, claim: clause.text, source: found.clause.text)
            }
        }
        return nil
    }

    /// The clause of the sources that is about the same as a claim and speaks against it, where none that is as near
    /// bears it out. Half of the claim's other words have to be in it: one word in common is often chance.
    private func strongest(
        _ conflict: [Known], against agree: [Known], _ claim: Claim, without: Set<String>, needed: Int = 1
    ) -> Known? {
        func score(_ known: Known) -> (near: Int, total: Int) {
            let shared = claim.shared(with: known, without: without)
            return (shared.near, 2 * shared.near + shared.far)
        }
        let scored = conflict.map { ($0, score($0)) }
        guard let best = scored.max(by: { $0.1.total < $1.1.total }) else { return nil }
        let own = agree.map { score($0).total }.max()
        let others = claim.clause.words.count { $0.isDisjoint(with: without) }
        return best.1.near >= needed && 2 * best.1.near >= others && best.1.total > own ?? -1 ? best.0 : nil
    }
}
