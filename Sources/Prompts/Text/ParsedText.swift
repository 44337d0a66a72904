internal import Basics
internal import Synchronization

/// A text in its sentences and words, so that several rules can read it and it is split once.
struct ParsedText: Sendable {
    /// A sentence.
    struct Sentence: Sendable {
        /// Its place in the text.
        var range: Range<Int>
        /// Its words, by their numbers in the text.
        var words: Range<Int>
    }

    /// Texts of material, which the reports on a company have in common.
    static let cache = ReadCache<String, ParsedText>(capacity: 256 * 1024) { $0.utf8.count }

    let text: String
    let plain: NormalizedText
    let words: [CalmWords.Word]
    let sentences: [Sentence]
    /// The language in which it is written; `nil` where it is too short to say.
    let language: Language?
    private let readings = Readings()

    init(_ text: String) {
        self.text = text
        plain = NormalizedText(text)
        words = CalmWords.split(plain)
        language = LanguageDetector(words).language
        var sentences: [Sentence] = []
        var place = 0
        for range in Sentences.ranges(in: plain) {
            while place < words.count, words[place].range.lowerBound < range.lowerBound { place += 1 }
            let first = place
            while place < words.count, words[place].range.lowerBound < range.upperBound { place += 1 }
            sentences += Self.parts(of: Sentence(range: range, words: first..<place), words)
        }
        self.sentences = sentences
    }

    /// The words of the longest sentence. What goes on without an end, a table without stops or a hostile text, counts as
    /// several sentences: the rules compare the words of a sentence with each other, which must not cost more with the
    /// length of the text.
    static let longestSentence = 150

    private static func parts(of sentence: Sentence, _ words: [CalmWords.Word]) -> [Sentence] {
        guard sentence.words.count > longestSentence else { return [sentence] }
        let starts = stride(from: sentence.words.lowerBound, to: sentence.words.upperBound, by: longestSentence)
        return starts.map { start in
            let end = min(start + longestSentence, sentence.words.upperBound)
            let first = start == sentence.words.lowerBound ? sentence.range.lowerBound : words[start].range.lowerBound
            let last = end == sentence.words.upperBound ? sentence.range.upperBound : words[end].range.lowerBound
            return Sentence(range: first..<last, words: start..<end)
        }
    }

    /// Its clauses, read as those of a language once for all rules.
    func grounded(_ language: Language) -> GroundedText {
        readings.kept(language, \.clauses) { GroundedText(self, language: language) }
    }

    /// Its figures with what their sentences say of them, read as those of a source once for all materials that have it.
    func figuresOfSource(_ language: Language) -> [FigureOwnerRule.Read] {
        readings.kept(language, \.figures) { FigureOwnerRule.figures(in: self, language, isSource: true) }
    }

    /// The names of companies and people in it, as a text of a language.
    func names(_ language: Language) -> Set<String> {
        readings.kept(language, \.names) { MaterialNames.of(self, language) }
    }

    /// The words of a sentence, of which the first is the beginning.
    func words(of sentence: Sentence) -> [CalmWords.Word] {
        var words = Array(self.words[sentence.words])
        if let first = words.first, first.text != ",", first.text != "%" { words[0].startsSentence = true }
        return words
    }
}

/// What rules have read in a text, by the language in which they read it.
private final class Readings: Sendable {
    struct Kept: Sendable {
        var clauses: [Language: GroundedText] = [:]
        var figures: [Language: [FigureOwnerRule.Read]] = [:]
        var names: [Language: Set<String>] = [:]
    }

    private let all = Mutex(Kept())

    func kept<Reading: Sendable>(
        _ language: Language, _ path: WritableKeyPath<Kept, [Language: Reading]>, read: () -> Reading
    ) -> Reading {
        if let known = all.withLock({ $0[keyPath: path][language] }) { return known }
        let reading = read()
        all.withLock { $0[keyPath: path][language] = reading }
        return reading
    }
}
