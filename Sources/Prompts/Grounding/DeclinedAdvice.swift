internal import Basics

/// A sentence that declines advice, or says in an answer that does what one can look at. It tells nothing of the article:
/// "Whether to buy is your own decision."
enum DeclinedAdvice {
    /// Longer sentences tell something beside it.
    private static let longest = 30

    static func isDeclined(_ sentence: String) -> Bool {
        let words = words(of: sentence)
        guard words.count <= longest else { return false }
        func has(_ beginnings: [String]) -> Bool {
            words.contains { word in
                beginnings.contains { $0.hasSuffix("*") ? word.hasPrefix($0.dropLast()) : word == $0 }
            }
        }
        return has(advice) && has(denials) || has(decisions) && has(owners)
    }

    /// Whether a sentence names what one can look at.
    static func isOutlook(_ sentence: String) -> Bool {
        let words = words(of: sentence)
        return words.count <= longest && !looks.isDisjoint(with: words)
    }

    private static func words(of sentence: String) -> [String] {
        sentence.split { !$0.isLetter }.map { String($0).folded }
    }

    private static let advice = [
        "advice", "advise", "recommend*", "rat", "beratung", "anlageberatung", "ratschlag", "empfehlung*", "consejo",
        "recomendacion", "asesoramiento", "conseil", "recommandation",
    ]
    private static let denials = [
        "no", "not", "cannot", "nor", "kein", "keine", "keinen", "nicht", "ningun", "ninguna", "pas", "aucun", "aucune",
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
