internal import Basics

/// The limits on statements about the reader's holdings: known holdings may be mentioned, others not.
enum HoldingsRule {
    /// The problem of a text, given the reader's holdings; `nil` when there is none.
    static func problem(in text: String, holdings: [String], _ language: Language = .english) -> String? {
        let words = HoldingsWords.of(language)
        let text = NormalizedText(text).spaced
        let statements = statements(in: text, words)
        guard !holdings.isEmpty else {
            return statements.isEmpty && !supposesHoldings(text, words)
                ? nil : "It must not say that the reader holds anything: the reader's holdings are not known."
        }
        let known = Set(holdings.map { $0.uppercased() })
        let named = statements.flatMap { $0 }
        guard named.contains(where: { known.contains($0.uppercased()) }) else {
            return "It has to say \"\(words.introduction)\" and then one of \(holdings.joined(separator: ", "))."
        }
        let strange = named.first {
            $0.unicodeScalars.count > 1 && $0 == $0.uppercased() && $0.first?.isLetter == true && !known.contains($0)
        }
        return strange.map { "It must not say that the reader holds \($0), which is none of the known holdings." }
    }

    /// For each "you hold" or "you own", the words that follow up to the next comma or end.
    private static func statements(in text: String, _ known: HoldingsWords) -> [[String]] {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        var statements: [[String]] = []
        let bared = words.map(bare)
        for place in words.indices.dropLast() where known.opens(bared, at: place) {
            var named: [String] = []
            for next in words[(place + 1)...].prefix(17) {
                named.append(bare(next))
                if let last = next.last, ",;:.!?".contains(last) { break }
            }
            statements.append(named)
        }
        return statements
    }

    /// Whether a text assumes that the reader owns shares: `your shares`, `as a shareholder`.
    private static func supposesHoldings(_ text: String, _ known: HoldingsWords) -> Bool {
        let written = text.split(whereSeparator: \.isWhitespace).map { bare(String($0)) }
        let words = written.map { $0.lowercased() }
        for (place, word) in words.enumerated() {
            let next = words[(place + 1)...].prefix(2)
            if known.possessives.contains(written[place]) || known.possessives.contains(word),
                next.contains(where: known.possessions.contains)
            {
                return true
            }
            if known.roles.contains(word), next.contains(where: known.owners.contains) { return true }
        }
        return false
    }

    private static func bare(_ word: String) -> String {
        let marks = { (character: Character) in !character.isWordPart }
        let rest = word.drop(while: marks)
        return String(rest.reversed().drop(while: marks).reversed())
    }
}

/// The words by which a language says what a reader holds.
private struct HoldingsWords {
    /// The beginning that prompts ask for.
    var introduction: String
    /// The reader, as it is written.
    var subjects: Set<String>
    var verbs: Set<String>
    /// Verb forms that mean the reader without a subject.
    var bareVerbs: Set<String> = []
    /// Whether the verb may end the clause.
    var hasVerbLast = false
    /// Before a possession; as it is written in German, where `Ihr` differs from `ihr`.
    var possessives: Set<String>
    var possessions: Set<String>
    /// `as` of "as a shareholder".
    var roles: Set<String>
    var owners: Set<String>

    /// Whether the word at a place begins a statement about what the reader holds.
    func opens(_ words: [String], at place: Int) -> Bool {
        let word = words[place]
        if bareVerbs.contains(word.lowercased()) { return true }
        guard subjects.contains(word) || subjects.contains(word.lowercased()) && !hasVerbLast else { return false }
        if verbs.contains(words[place + 1].lowercased()) { return true }
        return hasVerbLast && words[(place + 1)...].prefix(12).contains { verbs.contains($0.lowercased()) }
    }

    static func of(_ language: Language) -> HoldingsWords {
        switch language {
        case .english: english
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    private static let english = HoldingsWords(
        introduction: "Since you hold", subjects: ["you"], verbs: ["hold", "own"], possessives: ["your"],
        possessions: [
            "shares", "share", "stake", "stock", "stocks", "holding", "holdings", "position", "positions", "portfolio",
        ], roles: ["as"], owners: ["shareholder", "stockholder", "holder", "owner"])

    private static let german = HoldingsWords(
        introduction: "Da Sie AAPL halten", subjects: ["Sie", "du"],
        verbs: ["halten", "besitzen", "hältst", "besitzt"],
        hasVerbLast: true, possessives: ["Ihre", "Ihren", "Ihrer", "Ihr", "Ihrem", "deine", "dein", "deinem"],
        possessions: [
            "aktien", "aktie", "anteile", "anteil", "anteilen", "beteiligung", "position", "positionen", "depot",
            "portfolio", "bestand", "bestände", "papiere",
        ], roles: ["als"],
        owners: ["aktionär", "aktionärin", "anteilseigner", "inhaber", "inhaberin", "besitzer", "besitzerin"])

    private static let spanish = HoldingsWords(
        introduction: "Como usted tiene", subjects: ["usted", "como"], verbs: ["tiene", "posee", "mantiene"],
        bareVerbs: ["tienes", "posees", "mantienes"], possessives: ["tu", "tus", "su", "sus"],
        possessions: ["cartera", "ahorros"], roles: ["como"],
        owners: ["accionista", "propietario", "propietaria", "titular"])

    private static let french = HoldingsWords(
        introduction: "Comme vous détenez", subjects: ["vous", "tu"],
        verbs: ["détenez", "possédez", "détiens", "possèdes"],
        possessives: ["votre", "vos", "ton", "tes"],
        possessions: [
            "actions", "action", "titres", "titre", "parts", "participation", "position", "positions", "portefeuille",
        ], roles: ["tant", "comme"], owners: ["actionnaire", "détenteur", "détentrice", "propriétaire"])
}
