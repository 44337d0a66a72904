/// Where a reader has come to in a feed: what `next_cursor` holds.
///
/// It names the moment at which the reader began and the last story shown of each stream, so that what arrives, grows or
/// falls behind meanwhile neither repeats a story nor leaves one out. To clients it is a word without meaning.
package struct FeedCursor: Sendable, Hashable {
    /// Milliseconds since 1970.
    package var begun: Int64
    /// The last story shown of each stream of the feed; `nil` where none was.
    package var last: [FeedKey?]

    package init(begun: Int64, last: [FeedKey?]) {
        self.begun = begun
        self.last = last
    }

    /// Reads a cursor of a feed of so many streams.
    ///
    /// - Returns: `nil` for what no such feed has given.
    package init?(_ text: String, streams: Int) {
        guard text.utf8.count <= 60 * (streams + 1) else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == streams + 1, let begun = Int64(parts[0], radix: 36), begun >= 0 else { return nil }
        self.begun = begun
        last = []
        for part in parts.dropFirst() {
            if part == "-" {
                last.append(nil)
                continue
            }
            let numbers = part.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0, radix: 36) }
            guard numbers.count == 4, let window = numbers[0], let importance = numbers[1],
                let createdAt = numbers[2], let group = numbers[3], (0...1000).contains(window),
                (0...1000).contains(importance), createdAt <= begun
            else { return nil }
            last.append(
                FeedKey(window: Int(window), importance: Int(importance), createdAt: createdAt, group: group))
        }
    }

    package var text: String {
        func word(_ number: some BinaryInteger) -> String { String(number, radix: 36) }
        let keys = last.map { key in
            key.map {
                [word($0.window), word($0.importance), word($0.createdAt), word($0.group)].joined(separator: "-")
            }
                ?? "-"
        }
        return ([word(begun)] + keys).joined(separator: ".")
    }
}
