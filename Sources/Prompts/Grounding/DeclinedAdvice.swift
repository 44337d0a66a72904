internal import Basics

/// A sentence that declines advice, or says in an answer that does what one can look at. It tells nothing of the article:
/// "Whether to buy is your own decision."
enum DeclinedAdvice {
    /// Longer sentences tell something beside it.
    private static let longest = 30

    static func isDeclined(_ sentence: String) -> Bool {
        let words = words(of: sentence)
        guard words.count <= longest else { return false }
        func has(_ beginnings: [String]) -> Bool { words.contains { matches($0, beginnings) } }
        return words.indices.contains { isRefusal(at: $0, in: words) } || has(decisions) && has(owners)
    }

    /// Whether the word at a place is advice that the answer itself does not give: between its beginning and the advice
    /// are nothing but a denial, the answer or its writer as the subject, and words of giving. "Not a few analysts
    /// recommend" has analysts there, and "the bank does not recommend" a bank.
    private static func isRefusal(at place: Int, in words: [String]) -> Bool {
        guard matches(words[place], advice) || verbs.contains(words[place]) else { return false }
        // The part of the sentence with the advice: from a comma, a colon or its beginning to the next.
        let start = words[..<place].lastIndex(of: pause).map { $0 + 1 } ?? 0
        let before = words[start..<place]
        let after = words[(place + 1)...].prefix { $0 != pause }
        guard before.allSatisfy({ givers.contains($0) || denials.contains($0) || matches($0, kinds) }) else {
            return false
        }
        if before.contains(where: denials.contains) {
            // "It does not recommend selling" is of a company, and "no advice came from the board" of a board.
            if verbs.contains(words[place]) { return before.contains(where: speakers.contains) }
            return before.contains(where: subjects.contains)
                ? !after.prefix(1).contains(where: authors.contains)
                : after.first.map(purposes.contains) ?? true
        }
        // "Eine Empfehlung kann ich nicht geben": the advice is first, and the writer behind it.
        let isOwn = after.contains(where: selves.contains)
        return isOwn && after.prefix(reach).contains(where: denials.contains)
    }

    /// Whether a sentence names what one can look at.
    static func isOutlook(_ sentence: String) -> Bool {
        let words = words(of: sentence)
        return words.count <= longest && !looks.isDisjoint(with: words)
    }

    private static func matches(_ word: String, _ beginnings: [String]) -> Bool {
        beginnings.contains { $0.hasSuffix("*") ? word.hasPrefix($0.dropLast()) : word == $0 }
    }

    private static let pause = ","

    /// The words without accents, with a comma for a mark that ends a part of a sentence.
    private static func words(of sentence: String) -> [String] {
        var words: [String] = []
        for part in sentence.split(whereSeparator: { ",;:–—(".contains($0) }) {
            if !words.isEmpty { words.append(pause) }
            words += part.split { !$0.isLetter }.map { String($0).folded }
        }
        return words
    }

    private static let reach = 6
    private static let advice = [
        "advice", "recommendation*", "rat", "beratung", "anlageberatung", "ratschlag", "empfehlung*",
        "anlageempfehlung*", "kaufempfehlung*", "consejo*", "recomendacion*", "asesoramiento", "conseil", "conseils",
        "recommandation*",
    ]
    private static let verbs: Set<String> = [
        "advise", "recommend", "recommending", "advising", "raten", "rate", "empfehle", "empfehlen", "recomendar",
        "recomendarle", "recomendarte", "recomiendo", "aconsejar", "aconsejarle", "aconsejo", "conseiller",
        "recommander", "recommande", "recommandons", "conseille",
    ]
    /// Words of the writer, and of the answer as one who does something.
    private static let speakers: Set<String> = selves.union([
        "puedo", "podemos", "debo", "recomiendo", "cannot", "answer", "respuesta", "reponse", "hier", "here",
    ])
    private static let subjects: Set<String> = selves.union([
        "it", "these", "is", "are", "be", "ist", "sind", "es", "hier", "esto", "eso", "esta", "este", "puedo",
        "podemos",
        "debo", "doy", "damos", "ser", "trata", "ceci", "cela", "c", "ce", "est", "sont", "agit",
    ])
    /// Words before the author of a piece of advice, and before what it is for.
    private static let authors: Set<String> = ["from", "by", "von", "vom", "del", "du"]
    private static let purposes: Set<String> = ["to", "for", "on", "zu", "zum", "zur", "para", "pour", "sobre", "sur"]
    private static let denials: Set<String> = [
        "no", "not", "cannot", "nor", "neither", "t", "never", "kein", "keine", "keinen", "keinerlei", "nicht",
        "weder", "nichts", "ningun", "ninguna", "ni", "pas", "aucun", "aucune", "ne",
    ]
    /// The answer or its writer, by which a part of a sentence shows who gives no advice.
    private static let selves: Set<String> = ["i", "we", "this", "that", "ich", "wir", "das", "dies", "je", "nous"]
    /// Words of giving and meaning something, and those between them.
    private static let givers: Set<String> = selves.union([
        "it", "these", "here", "there", "none", "of", "and", "but", "so", "is", "are", "was", "be", "been", "am", "can",
        "could", "do", "does", "don", "isn", "won", "will", "would", "may", "must", "should", "able", "allowed", "in",
        "a",
        "an", "any", "the", "to", "you", "as", "for", "meant", "intended", "taken", "understood", "read", "give",
        "gives",
        "giving", "offer", "offers", "make", "makes", "provide", "provides", "position", "sorry", "answer", "text",
        "es", "sie", "ihnen", "dir", "euch", "dazu", "hier", "hierzu", "darf", "durfen", "kann", "konnen", "mochte",
        "will",
        "gebe", "geben", "gibt", "ist", "sind", "soll", "als", "eine", "einen", "ein", "zu", "zum", "und", "aber",
        "leider",
        "esto", "eso", "esta", "este", "yo", "puedo", "podemos", "debo", "doy", "damos", "dar", "darle", "darte", "le",
        "te",
        "les", "os", "un", "una", "ser", "como", "se", "trata", "de", "que", "y", "pero", "respuesta",
        "ceci", "cela", "c", "ce", "n", "il", "s", "agit", "est", "sont", "d", "peux", "pouvons", "puis", "dois",
        "donne",
        "donnons", "donner", "vous", "une", "des", "l", "comme", "mais", "et", "la", "reponse",
    ])
    private static let kinds = [
        "financial", "investment", "personal", "individual", "legal", "tax", "finanziell*", "personlich*",
        "individuell*", "financier*", "financiera*", "inversion", "personal*", "personnel*", "investissement",
        "placement",
    ]
    private static let decisions = ["decision", "decide", "decides", "choice", "entscheid*", "decid*", "choix"]
    private static let owners = [
        "your", "yours", "yourself", "own", "reader", "selbst", "ihre", "ihnen", "eigene", "jeder", "suya", "usted",
        "propia", "cada", "vous", "votre", "chacun", "propre", "meme",
    ]
    private static let looks: Set<String> = [
        "look", "looked", "looking", "ansehen", "anschauen", "anzusehen", "mirar", "mirarse", "regarder",
    ]
}
