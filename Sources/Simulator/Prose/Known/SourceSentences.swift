/// The sentences of a text that can be quoted as they stand: of a readable length, without addresses, and none that
/// speaks to whoever reads it for somebody else.
struct SourceSentences: Sendable {
    let all: [String]

    init(_ text: String) {
        all = Material.sentences(of: text).filter { sentence in
            let words = sentence.split(separator: " ").count
            let lower = sentence.lowercased()
            return (5...40).contains(words) && !Self.unfit.contains { lower.contains($0) }
        }
    }

    /// Sentences plain enough for an explanation that keeps calm.
    var calm: [String] {
        all.filter { sentence in
            let words = sentence.split(separator: " ")
            let letters = words.reduce(0) { $0 + $1.count(where: \.isLetter) }
            let lower = sentence.lowercased()
            return words.count <= 18 && Double(letters) / Double(words.count) <= 5.6
                && sentence.last.map { ".?".contains($0) } == true
                && !Self.restless.contains { lower.contains($0) }
        }
    }

    private static let unfit = [
        "http", "www.", ".com", "ignore ", "instruction", "system prompt", "{{", "</", "you are ", "score to",
    ]

    private static let restless = [
        "breaking", "urgent", "must", "hurry", "immediately", "right now", "last chance", "too late", "skyrocket",
        "soar",
        "plummet", "plunge", "nosedive", "meltdown", "frenzy", "mania", "explosive", "game-chang", "shock", "stunning",
        "massive", "panic", "guaranteed", "alarming", "disaster", "catastroph", "!", " buy ", " sell ", "you hold",
        "you own", "your ", "should ", "could ", "if you", "price target", "act now",
    ]
}

/// Words of a text without those that every text has, cut so that a plural is the same as a singular.
enum Stems {
    static func of(_ text: String) -> Set<String> { Set(words(text)) }

    static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter }.map(String.init).filter { $0.count > 2 && !common.contains($0) }
            .map(stem)
    }

    private static func stem(_ word: String) -> String {
        for ending in ["ing", "ed", "es", "s"] where word.hasSuffix(ending) && word.count - ending.count >= 4 {
            return String(word.dropLast(ending.count))
        }
        return word
    }

    static let common: Set<String> = [
        "about", "after", "all", "also", "and", "any", "are", "because", "been", "before", "but", "can", "did", "does",
        "each", "every", "few", "first", "for", "from", "had", "has", "have", "her", "his", "how", "into", "its",
        "just",
        "learn", "like", "made", "make", "many", "more", "most", "much", "new", "not", "now", "one", "only", "other",
        "our", "out", "over", "said", "says", "see", "she", "some", "such", "take", "than", "that", "the", "their",
        "them",
        "then", "there", "these", "they", "this", "those", "through", "too", "two", "under", "understand", "until",
        "use",
        "used", "very", "want", "was", "well", "were", "what", "when", "where", "which", "while", "who", "why", "will",
        "with", "would", "you", "your",
    ]
}
