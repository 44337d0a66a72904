/// The request that submitted a job, as stores keep it in one text: its id, and behind a space the `traceparent` of the
/// client, where it sent one. An id has no spaces.
package struct RequestOrigin: Sendable, Hashable {
    package var id: String?
    package var traceparent: String?

    package init(id: String?, traceparent: String?) {
        self.id = id
        self.traceparent = traceparent
    }

    /// Reads the text of a store.
    package init(stored text: String?) {
        let parts = text?.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false) ?? []
        id = parts.first.map { String($0) }
        traceparent = parts.count > 1 ? String(parts[1]) : nil
    }

    /// The text for a store.
    package var stored: String? { traceparent.map { "\(id ?? "") \($0)" } ?? id }
}
