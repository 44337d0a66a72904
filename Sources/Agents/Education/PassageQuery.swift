internal import Foundation
internal import Prompts
internal import JobQueue

/// The words of a question that tell what it is about, and how near passages are to it.
struct PassageQuery: Sendable {
    /// A passage answers when it holds words that make up more than this share of the question's weight.
    private static let enough = 0.5
    /// Passages this much less near than the nearest one are left out.
    private static let share = 0.6

    /// Stems, in order of the alphabet.
    let terms: [String]
    /// The words themselves, for an index that has stems of its own.
    let words: [String]

    init(_ question: String) {
        terms = ContentWords(question).stems.subtracting(Self.askingWords).sorted()
        let wanted = Set(terms)
        words = question.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
            .filter { !wanted.isDisjoint(with: ContentWords($0).stems) }
    }

    /// The passages that are near enough, the nearest first.
    ///
    /// A word weighs the more the fewer of the passages hold it: one that none holds, such as the name of something that
    /// nothing is known of, weighs most, and keeps a question about it from being answered by what is near to the rest.
    func nearest(of passages: [Passage]) -> [Passage] {
        guard !terms.isEmpty else { return [] }
        let words = passages.map { Set($0.terms.split(separator: " ").map(String.init)) }
        let weights = Dictionary(
            uniqueKeysWithValues: terms.map { term -> (String, Double) in
                let holders = Double(words.count { $0.contains(term) })
                return (term, log(1 + (Double(words.count) + 1) / (holders + 0.5)))
            })
        let total = weights.values.reduce(0, +)
        let scored = zip(passages, words).map { passage, words -> (passage: Passage, cover: Double, rank: Double) in
            let title = ContentWords(passage.title).stems
            func weight(of terms: some Sequence<String>) -> Double { terms.reduce(0) { $0 + (weights[$1] ?? 0) } }
            let cover = weight(of: terms.filter(words.contains)) / total
            // What a passage is called says more of what it is about than a word within it.
            return (passage, cover, cover + 0.3 * weight(of: terms.filter(title.contains)) / total)
        }
        guard let best = scored.map(\.cover).max(), best > Self.enough else { return [] }
        return scored.filter { $0.cover > Self.enough * Self.share && $0.cover >= best * Self.share }
            .sorted { ($1.rank, $0.passage.naturalKey) < ($0.rank, $1.passage.naturalKey) }
            .map(\.passage)
    }

    /// Words by which people ask, whatever they ask about.
    private static let askingWords = ContentWords(
        """
        tell me i my mine we our ours us about mean meaning means meant differ difference differences different between work
        works working important importance example examples give simple simply term terms word words define defined
        definition understand know known need should shall could would may might must good bad better worse use used useful
        help learn if get got much many more most less least than there also make makes made so really actually please like
        think say says said concept idea question answer thing things something someone people person beginner basic basics
        investor investors investing invest matter matters then now just not no yes any some all ever never always often let
        look looking talk true false right wrong kind type sort too same s t m d ll re ve
        """
    ).stems
}
