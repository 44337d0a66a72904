/// One message of an event stream. Source: WHATWG HTML, "Server-sent events".
package struct ServerEvent: Sendable, Equatable {
    /// What the client sends back as `Last-Event-ID` when it reconnects.
    package var id: String?
    /// The event's type; `message` for clients when absent.
    package var event: String?
    /// Any text; its line ends arrive as `\n`. A message without data dispatches nothing at the client.
    package var data: String?
    /// Text that clients skip.
    package var comment: String?
    /// How long the client waits before it reconnects; whole milliseconds.
    package var retry: Duration?

    package init(
        id: String? = nil, event: String? = nil, data: String? = nil, comment: String? = nil, retry: Duration? = nil
    ) {
        self.id = id
        self.event = event
        self.data = data
        self.comment = comment
        self.retry = retry
    }

    /// The message as it stands in the stream, the empty line that ends it included. Line breaks never leave their field:
    /// data and comments are split into lines, in `id` and `event` they are dropped.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        if let comment { Self.append(comment, as: ": ", to: &bytes) }
        if let id { Self.append(Self.singleLine(id), as: "id: ", to: &bytes) }
        if let event { Self.append(Self.singleLine(event), as: "event: ", to: &bytes) }
        if let retry { Self.append(String(retry.nanoseconds / 1_000_000), as: "retry: ", to: &bytes) }
        if let data { Self.append(data, as: "data: ", to: &bytes) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func append(_ text: String, as field: StaticString, to bytes: inout [UInt8]) {
        let name = UnsafeBufferPointer(start: field.utf8Start, count: field.utf8CodeUnitCount)
        bytes.append(contentsOf: name)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            let isSecondHalf = previous == UInt8(ascii: "\r") && byte == UInt8(ascii: "\n")
            previous = byte
            if isSecondHalf { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                bytes.append(UInt8(ascii: "\n"))
                bytes.append(contentsOf: name)
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// NUL is dropped as well: clients ignore an id that has one.
    private static func singleLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" && $0 != "\0" }))
    }
}
