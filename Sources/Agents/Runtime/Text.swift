internal import JobQueue
internal import Observability

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last].drop(while: \.isWhitespace))
    }
}

extension Timestamp {
    /// `2026-11-21T10:52:45.183Z`
    var iso8601: String { ISO8601.text(milliseconds: milliseconds) }
}
