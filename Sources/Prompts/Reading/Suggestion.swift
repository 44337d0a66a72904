/// Finds what somebody meant who wrote a word that is not known.
enum Suggestion {
    /// The known word that is closest, when it is close enough to have been meant.
    static func closest(to word: String, among known: some Sequence<String>) -> String? {
        let limit = max(1, min(3, word.count / 3))
        let ranked = known.map { ($0, distance(word.lowercased(), $0.lowercased())) }.filter { $0.1 <= limit }
        return ranked.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// What to do about an unknown word: the one that was meant, or all that are known.
    static func fix(for word: String, among known: some Collection<String>) -> String {
        if let meant = closest(to: word, among: known) { return "did you mean '\(meant)'?" }
        if known.isEmpty { return "there are none" }
        return "known: \(known.sorted().joined(separator: ", "))"
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two words.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for i in 1...max(1, left.count) where !left.isEmpty {
            var row = [i]
            for j in 1...max(1, right.count) where !right.isEmpty {
                let cost = left[i - 1] == right[j - 1] ? 0 : 1
                var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + cost)
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    best = min(best, rows[i - 2][j - 2] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[rows.count - 1][right.count]
    }
}
