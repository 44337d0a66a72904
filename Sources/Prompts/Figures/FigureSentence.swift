/// What the words of a sentence say of the figures in it.
struct FigureSentence {
    /// Whether a word can turn a figure into a negative one (`loss`, `fell`).
    let speaksOfLess: Bool
    let mentionsShares: Bool

    init(_ sentence: String) {
        let words = Set(sentence.lowercased().split { !$0.isLetter }.map(String.init))
        speaksOfLess = !words.isDisjoint(with: FigureVocabulary.negatives)
        mentionsShares = words.contains("shares") || words.contains("share") || words.contains("stock")
    }
}
