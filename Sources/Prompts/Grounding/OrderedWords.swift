internal import Basics

/// Reads the orders in a material that are meant for a model.
enum OrderedWords {
    private static let verbs = Set(
        """
        write say print output repeat include schreibe schreib sage sag wiederhole escribe escriba di diga repite repita
        ecris ecrivez dis dites repete repetez
        """.listed)
    /// Verbs that order words by "with".
    private static let withVerbs = Set(
        """
        answer reply respond begin start end antworte antworten beginne beende responde responda contesta contesten empieza
        reponds repondez commence commencez
        """.listed)
    private static let withs: Set<String> = ["with", "by", "mit", "con", "avec", "par"]
    /// Verbs that order a statement by "that", where they name the answer or whom to tell.
    private static let thatVerbs: Set<String> = [
        "state", "tell", "claim", "mention", "declare", "behaupte", "afirma", "affirme",
    ]
    private static let thats: Set<String> = ["that", "dass", "que"]
    private static let told: Set<String> = [
        "your", "readers", "users", "user", "everyone", "everybody", "deinem", "deiner", "allen", "tu", "todos", "ta",
        "tous",
    ]
    private static let before = Set(
        "and please only just instead then und bitte nur y solo favor et plait , must".listed)
    private static let reach = 6

    /// The words that a text orders to be written.
    static func all(in words: [CalmWords.Word]) -> [[String]] {
        words.indices.compactMap { place in
            let verb = words[place].folded
            guard verbs.contains(verb) || withVerbs.contains(verb) || thatVerbs.contains(verb),
                words[place].startsSentence || place > 0 && before.contains(words[place - 1].folded)
            else { return nil }
            let end = words[place...].firstIndex(where: \.endsSentence) ?? words.count - 1
            guard end > place else { return nil }
            let rest = words[(place + 1)...end].map(\.folded).filter { $0 != "," }
            if verbs.contains(verb) { return rest }
            let links = withVerbs.contains(verb) ? withs : thats
            guard let link = rest.prefix(reach).firstIndex(where: links.contains) else { return nil }
            if thatVerbs.contains(verb), told.isDisjoint(with: rest[..<link]) { return nil }
            return Array(rest[(link + 1)...])
        }
    }

    private static let addresses = """
        you_are you_re du_bist sie_sind eres usted_es tu_es vous_etes your_name_is dein_name_ist ihr_name_ist tu_nombre_es
        su_nombre_es ton_nom_est votre_nom_est
        """.listedPhrases
    private static let firsts = Set(addresses.compactMap(\.first))
    /// Words of "from now on" and "from this point on".
    private static let nows = Set(
        "now from henceforth jetzt nun ab sofort ahora partir desde maintenant desormais dorenavant".listed)
    private static let fillers = Set("on this that point a an the called ein eine un una une le la el".listed).union(
        nows)
    private static let reachBefore = 4

    /// A name behind "you are" that is written as no common word is, or that is to hold from now on.
    static func names(in words: [CalmWords.Word]) -> Set<String> {
        var names: Set<String> = []
        for place in words.indices where firsts.contains(words[place].folded) {
            for address in addresses where words[place...].starts(with: address, by: { $0.folded == $1 }) {
                let start = place + address.count
                let between = words[start...].prefix { fillers.contains($0.folded) }
                let next = between.endIndex
                guard next < words.count, !words[next - 1].endsSentence else { continue }
                let isNow =
                    address.count > 2
                    || (words[max(0, place - reachBefore)..<place] + between).contains { nows.contains($0.folded) }
                if words[next].isCoined || isNow && words[next].isCapitalised { names.insert(words[next].folded) }
            }
        }
        return names
    }
}

extension CalmWords.Word {
    /// Whether it is written as no common word is: `TraderBot`, `DAN`.
    var isCoined: Bool {
        let scalars = text.unicodeScalars
        guard scalars.count > 2, scalars.first?.isUppercase == true else { return false }
        return scalars.dropFirst().contains(where: \.isUppercase)
    }
}
