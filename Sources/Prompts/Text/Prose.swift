/// What the checks count in a text.
struct Prose {
    let text: String

    init(_ text: String) { self.text = text }

    /// What stands between spaces and has a letter or a digit.
    var words: [Substring] {
        text.split(whereSeparator: \.isWhitespace).filter { word in word.contains { $0.isLetter || $0.isNumber } }
    }

    var sentences: [String] { Sentences.split(text) }

    /// Stretches of text with empty lines between them.
    var paragraphs: [String] {
        var paragraphs: [String] = []
        var lines: [Substring] = []
        let rows: [Substring] = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in rows + [""] {
            if line.allSatisfy(\.isWhitespace) {
                if !lines.isEmpty { paragraphs.append(lines.joined(separator: "\n")) }
                lines = []
            } else {
                lines.append(line)
            }
        }
        return paragraphs
    }

    var averageSentenceWords: Double {
        let count = sentences.count
        return count == 0 ? 0 : Double(words.count) / Double(count)
    }

    /// The Flesch–Kincaid grade: the years of school that reading it takes, by the length of sentences and of words.
    var readingGrade: Double {
        let words = words
        guard !words.isEmpty else { return 0 }
        let syllables = words.reduce(0) { $0 + Self.syllables(in: $1) }
        return 0.39 * averageSentenceWords + 11.8 * Double(syllables) / Double(words.count) - 15.59
    }

    /// Groups of vowels, without a silent final e; at least one.
    private static func syllables(in word: Substring) -> Int {
        let letters = word.lowercased().filter(\.isLetter)
        var count = 0
        var wasVowel = false
        for letter in letters {
            let isVowel = "aeiouyáéíóúäëïöü".contains(letter)
            if isVowel, !wasVowel { count += 1 }
            wasVowel = isVowel
        }
        if letters.hasSuffix("e"), !letters.hasSuffix("le"), count > 1 { count -= 1 }
        return max(count, 1)
    }
}
