internal import Prompts

/// What the person who learns knows, and what they find hard.
struct Learner: Sendable {
    /// How a concept stands with the learner.
    enum Standing: String, Sendable {
        /// Among the concepts that they find hard; goes before `known`.
        case weak
        case known
        case new
    }

    /// From here on two names are one concept: all words agree, or two of three.
    private static let sameName = 0.79

    let known: [String]
    let weak: [String]

    /// How a concept stands, by its own name and by the learner's concept that the model holds to be the same.
    ///
    /// What the model says counts only when the learner did name that concept.
    func standing(of concept: String, same: String?) -> Standing {
        for name in [concept, same].compactMap(\.self) {
            if Self.contains(name, in: weak) { return .weak }
        }
        for name in [concept, same].compactMap(\.self) {
            if Self.contains(name, in: known) { return .known }
        }
        return .new
    }

    private static func contains(_ name: String, in list: [String]) -> Bool {
        let words = ContentWords(name)
        return !words.stems.isEmpty && list.contains { ContentWords($0).similarity(to: words) >= sameName }
    }
}
