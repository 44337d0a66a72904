/// A time in whole milliseconds since 1970-01-01T00:00:00Z, the unit of every store.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    package static func + (timestamp: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: timestamp.milliseconds + duration.wholeMilliseconds)
    }

    package static func - (timestamp: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: timestamp.milliseconds - duration.wholeMilliseconds)
    }

    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }
}

extension Timestamp: Codable {
    /// Reads a whole number of milliseconds.
    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Duration {
    /// Rounded towards zero.
    package var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }

    package var inSeconds: Double { self / .seconds(1) }
}
