/// The header `traceparent` of W3C's Trace Context, version 00: `00-TRACE-SPAN-FLAGS`.
package struct TraceParent: Sendable, Hashable, CustomStringConvertible {
    package let trace: TraceID
    package let span: SpanID
    /// Whether the caller records the trace.
    package let isSampled: Bool

    package init(trace: TraceID, span: SpanID, isSampled: Bool) {
        self.trace = trace
        self.span = span
        self.isSampled = isSampled
    }

    /// Reads a header; `nil` for anything malformed, which counts as no header. Later versions may append further parts.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0] != "ff", text.utf8.count <= 255,
            let version = Self.number(parts[0], digits: 2), version > 0 || parts.count == 4,
            parts[1].utf8.count == 32, let high = Self.number(parts[1].prefix(16), digits: 16),
            let low = Self.number(parts[1].suffix(16), digits: 16), high != 0 || low != 0,
            let span = Self.number(parts[2], digits: 16), span != 0, let flags = Self.number(parts[3], digits: 2)
        else { return nil }
        self.init(trace: TraceID(high: high, low: low), span: SpanID(span), isSampled: flags & 1 == 1)
    }

    package var description: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }

    private static func number(_ text: Substring, digits: Int) -> UInt64? {
        let isHexadecimal = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return text.utf8.count == digits && isHexadecimal ? UInt64(text, radix: 16) : nil
    }
}
