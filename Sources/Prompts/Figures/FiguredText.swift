internal import Basics

/// A text with its figures. Several rules look at the figures of an answer, and read them once.
struct FiguredText: Sendable {
    /// A sentence as the comparison of its figures with facts needs it.
    struct ReadSentence: Sendable {
        let text: String
        let words: FigureSentence
        let perDollar: PerDollar

        init(_ text: String, _ language: Language) {
            self.text = text
            words = FigureSentence(text, language)
            perDollar = PerDollar(sentence: text, language)
        }
    }

    private struct Content: Hashable, Sendable {
        var bytes: [UInt8]
        var language: Language
    }

    let plain: NormalizedText
    let tokens: [FigureToken]
    let figures: [TextFigure]
    private let ranges: [Range<Int>]
    /// The sentences with figures, by the places of their ranges.
    private let sentences: [Int: ReadSentence]
    private let language: Language

    private static let cache = ReadCache<Content, FiguredText>(capacity: 64 * 1024) { $0.bytes.count }

    /// The figures of a text of a language.
    static func of(_ text: String, _ language: Language) -> FiguredText {
        cache.value(Content(bytes: Array(text.utf8), language: language)) { _ in FiguredText(text, language) }
    }

    private init(_ text: String, _ language: Language) {
        self.language = language
        plain = NormalizedText(text)
        tokens = FigureTokenizer.tokens(of: plain, in: language)
        figures = FigureScanner.figures(in: plain, tokens: tokens)
        ranges = Sentences.ranges(in: plain)
        var sentences: [Int: ReadSentence] = [:]
        for figure in figures {
            guard let place = ranges.firstIndex(where: { $0.overlaps(figure.range) }), sentences[place] == nil else {
                continue
            }
            sentences[place] = ReadSentence(plain.string(ranges[place]), language)
        }
        self.sentences = sentences
    }

    /// The sentence of a figure.
    func sentence(of figure: TextFigure) -> ReadSentence {
        ranges.firstIndex { $0.overlaps(figure.range) }.flatMap { sentences[$0] }
            ?? ReadSentence(plain.string(figure.range), language)
    }

    /// The text of the sentence at a place.
    func sentence(at place: Range<Int>) -> String {
        plain.string(ranges.first { $0.overlaps(place) } ?? place)
    }
}
