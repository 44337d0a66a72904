internal import Basics

extension ClaimRule {
    /// The causes in a text that the sources do not give.
    ///
    /// A cause in the language of the sources is compared by its words, another one by the meanings, names and numbers in
    /// it. Where the sources say that the reason is not known, every cause of the same is one that they do not give.
    func strayCauses(in text: ParsedText, _ language: Language) -> [Problem] {
        let grounded = text.grounded(language)
        let isOwnLanguage = languages.contains(language)
        let givesCauses = clauses.contains { $0.clause.isCause && $0.clause.denied.isDisjoint(with: Self.reasons) }
        var found: [Problem] = []
        for (number, sentence) in text.sentences.enumerated() {
            let words = text.words(of: sentence)
            guard let behind = CauseWords.cause(in: words, language) else { continue }
            let cause = behind.map(\.text).joined(separator: " ")
            let reader = ClauseReader(language: language)
            let named = reader.clauses(ofPart: behind).reduce(into: Set<String>()) { $0.formUnion($1.keys) }
            if let unknown = unknownReason(of: grounded.sentenceKeys[number]) {
                found.append(Problem(reason: .cause, claim: cause, source: unknown))
                continue
            }
            let effect = CauseWords.effect(in: words, behind)
            // "It comes from the filings" tells no cause; "the fall came from dearer steel" does.
            if CauseWords.isOrigin(before: behind, in: words) {
                let keys = reader.keys(ofPart: effect).reduce(into: Set<String>()) { $0.formUnion($1) }
                if keys.isDisjoint(with: ["c:rise", "c:fall"]) { continue }
            }
            if isOwnLanguage, isAssembled(Array(behind), of: effect, language) {
                found.append(Problem(reason: .cause, claim: cause, source: nil))
                continue
            }
            var comparable = named.filter { $0.hasPrefix(isOwnLanguage ? "s:" : "c:") || $0.hasPrefix("n:") }
            // A company and its shares are in every source.
            if !isOwnLanguage, !comparable.subtracting(Self.everywhere).isEmpty { comparable.subtract(Self.everywhere) }
            // That something rose tells no cause without the thing that did.
            if !isOwnLanguage, !comparable.subtracting(Self.movements).isEmpty { comparable.subtract(Self.movements) }
            let known = comparable.filter { keys.contains($0) || isHeldAsConcept($0, named) }
            let things = comparable.intersection(Self.things)
            let isStray =
                isOwnLanguage
                ? comparable.count >= 2 && Double(known.count) < (givesCauses ? 0.4 : 0.5) * Double(comparable.count)
                    && isUnheard(reader.keys(ofPart: behind))
                : !comparable.isEmpty && known.isEmpty && (!givesCauses || !things.isEmpty)
            if isStray { found.append(Problem(reason: .cause, claim: cause, source: nil)) }
        }
        return found
    }

    /// Whether the sources speak of less than half of some words, nor of what is put for them.
    private func isUnheard(_ words: [Set<String>]) -> Bool {
        2 * words.count { !$0.isDisjoint(with: heard) } < words.count
    }

    private static let reasons: Set<String> = ["c:reason"]
    private static let everywhere: Set<String> = ["c:company", "c:share", "c:bank", "c:price", "c:customer", "c:rate"]

    private static let movements: Set<String> = ["c:rise", "c:fall", "c:change", "c:more", "c:fewer"]

    /// Actors and goods: a cause that names one of them, and nothing that the sources have, is not theirs.
    private static let things: Set<String> = Set(
        """
        government union court supplier tariff strike oil gas energy electricity food cocoa coffee bread milk petrol egg
        drug chip inflation subsidy lawsuit accident inquiry ban unemployment
        """.split(whereSeparator: \.isWhitespace).map { "c:" + $0 })

    /// Whether another word of the sources means the same; one concept stands for one stem.
    private func isHeldAsConcept(_ key: String, _ named: Set<String>) -> Bool {
        named.contains { $0.hasPrefix("c:") && keys.contains($0) && ConceptLexicon.names($0, by: key) }
    }

    /// The clause of the sources which says that the reason of the same is not known.
    private func unknownReason(of sentence: Set<String>) -> String? {
        clauses.first { known in
            known.clause.denied.contains("c:reason")
                && !known.around.intersection(sentence).filter { $0 != "c:reason" && !$0.hasPrefix("n:") }.isEmpty
        }?.clause.text
    }
}

/// The words by which a sentence gives a cause.
enum CauseWords {
    private static let markers: [Language: [[String]]] = [
        .english: """
        because_of because due_to owing_to thanks_to caused_by on_account_of as_a_result_of
        came_from comes_from stemmed_from stems_from resulted_from
        """.listedPhrases,
        .german: "weil wegen aufgrund infolge denn dank kam_von kommt_von kamen_von".listedPhrases,
        .spanish: "porque debido_a a_causa_de por_culpa_de gracias_a ya_que puesto_que se_debio_a se_debe_a viene_de"
            .listedPhrases,
        .french:
            "parce_que parce_qu en_raison_de en_raison a_cause_de a_cause grace_a car puisque vient_du vient_des vient_de_l provient_de provient_du"
            .listedPhrases,
    ]

    /// Whether a text gives a cause.
    static func gives(_ text: ParsedText, _ language: Language) -> Bool {
        text.sentences.contains { cause(in: text.words(of: $0), language) != nil }
    }

    /// The part of a sentence behind the first word that gives a cause; `nil` when it gives none.
    static func cause(in words: [CalmWords.Word], _ language: Language) -> ArraySlice<CalmWords.Word>? {
        let folded = words.map(\.folded)
        for place in words.indices {
            for marker in markers[language] ?? [] where folded[place...].starts(with: marker) {
                // "Not because …" and "perhaps because …" give none.
                let before = folded[max(0, place - 2)..<place]
                if before.contains(where: WordLists.of(language).negations.contains) { continue }
                let rest = words[(place + marker.count)...].prefix { $0.lower != "," }
                return rest.isEmpty ? nil : rest
            }
        }
        return nil
    }

    /// Whether the words before a cause say where something comes from.
    static func isOrigin(before cause: ArraySlice<CalmWords.Word>, in words: [CalmWords.Word]) -> Bool {
        words[max(0, cause.startIndex - 3)..<cause.startIndex].contains { origins.contains($0.folded) }
    }

    private static let origins: Set<String> = [
        "came", "comes", "stemmed", "stems", "kam", "kamen", "kommt", "viene", "vient", "provient",
    ]

    /// What a sentence says to have that cause: the words before it, or behind it where the sentence begins with it.
    static func effect(
        in words: [CalmWords.Word], _ cause: ArraySlice<CalmWords.Word>
    ) -> [CalmWords.Word] {
        let before = words[..<max(0, cause.startIndex - 1)].filter(\.text.beginsWithLetter)
        return before.count > 2 ? before : words[cause.endIndex...].filter(\.text.beginsWithLetter)
    }
}
