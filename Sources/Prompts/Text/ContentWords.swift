internal import Basics

/// The words of a short text that carry its meaning, cut to their stems, to tell whether two texts ask or name the same.
package struct ContentWords: Sendable, Hashable {
    package let stems: Set<String>

    package init(_ text: String) {
        let words = text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
        let meaningful = words.filter { !Self.fillers.contains($0) }
        stems = Set((meaningful.isEmpty ? words : meaningful).map(Stemmer.stem))
    }

    /// From 0, no word in common, to 1, the same words (Dice's coefficient).
    package func similarity(to other: ContentWords) -> Double {
        let all = stems.count + other.stems.count
        return all == 0 ? 1 : 2 * Double(stems.intersection(other.stems).count) / Double(all)
    }

    /// The stems in order of the alphabet with spaces between them, as an index of texts keeps them; each is made of
    /// letters and digits.
    package var terms: String { stems.sorted().joined(separator: " ") }

    private static let fillers: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "been", "best", "by", "can", "describe", "describes", "did", "do",
        "does", "explain", "following", "for", "from", "has", "have", "how", "in", "into", "is", "it", "its", "of",
        "on",
        "one", "or", "that", "the", "their", "them", "these", "they", "this", "those", "to", "was", "were", "what",
        "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
    ]
}
