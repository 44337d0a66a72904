internal import Basics
internal import JSON

/// How much of a text another one says, in whatever words: words with the same stem count as one, and so do words of the
/// same meaning.
struct Likeness {
    /// From 0, for a text that says nothing of it or the contrary, to 1.
    let share: Double

    /// `nil` where nothing is expected.
    ///
    /// - Parameters:
    ///   - text: What somebody wrote.
    ///   - expected: What the text is to say.
    ///   - question: What was asked; an answer that only repeats it says nothing.
    ///   - source: The passage that both are about.
    init?(of text: String, to expected: String, question: String = "", source: String = "") {
        let wanted = Self.keys(of: expected)
        guard !wanted.isEmpty else { return nil }
        let given = Self.keys(of: text)
        let shared = wanted.filter { key in given.contains { Self.isSame(key, $0) } }
        let asked = Self.keys(of: question)
        let isTelling = shared.contains { !asked.contains($0) } || wanted.allSatisfy(asked.contains)
        let isContrary =
            Self.turns(given, wanted) || Self.reverses(text, expected)
            || Self.denies(text, wanted, besides: expected + " " + source)
        share = isTelling && !isContrary ? Double(shared.count) / Double(wanted.count) : 0
    }

    // MARK: Words

    /// The meanings of a text's words, or their stems where they have none.
    private static func keys(of text: String) -> Set<String> {
        Set(words(of: text).filter(Words.isTelling).map(key))
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().replacing("\u{2019}", with: "'").replacing("n't", with: " not").split { !$0.isLetter }
            .map(String.init)
    }

    private static func key(of word: String) -> String {
        let meaning = meanings.first { meaning in
            meaning.beginnings.contains { $0.count < shortestBeginning ? word == $0 : word.hasPrefix($0) }
        }
        return meaning.map { "m:" + $0.name } ?? Words.allStems(of: word).first ?? word
    }

    private static let shortestBeginning = 5

    private static let meanings: [(name: String, beginnings: [String])] = Phrases.shared.synonyms.map {
        ($0.key, ($0.value.string ?? "").split(separator: " ").map(String.init))
    }

    /// Whether two stems are forms of one word: `optimal`, `optimum`.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        guard !left.hasPrefix("m:"), !right.hasPrefix("m:") else { return false }
        let common = zip(left, right).prefix { $0 == $1 }.count
        return common >= 5 && common >= max(left.count, right.count) - 3
    }

    // MARK: Contraries

    /// Whether a text has a meaning where the other one has the opposite.
    private static func turns(_ given: Set<String>, _ wanted: Set<String>) -> Bool {
        func turns(_ own: String, _ opposite: String) -> Bool {
            let (own, opposite) = ("m:" + own, "m:" + opposite)
            guard wanted.contains(own), !wanted.contains(opposite) else { return false }
            return given.contains(opposite) && !given.contains(own)
        }
        return Phrases.shared.pairs("contraries").contains { turns($0.first, $0.second) || turns($0.second, $0.first) }
    }

    /// The same for words of direction that have no meaning of their own.
    private static func reverses(_ text: String, _ expected: String) -> Bool {
        let (given, wanted) = (Set(words(of: text)), Set(words(of: expected)))
        return given.contains { word in
            guard word.count > 4, let opposite = Phrases.shared.opposites[word] else { return false }
            return wanted.contains(opposite) && !wanted.contains(word) && !given.contains(opposite)
        }
    }

    /// Whether a text denies a word that the other one has, where neither that one nor the source denies anything.
    private static func denies(_ text: String, _ wanted: Set<String>, besides others: String) -> Bool {
        guard !words(of: others).contains(where: negations.contains) else { return false }
        let words = words(of: text)
        return words.indices.contains { place in
            negations.contains(words[place])
                && words[place...].dropFirst().prefix(4).contains { wanted.contains(key(of: $0)) }
        }
    }

    private static let negations: Set<String> = [
        "not", "no", "never", "nothing", "without", "cannot", "nicht", "kein", "keine", "keinen", "nie", "niemals",
        "ohne", "nunca", "jam\u{E1}s", "ning\u{FA}n", "ninguna", "sin", "jamais", "aucun", "aucune", "sans", "ne",
    ]
}
