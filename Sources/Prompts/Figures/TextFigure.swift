internal import Basics

/// A figure found in a text.
struct TextFigure {
    /// One way to understand a figure.
    ///
    /// `10` in `$10–12 billion` can be ten dollars and ten billion.
    struct Reading: Equatable {
        enum Kind: Equatable {
            case plain
            /// Of people, shops or other things that are neither money nor shares.
            case count
            case percent
            /// In one of these currencies.
            case money(Set<String>)
            case times
            case shares
            case years
            /// `two-thirds`, as a share of one.
            case fraction
            /// `doubled` (2), `fivefold` (5), `halved` (0.5).
            case multiple
        }

        var kind: Kind
        /// The value without its sign.
        var value: Double
        /// The value of one unit in the last digit that counts; a fact is the same figure when it rounds to it.
        var step: Double
    }

    enum Direction { case up, down }

    /// The text of the figure, with its unit.
    var text: String
    var readings: [Reading]
    /// The direction by its sign or the verb right before it.
    var direction: Direction?
    /// Whether brackets enclose it, which mean a minus to bookkeepers and an aside to writers.
    var isBracketed = false
    /// Whether it is a small number in words, a figure only as one end of a range (`five to six percent`).
    var isTentative = false
    /// Its place in the tokens and in the text.
    var tokens: Range<Int>
    var range: Range<Int>
    /// The number as written times its own scale word, which a neighbour's unit may apply to (`10` of `10 to 12%`).
    var number: Double
    var numberStep: Double
    /// The factor of its scale word; 1 without one.
    var scale: Double

    /// Whether it is a fraction or a multiple in words, which many figures come near to.
    var isRough: Bool { readings.first.map { $0.kind == .fraction || $0.kind == .multiple } ?? false }
}

/// The words of a sentence that bear on the figures in it.
struct FigureSentence {
    /// Whether a word can turn a figure into a negative one (`loss`, `fell`).
    let speaksOfLess: Bool
    let mentionsShares: Bool
    /// The beginnings of its longer words.
    private let stems: Set<Substring>

    init(_ sentence: String, _ language: Language) {
        let written = sentence.lowercased().split { !$0.isWordLetter }.map(String.init)
        let words = Set(ForeignFigureWords.of(language)?.english(written) ?? written)
        speaksOfLess = !words.isDisjoint(with: FigureVocabulary.negatives)
        mentionsShares = words.contains("shares") || words.contains("share") || words.contains("stock")
        stems = Self.stems(of: words)
    }

    /// Whether the sentence has one of the words of a fact's label; `nil` for a label without words of its own.
    func names(_ fact: Fact) -> Bool? {
        let label = Self.labels.value(fact.label) { label in
            Self.stems(of: Set(label.lowercased().split { !$0.isWordLetter }.map(String.init)))
        }
        return label.isEmpty ? nil : !label.isDisjoint(with: stems)
    }

    /// The stems of labels of facts, which are the same for every company.
    private static let labels = ReadCache<String, Set<Substring>>(capacity: 64 * 1024) { $0.utf8.count }

    private static let stemLength = 5
    private static let periods: Set<String> = ["fiscal", "year", "years", "quarter", "trailing", "twelve", "months"]

    private static func stems(of words: Set<String>) -> Set<Substring> {
        Set(words.filter { $0.utf8.count > 3 && !periods.contains($0) }.map { $0.prefix(stemLength) })
    }
}
