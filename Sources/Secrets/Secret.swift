/// A text that must not be seen: a key. Every way of printing it gives `[redacted]`.
public struct Secret: Sendable, Hashable {
    private let value: String

    public init(_ value: String) { self.value = value }

    /// The text itself, for the one place that puts it into a header.
    public func reveal() -> String { value }

    /// The text with every occurrence of the secret taken out.
    public func redact(_ text: String) -> String {
        guard value.utf8.count >= 4 else { return text }
        return text.split(separator: value, omittingEmptySubsequences: false).joined(separator: "[redacted]")
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "[redacted]" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
