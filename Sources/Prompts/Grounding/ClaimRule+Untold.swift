internal import Basics

extension ClaimRule {
    /// Something of which the sources say that there is none, or that it did not happen, and that they tell nowhere:
    /// "It found signs of an attack" where they have "no sign of an attack".
    func untold(_ claim: Claim) -> Problem? {
        let clause = claim.clause
        guard !untold.isDisjoint(with: clause.keys), !Self.isSetAside(clause) else { return nil }
        for key in clause.keys.intersection(untold).sorted() {
            let conflict = clauses.filter {
                $0.clause.denied.contains(key) && !$0.clause.isOpen && !$0.clause.isQuestion
            }
            if let concept = ConceptLexicon.concepts[String(key.dropFirst(2))], key.hasPrefix("c:"), concept.isEvent,
                let known = conflict.first(where: { $0.clause.absent.contains(key) })
            {
                return Problem(reason: .denied, claim: clause.text, source: known.clause.text)
            }
            // A stem says more than a meaning: half of the claim's other words have to be in the sentence.
            guard key.hasPrefix("s:") else { continue }
            let others = clause.words.filter { !$0.contains(key) }
            let known = conflict.first { known in
                let shared = others.count { !$0.isDisjoint(with: known.around) }
                return shared > 0 && 2 * shared >= others.count
            }
            if let known { return Problem(reason: .denied, claim: clause.text, source: known.clause.text) }
        }
        return nil
    }

    /// "rather than an attack", "fears of an attack"
    private static func isSetAside(_ clause: GroundedText.Clause) -> Bool {
        clause.text.lowercased().split(separator: " ").contains { word in
            setAside.contains(where: word.hasPrefix)
        }
    }

    private static let setAside = [
        "than", "instead", "rather", "denie", "denied", "fear", "rumour", "rumor", "dispel", "exclud", "statt",
        "anstatt",
        "bestritt", "dement", "befürcht", "lugar", "desmint", "temor", "plutôt", "démen", "craint", "lack", "absence",
        "fehl", "falta", "manque", "absen", "unclear", "unknown",
    ]

    /// Something that is given up in the answer and kept in the sources.
    func kept(_ claim: Claim) -> Problem? {
        let clause = claim.clause
        guard clause.isDropped else { return nil }
        let objects = clause.words.filter { keys in
            !keys.contains { $0.hasPrefix("w:") || $0.hasPrefix("n:") }
                && keys.isDisjoint(with: ["c:end", "c:ruleout"])
        }
        func shared(_ known: Known) -> Int { objects.count { !$0.isDisjoint(with: known.clause.keys) } }
        guard !clauses.contains(where: { $0.clause.isDropped && shared($0) > 0 }) else { return nil }
        let known = clauses.first { known in
            known.clause.isUnchanged && !known.clause.isDropped && shared(known) > 0
                && 2 * shared(known) >= objects.count - 1
        }
        return known.map { Problem(reason: .opposite, claim: clause.text, source: $0.clause.text) }
    }
}
