internal import Basics
package import JobQueue

extension Timestamp {
    /// The longest text of a time.
    static let longestText = 40

    /// Reads a date and time of RFC 3339 such as `2026-11-21T09:00:00Z`, with or without a fraction of a second.
    package init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard (20...Self.longestText).contains(bytes.count), bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let date = CalendarDate(String(decoding: bytes[0..<10], as: UTF8.self)),
            let hour = Self.twoDigits(bytes[11..<13], below: 24),
            let minute = Self.twoDigits(bytes[14..<16], below: 60),
            // A leap second counts as the second before it.
            let second = Self.twoDigits(bytes[17..<19], below: 61)
        else { return nil }
        var rest = bytes[19...]
        var milliseconds: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty else { return nil }
            let thousandths = digits.prefix(3) + Array(repeating: UInt8(ascii: "0"), count: max(0, 3 - digits.count))
            milliseconds = thousandths.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let offset = Self.offset(rest) else { return nil }
        let seconds = date.secondsSinceEpoch + hour * 3600 + minute * 60 + min(second, 59) - offset
        self.init(milliseconds: seconds * 1000 + milliseconds)
    }

    /// The seconds of `Z` or of an offset such as `+01:30`.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let bytes = Array(bytes)
        if bytes.count == 1 { return bytes[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = twoDigits(bytes[1..<3], below: 24),
            let minutes = twoDigits(bytes[4..<6], below: 60)
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "+"): return hours * 3600 + minutes * 60
        case UInt8(ascii: "-"): return -hours * 3600 - minutes * 60
        default: return nil
        }
    }

    private static func twoDigits(_ bytes: ArraySlice<UInt8>, below limit: Int64) -> Int64? {
        var value: Int64 = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return value < limit ? value : nil
    }
}
