/// Questions for advice, to which the answer is not whether, but what is known and what one could look at.
enum AdviceQuestion {
    static func matches(_ question: String) -> Bool {
        let words = question.lowercased().split { !$0.isLetter }.map(String.init)
        let isOffer = zip(words, words.dropFirst()).contains { $0 == "a" && ["buy", "sell", "hold"].contains($1) }
        return isOffer || !trades.isDisjoint(with: words) && !askings.isDisjoint(with: words)
    }

    /// The stems of what a question for advice is about.
    static func stems(of question: String) -> Set<String> {
        Words.stems(of: question).subtracting(Words.stems(of: trades.union(askings).joined(separator: " ")))
            .subtracting(things)
    }

    private static let trades: Set<String> = [
        "buy", "buying", "sell", "selling", "hold", "holding", "invest", "investing", "kaufen", "verkaufen", "halten",
        "investieren", "anlegen", "comprar", "vender", "invertir", "acheter", "vendre", "investir",
    ]
    private static let askings: Set<String> = [
        "should", "shall", "now", "worth", "time", "soll", "sollte", "debo", "deber\u{ED}a", "dois",
        "devrais", "faut", "conviene",
    ]
    /// Words of such questions that say nothing of the company.
    private static let things: Set<String> = [
        "good", "better", "right", "start", "money", "whether", "market", "stock", "share", "shar", "today", "ich",
        "die",
        "jetzt", "aktie", "aktien", "geld", "ahora", "dinero", "argent", "maintenant", "acci\u{F3}n", "acciones",
        "action", "actions", "accion", "titre",
    ]
}
