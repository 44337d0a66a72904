internal import JSON

/// Finds texts of a list that say nearly the same.
enum NearDuplicates {
    /// Each text that is as similar to an earlier one as the limit or more, with that one's path.
    static func among(_ values: [(path: String, value: JSON)], limit: Double) -> [(path: String, like: String)] {
        var seen: [(path: String, words: ContentWords)] = []
        var found: [(path: String, like: String)] = []
        for (path, value) in values {
            let words = ContentWords(OutputText.all(in: value).map(\.text).joined(separator: " "))
            if let earlier = seen.first(where: { $0.words.similarity(to: words) >= limit }) {
                found.append((path, earlier.path))
            } else {
                seen.append((path, words))
            }
        }
        return found
    }
}
