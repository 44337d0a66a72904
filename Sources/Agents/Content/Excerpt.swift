/// As much of a text as a model is given to read: the beginning, up to the end of a paragraph or else of a sentence.
struct Excerpt: Sendable, Hashable {
    /// Characters that a model reads of one piece of content: about an hour of talk.
    static let limit = 48_000

    let text: String
    /// Characters of the whole text.
    let total: Int

    /// How many characters were kept.
    var count: Int { text.count }
    var isCut: Bool { count < total }

    init(of text: String, limit: Int = Self.limit) {
        total = text.count
        guard total > limit else {
            self.text = text
            return
        }
        let head = text.prefix(limit)
        // A paragraph or sentence that is longer than half of what may be kept is cut in its midst, between two words.
        let half = head.index(head.startIndex, offsetBy: limit / 2)
        let end =
            head.lastIndex(where: \.isNewline)
            .flatMap { $0 > half ? $0 : nil }
            ?? head.lastIndex { ".!?".contains($0) }.map { head.index(after: $0) }.flatMap { $0 > half ? $0 : nil }
            ?? head.lastIndex(where: \.isWhitespace) ?? head.endIndex
        self.text = String(head[..<end])
    }

    /// What the model is told of the cut; `nil` when there is none.
    var remark: String? {
        isCut ? "The text is the first \(count) of \(total) characters; what follows was left out." : nil
    }
}
