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
            sentences.append(Sentence(range: range, words: first..<place))
        }
        self.sentences = sentences
    }

    /// The words of a sentence, of which the first is the beginning.
    func words(of sentence: Sentence) -> [CalmWords.Word] {
        var words = Array(self.words[sentence.words])
        if let first = words.first, first.text != ",", first.text != "%" { words[0].startsSentence = true }
        return words
    }
}
