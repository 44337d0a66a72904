internal import Basics

extension ClaimRule {
    /// A promise of which no announcement of the sources has a word, and no sentence more than half.
    private func isUnannounced(_ clause: GroundedText.Clause) -> Bool {
        guard clause.words.count > 2 else { return false }
        return !clauses.contains { known in
            let shared = clause.words.count { !$0.isDisjoint(with: known.around) }
            return known.clause.isFuture && shared > 0 || 2 * shared > clause.words.count
        }
    }

    /// Whether a text speaks of the future at all.
    static func mayForecast(_ text: ParsedText, _ language: Language) -> Bool {
        text.grounded(language).clauses.contains { $0.isPromise || isDecided($0, language) }
    }

    /// Whether half of the words of a clause are in one of the sources, and two of them are no names.
    private func isSame(_ clause: GroundedText.Clause, _ known: Known) -> Bool {
        let shared = clause.words.map { $0.intersection(known.around) }.filter { !$0.isEmpty }
        let words = shared.count { !$0.allSatisfy { $0.hasPrefix("w:") } }
        return words >= min(2, clause.words.count) && 2 * shared.count >= clause.words.count
    }

    /// The clauses of a text which say that something will happen that the sources do not announce.
    func forecasts(in text: ParsedText, _ language: Language) -> [Problem] {
        // Stems of another language than the sources' cannot be compared, and few words have a meaning in the table.
        let isOwnLanguage = languages.contains(language)
        let grounded = text.grounded(language)
        return grounded.clauses.compactMap { clause in
            if let problem = madeCertain(clause, of: grounded) { return problem }
            guard clause.isPromise else { return nil }
            let outcomes = clause.keys.filter { key in
                key.hasPrefix("c:") && ConceptLexicon.concepts[String(key.dropFirst(2))]?.isOutcome == true
            }
            guard !outcomes.isEmpty else {
                return isOwnLanguage && isUnannounced(clause)
                    ? Problem(reason: .forecast, claim: clause.text, source: nil) : nil
            }
            let announced = outcomes.union(
                Self.kin.filter { outcomes.contains($0.0) || outcomes.contains($0.1) }.flatMap { [$0.0, $0.1] })
            let isAnnounced = clauses.contains { known in
                known.clause.isFuture && !known.clause.isRuledIn
                    && (!announced.isDisjoint(with: known.around) || isSame(clause, known))
            }
            return isAnnounced ? nil : Problem(reason: .forecast, claim: clause.text, source: nil)
        }
    }
}
