/// A confidential text, such as a key. Every way of printing it gives `[redacted]`.
package struct Secret: Sendable, Hashable {
    private let value: String

    package init(_ value: String) { self.value = value }

    /// The text itself, for the one place that puts it into a header.
    package func reveal() -> String { value }

    /// The text with every occurrence of the secret taken out.
    package func redact(_ text: String) -> String {
        guard value.utf8.count >= 4 else { return text }
        return text.split(separator: value, omittingEmptySubsequences: false).joined(separator: "[redacted]")
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "[redacted]" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
