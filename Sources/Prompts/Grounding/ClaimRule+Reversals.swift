internal import Basics

extension ClaimRule {
    /// A goal said to be missed that the sources say is met, or the other way about.
    func goalProblem(_ claim: Claim) -> Problem? {
        guard let isMet = Self.isGoalMet(claim.clause) else { return nil }
        func known(_ wanted: Bool) -> [Known] { clauses.filter { Self.isGoalMet($0.clause) == wanted } }
        let found = strongest(
            known(!isMet), against: known(isMet), claim, without: ["c:reach", "c:miss", "c:fail", "c:success"])
        return found.map { Problem(reason: .opposite, claim: claim.clause.text, source: $0.clause.text) }
    }

    /// Whether a clause says that a goal or an expectation is met; `nil` where it says neither that nor the contrary.
    private static func isGoalMet(_ clause: GroundedText.Clause) -> Bool? {
        guard !clause.isOpen, !clause.isQuestion, !clause.keys.isDisjoint(with: goals) else { return nil }
        if !clause.keys.isDisjoint(with: ["c:miss", "c:fail"]) { return clause.isNegated ? nil : false }
        guard clause.keys.contains("c:reach") else { return nil }
        return !clause.denied.contains("c:reach")
    }

    private static let goals: Set<String> = ["c:goal", "c:forecast", "c:expect"]

    /// A rise or a fall of something that the sources say is kept as it was: "lowered its forecast".
    func changeOfKept(_ claim: Claim) -> Problem? {
        let clause = claim.clause
        guard !clause.isNegated, let moved = Self.moved(in: clause), !keptThings.isEmpty else { return nil }
        for kept in keptThings where moved.contains(where: { !$0.isDisjoint(with: kept.thing) }) {
            if moves.isDisjoint(with: kept.thing) {
                return Problem(reason: .opposite, claim: clause.text, source: kept.text)
            }
        }
        return nil
    }

    /// The words next to a word of a rise or a fall; `nil` where there is none.
    static func moved(in clause: GroundedText.Clause) -> [Set<String>]? {
        let places = clause.words.indices.filter { !clause.words[$0].isDisjoint(with: ["c:rise", "c:fall"]) }
        guard !places.isEmpty else { return nil }
        return places.flatMap { place in [place - 1, place + 1].filter(clause.words.indices.contains) }
            .map { clause.words[$0] }
    }

    /// The directions of things in a text that the sources give otherwise.
    func turnedDirections(in text: ParsedText, _ language: Language) -> [Problem] {
        guard !directed.isEmpty else { return [] }
        let isOwn = languages.contains(language)
        return DirectedThing.all(in: text, language).compactMap { found in
            var claim = found
            if !isOwn { claim.words = claim.words.filter { $0.contains { $0.hasPrefix("c:") } } }
            guard !claim.words.isEmpty else { return nil }
            let same = directed.filter { $0.isAbout(claim) }
            guard !same.isEmpty, same.allSatisfy({ $0.isUp != claim.isUp }), !isTold(claim) else { return nil }
            let written = claim.words.compactMap { $0.min()?.split(separator: ":").last }.joined(separator: " ")
            return Problem(reason: .opposite, claim: "\(claim.isUp ? "higher" : "lower"): \(written)", source: nil)
        }
    }

    /// Whether a clause of the sources gives a thing a direction by its verb.
    private func isTold(_ thing: DirectedThing) -> Bool {
        let (own, other) = thing.isUp ? ("c:rise", "c:fall") : ("c:fall", "c:rise")
        return clauses.contains { known in
            let keys = known.clause.keys
            return !Self.withKin(own).isDisjoint(with: keys) && Self.withKin(other).isDisjoint(with: keys)
                && thing.words.allSatisfy { !$0.isDisjoint(with: keys) }
        }
    }

    // MARK: Things that are kept

    /// A thing of which the sources say that it stays as it was.
    struct KeptThing: Sendable {
        var thing: Set<String>
        var text: String
    }

    static func keptThings(in text: GroundedText) -> [KeptThing] {
        guard let lists = keeping[text.language] else { return [] }
        return text.clauses.compactMap { clause in
            guard !clause.isOpen else { return nil }
            let words = CalmWords.split(NormalizedText(clause.text))
            guard let place = words.firstIndex(where: { lists.verbs.contains($0.folded) }),
                clause.denied.isEmpty || clause.isUnchanged
            else { return nil }
            let reader = ClauseReader(language: text.language)
            let behind = reader.keys(ofPart: words[(place + 1)...]).prefix(3)
            let thing = behind.first { $0.contains { $0.hasPrefix("c:") } } ?? behind.first
            guard let thing, lists.sure.contains(words[place].folded) || !thing.isDisjoint(with: promised) else {
                return nil
            }
            // "Kept 3 percent of the jobs": a figure right behind the verb is another matter.
            return thing.contains { $0.hasPrefix("n:") } ? nil : KeptThing(thing: thing, text: clause.text)
        }
    }

    /// What a company confirms.
    private static let promised: Set<String> = ["c:forecast", "c:goal", "c:dividend", "c:expect"]

    /// Verbs of keeping, and those that say it of any object; "confirmed" and "holds" do of a forecast or a dividend alone.
    private static let keeping: [Language: (verbs: Set<String>, sure: Set<String>)] = [
        .english: lists(
            "kept keeps maintained maintains retained retains",
            "left leaves confirmed confirms reaffirmed reaffirms reiterated reiterates"),
        .german: lists(
            "belasst beliess behalt behielt",
            "halt hielt halten lasst liess bestatigt bestatigte bekraftigte bleibt blieb"),
        .spanish: lists(
            "mantuvo mantiene mantienen conserva conservo", "confirma confirmo reitera reitero ratifica ratifico"),
        .french: lists("maintient maintenu conserve garde garder", "confirme reitere reaffirme laisse"),
    ]

    private static func lists(_ sure: String, _ others: String) -> (verbs: Set<String>, sure: Set<String>) {
        (Set(sure.listed + others.listed), Set(sure.listed))
    }
}
