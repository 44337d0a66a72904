internal import Basics

/// The words by which a sentence gives what it says as somebody's view: "the analyst called the share a fair choice".
enum Attribution {
    /// Whether a sentence gives somebody's view. The words are in lower case and without accents.
    static func isGiven(in words: some Collection<String>, _ language: Language) -> Bool {
        guard let signs = signs[language] else { return false }
        var last = ""
        for word in words {
            // "Who can say …" is nobody's view.
            if signs.contains(word), word != "say" || !modals.contains(last) { return true }
            last = word
        }
        return false
    }

    private static let modals: Set<String> = ["can", "could", "to", "may", "might"]

    private static let signs: [Language: Set<String>] = [
        .english: signs(
            .english,
            "say saying according called calls call rated rates rating considers considered sees saw thinks thought believes "
                + "believed recommended recommends described describes finds view opinion"),
        .german: signs(
            .german,
            "zufolge nennt nannte nannten stuft stufte bewertet bewertete halt hielt sieht sah glaubt empfiehlt empfahl ansicht "
                + "meinung einschatzung spricht sprach"),
        .spanish: signs(
            .spanish,
            "llamo califica califico considera considero cree creen ve recomienda recomendo opina opinion juicio"),
        .french: signs(
            .french, "juge jugent considere qualifie croit voit recommande conseille trouve avis opinion appelle"),
    ]

    private static func signs(_ language: Language, _ others: String) -> Set<String> {
        let speech = SpeechWords.of(language)
        // "Laut" and "selon" stand by themselves; longer phrases have a word of the list.
        let single = speech.attributions.filter { $0.count == 1 }.joined()
        return speech.verbs.union(single).union(speech.postpositions).union(others.listed)
    }
}
