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

    /// A meaning with the one that announces it.
    static func withKin(_ key: String) -> Set<String> {
        Set([key] + kin.flatMap { $0.0 == key ? [$0.1] : $0.1 == key ? [$0.0] : [] })
    }

    let clauses: [Known]
    /// What the sources speak of.
    let keys: Set<String>
    /// The same with the meanings that texts put for them where they tell causes.
    let heard: Set<String>
    /// What a clause of the sources speaks of without denying it.
    let told: Set<String>
    /// What the sources deny, and nowhere tell.
    let untold: Set<String>
    let languages: Set<Language>
    /// The keys of each sentence of the sources that may give a cause.
    let caused: [Set<String>]
    let sentences: [SourceSentence]
    let keptThings: [KeptThing]
    /// The keys of what the sources say to have risen or fallen.
    let moves: Set<String>
    /// The things to which the sources give a direction.
    let directed: [DirectedThing]

    init(sources: [ParsedText]) {
        let texts = sources.map { $0.grounded($0.language ?? .english) }
        let all = texts.flatMap(\.clauses)
        clauses = texts.flatMap { text in
            text.clauses.map { Known(clause: $0, around: text.sentenceKeys[$0.sentence]) }
        }
        languages = Set(texts.map(\.language))
        caused = Self.causedSentences(of: sources)
        sentences = SourceSentence.all(of: sources)
        keptThings = texts.flatMap(Self.keptThings)
        moves = all.reduce(into: []) { keys, clause in Self.moved(in: clause)?.forEach { keys.formUnion($0) } }
        directed = sources.flatMap { DirectedThing.all(in: $0, $0.language ?? .english) }
        keys = texts.flatMap(\.sentenceKeys).reduce(into: []) { $0.formUnion($1) }
        heard = keys.union(Self.synonyms(of: keys))
        told = all.reduce(into: []) { $0.formUnion($1.keys.subtracting($1.denied)) }
        untold = all.reduce(into: Set<String>()) { $0.formUnion($1.denied) }.subtracting(told)
    }

    // MARK: Negation and opposites

    /// The clauses of a text that state what the sources deny, deny what they state, or say the opposite.
    func contradictions(in text: ParsedText, _ language: Language) -> [Problem] {
        let grounded = text.grounded(language)
        let material = WordLists.of(language).material
        return grounded.clauses.compactMap { clause in
            // What an article does not tell is not denied.
            let isAboutArticle =
                clause.isNegated && clause.text.split(separator: " ").contains { material.contains(String($0).folded) }
            guard !clause.isOpen, !isAboutArticle, !clauses.contains(where: { clause.repeats($0.clause) }) else {
                return nil
            }
            let claim = Claim(clause: clause, sentence: grounded.sentenceWords[clause.sentence])
            // A piece of a sentence that denies: "A strike that was planned will not take place". What an answer denies
            // is often a figure in other words: "most had not expected it" where "seven of 23 had".
            let mayState =
                !clause.isNegated && !grounded.clauses.contains { $0.sentence == clause.sentence && $0.isNegated }
            return (mayState ? denial(claim) ?? untold(claim) : nil) ?? opposite(claim) ?? kept(claim)
                ?? otherOrdinal(claim) ?? goalProblem(claim) ?? changeOfKept(claim)
        } + turnedDirections(in: text, language)
    }

    /// A clause of an answer with the words of its sentence.
    struct Claim {
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
        for key in clause.keys.sorted() where !["n:", "w:", "p:"].contains(where: key.hasPrefix) {
            let known = clauses.filter { $0.clause.keys.contains(key) }
            let agree = known.filter { !$0.clause.isNegated || $0.clause.isOpen }
            let conflict = clauses.filter { known in
                known.clause.isNegated && !known.clause.isOpen && denies(known.clause, key)
            }
            if let found = strongest(conflict, against: agree, claim, without: [key, "c:change"])
                ?? (agree.isEmpty ? conflict.first { deniesOfAll($0.clause, key) } : nil)
            {
                return Problem(reason: .denied, claim: clause.text, source: found.clause.text)
            }
            // "It did not say whether sites will close": neither that they will nor that they will not.
            let asked = known.filter { $0.clause.isQuestion && $0.clause.isNegated }
            let told = agree.filter { !$0.clause.isQuestion }
            if let found = strongest(asked, against: told, claim, without: [key]) {
                return Problem(reason: .denied, claim: clause.text, source: found.clause.text)
            }
        }
        return nil
    }

    /// Whether a clause denies a meaning: a change, where it denies every change.
    private func denies(_ clause: GroundedText.Clause, _ key: String) -> Bool {
        clause.denied.contains(key)
            || ["c:rise", "c:fall", "c:change"].contains(key) && !clause.keys.contains(key)
                && (clause.denied.contains("c:change") || clause.isUnchanged)
    }

    /// Whether a clause denies a meaning of everybody and everything: "nobody was hurt".
    private func deniesOfAll(_ clause: GroundedText.Clause, _ key: String) -> Bool {
        clause.denied.contains(key) && clause.words.allSatisfy { $0.contains(key) }
    }

    private func opposite(_ claim: Claim) -> Problem? {
        let clause = claim.clause
        for key in clause.stated.sorted() where key.hasPrefix("c:") {
            let concept = ConceptLexicon.concepts[String(key.dropFirst(2))]
            guard let opposite = concept?.opposite.map({ "c:" + $0 }) else { continue }
            // What became cheaper did not rise.
            let same = Self.withKin(key)
            let opposites = Self.withKin(opposite)
            guard clause.keys.isDisjoint(with: opposites) else { continue }
            // "The fall came from higher costs" says nothing against dear fuel.
            let borne = same.contains("c:rise") ? same.union(["c:higher"]) : same
            let conflict = clauses.filter {
                !$0.clause.stated.isDisjoint(with: opposites) && $0.clause.keys.isDisjoint(with: borne)
                    && !$0.clause.isOpen && !$0.clause.isNegated
            }
            let agree = clauses.filter { !$0.clause.keys.isDisjoint(with: borne) }
            // Fast and slow, strong and weak are said of anything; so are prices, but for the one thing that is named.
            let soft: Set = ["fast", "slow", "strong", "weak"]
            let others = clause.words.count { $0.isDisjoint(with: same.union(opposites)) }
            let ofPrices: Set = ["cheap", "dear", "more", "fewer"]
            let name = concept?.name ?? ""
            let needed = soft.contains(name) ? 2 : ofPrices.contains(name) ? min(2, max(1, others)) : 1
            let without = same.union(opposites)
            if needed > 1, agree.contains(where: { isSaid(claim, in: $0, without: without, as: conflict) }) { continue }
            if let found = strongest(conflict, against: agree, claim, without: without, needed: needed) {
                return Problem(reason: .opposite, claim: clause.text, source: found.clause.text)
            }
        }
        return nil
    }

    /// The fifth of something of which the sources tell the second, where they tell of no fifth at all.
    private func otherOrdinal(_ claim: Claim) -> Problem? {
        for key in claim.clause.keys.sorted() where key.hasPrefix("c:ordinal") && !keys.contains(key) {
            let others = Set(keys.filter { $0.hasPrefix("c:ordinal") })
            let conflict = clauses.filter { !$0.clause.keys.isDisjoint(with: others) }
            if let found = strongest(conflict, against: [], claim, without: others.union([key])) {
                return Problem(reason: .opposite, claim: claim.clause.text, source: found.clause.text)
            }
        }
        return nil
    }

    /// Whether the sentence of a clause has as many words of a claim as any clause that speaks against it: "prices had
    /// grown, twice as fast as the bank wants".
    private func isSaid(_ claim: Claim, in known: Known, without: Set<String>, as conflict: [Known]) -> Bool {
        let shared = claim.clause.words.count {
            !$0.isDisjoint(with: known.around) && $0.isDisjoint(with: without)
        }
        return shared > 0 && conflict.allSatisfy { claim.shared(with: $0, without: without).near <= shared }
    }

    /// The clause of the sources that is about the same as a claim and speaks against it, where none that is as near
    /// bears it out. Half of the claim's other words have to be in it: one word in common is often chance.
    func strongest(
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
