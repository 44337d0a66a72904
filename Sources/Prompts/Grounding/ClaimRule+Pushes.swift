internal import Basics

extension ClaimRule {
    /// The sentences of a text by which one thing moved another, as in `That alone pushed the shares lower`, where the
    /// material has no cause of the other at all.
    ///
    /// A cause of it that the material gives in any sentence lets the text pass: what a word such as `that` stands for is
    /// not known.
    func strayPushes(in text: ParsedText, _ language: Language) -> [Problem] {
        guard languages.contains(language) else { return [] }
        return text.sentences.compactMap { sentence in
            let words = text.words(of: sentence)
            guard let moved = CauseWords.moved(in: words, language) else { return nil }
            let keys = ClauseReader(language: language).keys(ofPart: moved).reduce(into: Set<String>()) {
                $0.formUnion($1)
            }
            guard !keys.isEmpty, !caused.contains(where: { !$0.isDisjoint(with: keys) }) else { return nil }
            return Problem(
                reason: .cause, claim: words.map(\.text).filter { $0 != "," }.joined(separator: " "), source: nil)
        }
    }

    /// The keys of each sentence of the sources that may give a cause, by whatever word.
    static func causedSentences(of sources: [ParsedText]) -> [Set<String>] {
        sources.flatMap { text in
            let language = text.language ?? .english
            return zip(text.sentences, text.grounded(language).sentenceKeys).compactMap { sentence, keys in
                CauseWords.mayGive(text.words(of: sentence), language) ? keys : nil
            }
        }
    }
}

extension CauseWords {
    /// What a sentence says that something pushed up or down; `nil` when it says so of nothing, and where it was buyers or
    /// sellers.
    static func moved(in words: [CalmWords.Word], _ language: Language) -> ArraySlice<CalmWords.Word>? {
        guard language == .english else { return nil }
        let folded = words.map(\.folded)
        for verb in folded.indices.dropFirst() where pushes.contains(folded[verb]) {
            let subject = folded[..<verb].suffix(3)
            if subject.contains(where: { traders.contains($0) || open.contains($0) }) { continue }
            let end = folded[(verb + 1)...].prefix(6).firstIndex { directions.contains($0) || $0 == "," }
            guard let end, end > verb + 1, directions.contains(folded[end]) else { continue }
            return words[(verb + 1)..<end]
        }
        return nil
    }

    /// Whether a text says that something pushed another thing up or down.
    static func tellsMove(_ text: ParsedText, _ language: Language) -> Bool {
        text.sentences.contains { moved(in: text.words(of: $0), language) != nil }
    }

    /// Whether a sentence of the sources may give a cause, also by a word that often gives none.
    static func mayGive(_ words: [CalmWords.Word], _ language: Language) -> Bool {
        let folded = words.map(\.folded)
        let lists = WordLists.of(language)
        if folded.contains(where: { lists.causes.contains($0) || pushes.contains($0) || links.contains($0) }) {
            return true
        }
        return lists.causePhrases.contains { $0.occurs(in: folded) }
            // `Shares fall on weak outlook`, but not `on Thursday`, `on 3 May`.
            || words.indices.dropLast().contains {
                folded[$0] == "on" && !words[$0 + 1].isCapitalised && !words[$0 + 1].isNumber
            }
    }

    private static let pushes: Set<String> = [
        "pushed", "pushes", "pushing", "drove", "drives", "driving", "sent", "sends", "sending", "dragged", "drags",
        "dragging", "pulled", "pulls", "forced", "forces", "knocked", "knocks",
    ]
    private static let directions: Set<String> = [
        "lower", "higher", "down", "up", "downward", "downwards", "upward", "upwards", "falling", "tumbling", "soaring",
        "sliding", "rising", "climbing", "surging", "plunging",
    ]
    private static let traders: Set<String> = [
        "investor", "investors", "trader", "traders", "buyer", "buyers", "seller", "sellers", "not", "never",
    ]
    private static let open: Set<String> = ["may", "might", "could", "would", "can", "to", "if", "whether", "perhaps"]
    /// Words that may tell a cause in the sources, beside those of the lists.
    private static let links: Set<String> = [
        "as", "following", "despite", "on_the_back", "helped", "helps", "help", "hit", "hits", "hurt", "hurts",
        "boosted",
        "boosts", "boost", "lifted", "lifts", "lift", "weighs", "weigh", "weighing", "response", "reacted", "reaction",
        "responded", "thanks", "reflecting", "reflects", "reflected", "triggered", "triggers", "prompted", "prompts",
        "spurred", "fuelled", "fueled", "amid", "with", "when", "make", "makes", "made", "raises", "raised", "lowers",
        "lowered", "cuts", "cut", "by", "from", "which", "so", "mean", "means", "meant", "affect", "affects",
        "affected",
    ]
}
