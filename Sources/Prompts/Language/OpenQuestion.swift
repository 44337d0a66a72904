internal import Basics

/// A sentence that says that nobody can tell whether a share is cheap, which is no praise of its price.
struct OpenQuestion: Sendable {
    /// Words of a low price, by their beginnings.
    private let prices: [String]
    private let whether: String
    private let denials: Set<String>
    /// Words for telling and knowing, by their beginnings.
    private let telling: [String]
    /// Words that begin a claim of their own.
    private let turns: Set<String>
    /// Whether `whether` never means "if", so that the question may come first.
    private var mayComeFirst = false

    private static let reach = 8

    static func of(_ language: Language) -> OpenQuestion? {
        switch language {
        case .english: nil
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    /// Whether the word at a place belongs to what the sentence says nobody can tell. Words are without accents.
    func holds(_ place: Int, of words: [String]) -> Bool {
        guard prices.contains(where: words[place].hasPrefix),
            let start = words[..<place].lastIndex(of: whether), place - start <= Self.reach,
            words[start..<place].allSatisfy({ !turns.contains($0) })
        else { return false }
        if isDenied(words[max(0, start - Self.reach)..<start]) { return true }
        guard mayComeFirst else { return false }
        return isDenied(words[(place + 1)...].prefix(Self.reach))
    }

    private func isDenied(_ words: ArraySlice<String>) -> Bool {
        words.contains { denials.contains($0) } && words.contains { word in telling.contains(where: word.hasPrefix) }
            && words.allSatisfy { !turns.contains($0) }
    }

    private static let german = OpenQuestion(
        prices: ["gunstig", "unterbewert"], whether: "ob",
        denials: ["nicht", "nichts", "kein", "keine", "keinen", "ohne", "unmoglich", "offen"],
        telling: ["sag", "wissen", "weiss", "beurteil", "bestimm", "erkenn", "offen", "aussage", "antwort"],
        turns: ["aber", "doch", "jedoch", "sondern", "denn", "weil", "dennoch", "trotzdem"], mayComeFirst: true)

    private static let spanish = OpenQuestion(
        prices: ["barat", "infravalorad"], whether: "si",
        denials: ["no", "nada", "imposible", "sin", "tampoco", "ningun", "ninguna"],
        telling: ["decir", "dice", "saber", "sabe", "juzgar", "determinar", "concluir", "permit", "indica", "muestra"],
        turns: ["pero", "sino", "aunque", "porque", "pues", "embargo"])

    private static let french = OpenQuestion(
        prices: ["bon", "sous"], whether: "si",
        denials: ["pas", "rien", "impossible", "sans", "aucun", "aucune"],
        telling: ["dire", "dit", "disent", "savoir", "sait", "juger", "determiner", "conclure", "permet", "indique"],
        turns: ["mais", "car", "puisque", "parce", "pourtant", "cependant", "toutefois"])
}
