internal import Basics

/// A text in its sentences and words, so that several rules can read it and it is split once.
struct ParsedText: Sendable {
    /// A sentence.
    struct Sentence: Sendable {
        /// Its place in the text.
        var range: Range<Int>
        /// Its words, by their numbers in the text.
        var words: Range<Int>
    }

    let text: String
    let plain: NormalizedText
    let words: [CalmWords.Word]
    let sentences: [Sentence]
    /// The language in which it is written; `nil` where it is too short to say.
    let language: Language?

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

    /// The words of a sentence, of which the first is the beginning.
    func words(of sentence: Sentence) -> [CalmWords.Word] {
        var words = Array(self.words[sentence.words])
        if let first = words.first, first.text != ",", first.text != "%" { words[0].startsSentence = true }
        return words
    }
}
