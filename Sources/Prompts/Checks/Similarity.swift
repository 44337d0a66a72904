/// The similarity that a text must have to another one, at least or at most.
package struct Similarity: Sendable, Hashable {
    package enum Measure: Sendable, Hashable {
        /// `similar`: the cosine of the two texts' counts of words, from 0 (no word in common) to 1 (the same words as
        /// often). It needs no model, so it is the same everywhere and free.
        case cosine
        /// `levenshtein`: the number of characters to insert, remove or replace.
        case editDistance
        /// `rouge-n`: the share of the other text's runs of `n` words that the text repeats, from 0 to 1.
        case overlap(n: Int)
    }

    /// The text for the comparison.
    package enum Reference: Sendable, Hashable {
        case text(String)
        /// Values of the prompt's input; the nearest of them counts.
        case input(OutputPath)
    }

    package var measure: Measure
    package var reference: Reference
    /// The lowest similarity, or the highest distance, that still counts as near.
    package var threshold: Double
    /// Whether the text must not be near.
    package var isNegated: Bool

    init(_ measure: Measure, to reference: Reference, threshold: Double? = nil, isNegated: Bool = false) {
        self.measure = measure
        self.reference = reference
        self.threshold = threshold ?? measure.usualThreshold
        self.isNegated = isNegated
    }

    /// The name by which files declare it.
    var name: String {
        let name =
            switch measure {
            case .cosine: "similar"
            case .editDistance: "levenshtein"
            case .overlap: "rouge-n"
            }
        return (isNegated ? "not-" : "") + name
    }
}

extension Similarity.Measure {
    /// The threshold of promptfoo.
    var usualThreshold: Double { self == .editDistance ? 5 : 0.75 }
}

extension Similarity {
    /// The problem of a text, worded for the model that will repair it; `nil` when there is none.
    func problem(in text: String, references: [String]) -> String? {
        guard !references.isEmpty else {
            return isNegated ? nil : "There is nothing in the input to compare it with."
        }
        switch measure {
        case .editDistance:
            let limit = Int(threshold)
            let near = references.contains { TextSimilarity.editDistance(text, $0, limit: limit) != nil }
            if near != isNegated { return nil }
            return isNegated
                ? "It is the same as \(quoted(references)) but for \(limit) characters or fewer: say something else."
                : "It differs from \(quoted(references)) in more than \(limit) characters."
        case .cosine, .overlap:
            let best = references.map(score(text)).max() ?? 0
            if (best >= threshold) != isNegated { return nil }
            let found = "\(Self.percent(best))%, and \(Self.percent(threshold))%"
            return isNegated
                ? "It repeats \(quoted(references)) (\(what): \(found) is too much): say it in other words."
                : "It is too far from \(quoted(references)) (\(what): \(found) is wanted)."
        }
    }

    private var what: String {
        if case .overlap(let n) = measure { return n == 1 ? "words repeated" : "runs of \(n) words repeated" }
        return "similarity of words"
    }

    private func score(_ text: String) -> (String) -> Double {
        { reference in
            if case .overlap(let n) = measure { return TextSimilarity.overlap(of: text, with: reference, n: n) }
            return TextSimilarity.cosine(text, reference)
        }
    }

    private func quoted(_ references: [String]) -> String {
        guard references.count == 1, let only = references.first else { return "what the input holds" }
        return "\"\(only.prefix(80))\(only.count > 80 ? "…" : "")\""
    }

    private static func percent(_ share: Double) -> String { short(share * 100) }
}
