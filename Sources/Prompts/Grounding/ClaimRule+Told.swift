internal import Basics

extension ClaimRule {
    /// The first sentence that speaks of hardly anything that the sources speak of, such as an opinion on a share in the
    /// summary of a report on a factory; `nil` when there is none.
    ///
    /// Words are compared by stems, names and meanings, so only in the language of the sources. A sentence on the
    /// article itself, and one too short to tell, is passed over, and so is every answer about a text of a few words.
    func strangeSentence(in text: ParsedText, _ language: Language) -> String? {
        guard languages == [language], keys.count >= Self.fewestKeys else { return nil }
        let grounded = text.grounded(language)
        let material = WordLists.of(language).material.union(Self.labels)
        let isDeclined = grounded.sentences.contains(where: DeclinedAdvice.isDeclined)
        for (place, (sentence, words)) in zip(grounded.sentences, grounded.sentenceWords).enumerated()
        where words.count >= Self.fewestWords {
            let shared = words.count { !$0.isDisjoint(with: keys) }
            let mayBeOpinion = words.count >= Self.fewestWordsOfOpinion && shared * 2 < words.count
            guard shared * Self.leastShare < words.count || mayBeOpinion else { continue }
            if isDeclined, DeclinedAdvice.isDeclined(sentence) || DeclinedAdvice.isOutlook(sentence) { continue }
            let spoken = sentence.split { !$0.isLetter }.map { String($0).folded }
            guard material.isDisjoint(with: spoken) else { continue }
            if shared * Self.leastShare < words.count { return sentence }
            let isNegated = grounded.clauses.contains { $0.sentence == place && $0.isNegated }
            if !isNegated, spoken.contains(where: Self.isOfShares) { return sentence }
        }
        return nil
    }

    /// Whether a word is one for shares and those who have some. Of what is said about these, more has to be told: an
    /// opinion on a share names the company and its figures, and says of them what no source says.
    private static func isOfShares(_ word: String) -> Bool {
        shares.contains(word) || holders.contains(where: word.hasPrefix)
    }

    private static let shares: Set<String> = [
        "share", "shares", "stock", "stocks", "aktie", "aktien", "depot", "accion", "acciones", "titulo", "titulos",
        "action", "actions", "titre", "titres",
    ]
    private static let holders = [
        "dividend", "portfolio", "saver", "investor", "shareholder", "anleger", "sparer", "aktionar", "inversor",
        "ahorrador", "accionist", "cartera", "investisseu", "epargn", "actionnair", "portefeuill",
    ]
    private static let fewestWordsOfOpinion = 5

    /// Whether an answer in another language than its sources speaks of nothing that they speak of: it shares no number,
    /// name, place or concept with them, and no word that both languages have. Its sentences on the article itself do not
    /// count.
    func isStrange(answer: [ParsedText], _ language: Language) -> Bool {
        guard !languages.isEmpty, !languages.contains(language), keys.count >= Self.fewestKeys else { return false }
        let grounded = answer.map { $0.grounded(language) }
        let material = WordLists.of(language).material
        let count = grounded.reduce(0) { sum, text in
            sum
                + zip(text.sentences, text.sentenceWords).reduce(0) { sum, pair in
                    let spoken = pair.0.split { !$0.isLetter }.map { String($0).folded }
                    return material.isDisjoint(with: spoken) ? sum + pair.1.count : sum
                }
        }
        guard count >= Self.fewestWordsOfAnswer else { return false }
        let words = grounded.flatMap(\.sentences).flatMap { CalmWords.split(NormalizedText($0)) }
        guard !words.contains(where: { Self.simulated.contains($0.folded) }) else { return false }
        guard !grounded.flatMap(\.sentences).contains(where: DeclinedAdvice.isDeclined) else { return false }
        let spoken = grounded.flatMap(\.sentenceKeys).reduce(into: Set<String>()) { $0.formUnion($1) }
        guard spoken.filter({ !$0.hasPrefix("s:") }).isDisjoint(with: keys) else { return false }
        return Self.beginnings(of: spoken).isDisjoint(with: Self.beginnings(of: keys))
    }

    /// Of long stems, as two languages share them: "inflation", "construct" in "construction" and "construcción".
    static func beginnings(of keys: Set<String>) -> Set<String> {
        Set(
            keys.compactMap { key in
                // A stem is `s:`, its language, and itself: "s:en:central".
                let stem = key.unicodeScalars.dropFirst(5)
                guard key.hasPrefix("s:"), stem.count >= sharedBeginning else { return nil }
                return String(String.UnicodeScalarView(stem.prefix(sharedBeginning)))
            })
    }

    private static let sharedBeginning = 5
    private static let fewestWordsOfAnswer = 8
    /// Of an answer that says that no model wrote it.
    private static let simulated: Set<String> = ["simuliert", "simulado", "simule"]

    /// A sentence of a good answer shares half of its words with its source. In the answers that other hands wrote, none
    /// shares less than a seventh.
    private static let leastShare = 7
    private static let fewestWords = 4
    private static let fewestKeys = 30
    /// Words of a sentence on the answer itself, or to the reader: "That is for you to decide".
    private static let labels: Set<String> = [
        "prose", "simulated", "sentence", "question", "you", "your", "i", "ich", "ihnen", "ihre", "usted", "tu", "je",
        "vous", "votre",
    ]
}
