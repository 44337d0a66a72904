internal import HTTP

/// When a provider says that it may be asked again.
enum RetryHint {
    /// `retry-after-ms`, else `retry-after` as seconds (fractions allowed) or as a date.
    static func read(_ headers: HTTPHeaders, now: Int64) -> Duration? {
        RetryAfter.parse(headers, now: HTTPDate(secondsSinceEpoch: Int(now)))
    }

    /// A protobuf duration: `37s`, `1.68s`. Beyond a year it means nothing.
    static func protobufDuration(_ text: String) -> Duration? {
        guard text.hasSuffix("s"), let seconds = Double(text.dropLast()), (0..<31_536_000).contains(seconds) else {
            return nil
        }
        return .milliseconds(Int64((seconds * 1000).rounded(.up)))
    }
}

extension StringProtocol {
    var trimmingSpaces: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
