internal import JobQueue
internal import Observability

extension Timestamp {
    /// `2026-11-21T10:52:45.183Z`
    var iso8601: String { ISO8601.text(milliseconds: milliseconds) }
}
