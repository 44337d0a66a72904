internal import Basics

/// The similarity of two texts by their words or their characters, without a model.
enum TextSimilarity {
    /// Longer texts are cut for the edit distance, whose cost grows with the length.
    private static let longestText = 20_000

    /// Runs of letters and digits, in lower case.
    static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isWordPart }.map(String.init)
    }

    /// The cosine of the angle between the counts of words: 1 for the same words as often, 0 for none in common. Two
    /// texts without words are the same.
    static func cosine(_ left: String, _ right: String) -> Double {
        let (left, right) = (counts(words(of: left)), counts(words(of: right)))
        if left.isEmpty || right.isEmpty { return left.isEmpty && right.isEmpty ? 1 : 0 }
        let common = left.reduce(0) { $0 + $1.value * (right[$1.key] ?? 0) }
        let lengths = [left, right].map { $0.values.reduce(0) { $0 + $1 * $1 } }
        return Double(common) / (Double(lengths[0]) * Double(lengths[1])).squareRoot()
    }

    /// The share of a reference's runs of `n` words that a text repeats (ROUGE-N recall).
    static func overlap(of text: String, with reference: String, n: Int) -> Double {
        let wanted = runs(of: words(of: reference), n)
        guard !wanted.isEmpty else { return 1 }
        let found = counts(runs(of: words(of: text), n))
        let common = counts(wanted).reduce(0) { $0 + min($1.value, found[$1.key] ?? 0) }
        return Double(common) / Double(wanted.count)
    }

    /// The number of characters to insert, remove or replace to turn one text into the other; `nil` when more
    /// than the limit.
    static func editDistance(_ left: String, _ right: String, limit: Int) -> Int? {
        let (left, right) = (
            Array(left.unicodeScalars.prefix(longestText)), Array(right.unicodeScalars.prefix(longestText))
        )
        guard abs(left.count - right.count) <= limit else { return nil }
        let far = limit + 1
        // Only places within the limit of the diagonal can be on a way that is short enough.
        var above = (0...right.count).map { min($0, far) }
        for row in 0..<left.count {
            var current = [Int](repeating: far, count: right.count + 1)
            current[0] = min(row + 1, far)
            let columns = max(0, row - limit)..<max(max(0, row - limit), min(right.count, row + limit + 1))
            for column in columns {
                let replaced = above[column] + (left[row] == right[column] ? 0 : 1)
                current[column + 1] = min(replaced, above[column + 1] + 1, current[column] + 1, far)
            }
            above = current
        }
        return above[right.count] <= limit ? above[right.count] : nil
    }

    private static func counts(_ words: [String]) -> [String: Int] {
        words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private static func runs(of words: [String], _ n: Int) -> [String] {
        guard words.count >= n else { return [] }
        return (0...(words.count - n)).map { words[$0..<($0 + n)].joined(separator: " ") }
    }
}

/// The stems of the words that carry the meaning of a short text, to decide whether two texts ask or name the same.
package struct ContentWords: Sendable, Hashable {
    package let stems: Set<String>

    package init(_ text: String) {
        let words = text.lowercased().split { !$0.isWordPart }.map(String.init)
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
