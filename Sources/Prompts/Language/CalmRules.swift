internal import Basics

/// The rules of calm language in German, Spanish and French. English prompts have theirs as patterns.
package enum CalmRule: String, Sendable, Hashable, CaseIterable {
    /// Advice to buy, sell, hold, wait or look further, in whatever words.
    case advice
    /// Urgency and pressure.
    case pressure
    /// Drama, hype and alarm, in polite words too.
    case drama
    /// Likelihoods as numbers.
    case odds
    /// What is said on the condition that the reader holds something.
    case conditions
    /// A warning where the text should end calmly.
    case warnings

    /// The first words of a text that break the rule; `nil` when none do. Words of the sources may be repeated.
    func match(in text: String, _ language: Language, except sources: [String] = []) -> String? {
        guard let phrases = Self.phrases[language]?[self], !phrases.isEmpty else { return nil }
        let words = CalmWords.split(NormalizedText(text))
        func isOfSources(_ found: Range<Int>) -> Bool {
            let stretch = words[found].map(\.lower)
            return sources.contains { stretch.occurs(in: CalmWords.split(NormalizedText($0)).map(\.lower)) }
        }
        for phrase in phrases {
            guard let found = phrase.match(in: words), !isOfSources(found) else { continue }
            return words[found].map(\.text).joined(separator: " ")
        }
        for phrase in Self.unattributed[language]?[self] ?? [] {
            guard let found = phrase.match(in: words), !Self.isView(found, of: words, language), !isOfSources(found)
            else { continue }
            return words[found].map(\.text).joined(separator: " ")
        }
        return self == .advice ? HedgedAdvice.match(in: text, language) : nil
    }

    /// Whether the sentence of some words gives them as somebody's view.
    private static func isView(_ found: Range<Int>, of words: [CalmWords.Word], _ language: Language) -> Bool {
        let start = words[..<found.lowerBound].lastIndex(where: \.endsSentence).map { $0 + 1 } ?? 0
        let end = words[found.lowerBound...].firstIndex(where: \.endsSentence) ?? words.count - 1
        return Attribution.isGiven(in: words[start...end].map(\.folded), language)
    }

    /// Phrases that do not hold for what a sentence gives as somebody's view.
    private static let unattributed: [Language: [CalmRule: [CalmPhrase]]] =
        [Language.german, .spanish, .french].reduce(into: [:]) { all, language in
            all[language] = [
                .advice: CalmPraise.lists[language].map(read) ?? [],
                .drama: CalmForeboding.lists[language].map(read) ?? [],
            ]
        }

    private static let phrases: [Language: [CalmRule: [CalmPhrase]]] = [
        .german: GermanCalm.lists.mapValues(read), .spanish: SpanishCalm.lists.mapValues(read),
        .french: FrenchCalm.lists.mapValues(read),
    ]

    /// One phrase on each line. `{name}` is a list of words with that name, which is given in the lists.
    private static func read(_ list: CalmList) -> [CalmPhrase] {
        list.lines.split(whereSeparator: \.isNewline).map { line in
            var written = String(line)
            for (name, words) in list.words { written = written.replacing("{\(name)}", with: words) }
            return CalmPhrase(written)
        }
    }
}

/// Phrases of a rule, one on each line, and the lists of words that they name.
struct CalmList {
    var words: [String: String] = [:]
    var lines: String
}
