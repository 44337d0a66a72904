internal import Basics

extension ClaimRule {
    /// A promise or a decision of which the sources say only that it may come: "will strike" where the union "may strike".
    ///
    /// The clause of the sources that shares most words with it decides. Between two languages meanings, numbers and places
    /// are compared.
    func madeCertain(_ clause: GroundedText.Clause, of text: GroundedText) -> Problem? {
        let isDecided = Self.isDecided(clause, text.language)
        guard clause.isPromise || isDecided else { return nil }
        let isHedged = text.clauses.contains { $0.sentence == clause.sentence && ($0.isOpen || Self.isBelief($0)) }
        guard !isHedged else { return nil }
        let words = comparable(clause.words, text.language).filter { !$0.contains("c:certain") }
        guard !words.isEmpty else { return nil }
        func shared(_ keys: Set<String>) -> Int { words.count { !$0.isDisjoint(with: keys) } }
        let possible = clauses.filter { $0.clause.isPossible && !$0.clause.isNegated }
        guard let best = possible.max(by: { shared($0.clause.keys) < shared($1.clause.keys) }) else { return nil }
        let count = shared(best.clause.keys)
        guard count >= min(2, words.count), 2 * count >= words.count, hasMatter(words, best.clause.keys) else {
            return nil
        }
        let isFirm = clauses.contains { known in
            !known.clause.isPossible && !known.clause.isQuestion
                && shared(known.clause.isFuture ? known.around : known.clause.keys) >= count
        }
        return isFirm ? nil : Problem(reason: .forecast, claim: clause.text, source: best.clause.text)
    }

    /// Whether a clause tells a decision: "has decided to close".
    static func isDecided(_ clause: GroundedText.Clause, _ language: Language) -> Bool {
        guard let stems = decisions[language], !clause.isNegated, !clause.isOpen else { return false }
        return clause.text.split(separator: " ").contains { word in stems.contains(where: String(word).folded.hasPrefix)
        }
    }

    /// The words of an answer that can be compared with sources of another language: meanings, numbers, places, and names
    /// that the sources have. In the language of the sources, all.
    func comparable(_ words: [Set<String>], _ language: Language) -> [Set<String>] {
        guard !languages.contains(language) else { return words }
        return words.filter { word in
            word.contains { key in
                ["c:", "n:", "p:"].contains(where: key.hasPrefix) || key.hasPrefix("w:") && keys.contains(key)
            }
        }
    }

    /// Whether more than names, dates and what is said of any company is shared.
    private func hasMatter(_ words: [Set<String>], _ known: Set<String>) -> Bool {
        words.contains { word in
            let shared = word.intersection(known)
            return !shared.isEmpty
                && !shared.contains { $0.hasPrefix("w:") || $0.hasPrefix("n:") || $0.hasPrefix("p:") }
                && !word.contains { DateWords.isMonthOrDay(String($0.split(separator: ":").last ?? "")) }
                && shared.isDisjoint(with: Self.general)
        }
    }

    static let general: Set<String> = ["c:company", "c:share", "c:price", "c:bank", "c:cost", "c:rate"]

    private static func isBelief(_ clause: GroundedText.Clause) -> Bool {
        clause.text.split(separator: " ").contains { word in beliefs.contains(where: String(word).folded.hasPrefix) }
    }

    private static let decisions: [Language: [String]] = [
        .english: ["decided"], .german: ["beschloss", "entschied"], .spanish: ["decidio", "decidido"],
        .french: ["decide"],
    ]
    /// Beginnings of verbs by which somebody holds something to be likely, in four languages.
    private static let beliefs = [
        "expect", "believe", "think", "fear", "hope", "threat", "warn", "consider", "risk", "erwart", "glaub", "hoff",
        "furcht", "befurcht", "droh", "rechn", "cree", "teme", "amenaz", "advi", "attend", "croi", "crai", "esp",
        "menac", "envisag", "estudia", "pruf", "erwag",
    ]
}
