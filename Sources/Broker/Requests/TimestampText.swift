internal import FoundationEssentials
package import JobQueue

extension Timestamp {
    /// The longest text of a time.
    static let longestText = 40

    /// Reads a date and time such as `2026-11-21T09:00:00Z`, with or without a fraction of a second.
    package init?(iso8601 text: String) {
        guard text.utf8.count <= Self.longestText else { return nil }
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: fractional)) else {
            return nil
        }
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let whole = Int64(exactly: milliseconds) else { return nil }
        self.init(milliseconds: whole)
    }
}
