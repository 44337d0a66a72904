internal import Basics

/// A time in HTTP's date formats, in whole seconds.
package struct HTTPDate: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let secondsSinceEpoch: Int

    package init(secondsSinceEpoch: Int) { self.secondsSinceEpoch = secondsSinceEpoch }

    /// Reads the three formats of RFC 9110, section 5.6.7; `nil` for any other text. The weekday is not checked.
    ///
    /// - `Sun, 06 Nov 1994 08:49:37 GMT`
    /// - `Sunday, 06-Nov-94 08:49:37 GMT` (the years 70–99 are 1970–1999)
    /// - `Sun Nov  6 08:49:37 1994`
    package init?(_ text: String) {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        let fields: (day: Substring, month: Substring, year: Substring, time: Substring)
        switch (words.count, words.last) {
        case (6, "GMT"): fields = (words[1], words[2], words[3], words[4])
        case (5, _) where words[3].contains(":"): fields = (words[2], words[1], words[4], words[3])
        default: return nil
        }
        let time = fields.time.split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, time.allSatisfy({ $0.count == 2 }), let day = Self.digits(fields.day),
            let month = Self.months.firstIndex(of: String(fields.month)), let writtenYear = Self.digits(fields.year),
            let hour = Self.digits(time[0]), let minute = Self.digits(time[1]), let second = Self.digits(time[2])
        else { return nil }
        let year: Int
        switch fields.year.count {
        case 2: year = writtenYear + (writtenYear < 70 ? 2000 : 1900)
        case 4: year = writtenYear
        default: return nil
        }
        guard let date = CalendarDate(year: year, month: month + 1, day: day), hour < 24, minute < 60, second <= 60
        else {
            return nil
        }
        secondsSinceEpoch = Int(date.secondsSinceEpoch) + (hour * 60 + minute) * 60 + second
    }

    package static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSinceEpoch < right.secondsSinceEpoch
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func digits(_ text: Substring) -> Int? {
        text.utf8.count <= 4 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int(text) : nil
    }
}

/// The pause that a server asks for.
package enum RetryAfter {
    /// Reads `retry-after-ms` (milliseconds), else `Retry-After` as seconds, also with a fraction, or as an HTTP date.
    ///
    /// A date in the past gives zero. `nil` without such a header, and for a negative value, one that is not finite, or
    /// one over a year.
    package static func parse(_ headers: HTTPHeaders, now: HTTPDate) -> Duration? {
        if let text = headers["retry-after-ms"], let wait = duration(text, unit: 0.001) { return wait }
        guard let text = headers["Retry-After"] else { return nil }
        if let wait = duration(text, unit: 1) { return wait }
        guard let date = HTTPDate(text) else { return nil }
        let seconds = max(date.secondsSinceEpoch - now.secondsSinceEpoch, 0)
        return Double(seconds) <= longest ? .seconds(seconds) : nil
    }

    /// Seconds.
    private static let longest = 366.0 * 86_400

    private static func duration(_ text: String, unit: Double) -> Duration? {
        guard let number = Double(text), number >= 0, number * unit <= longest else { return nil }
        return .milliseconds(Int64((number * unit * 1000).rounded(.up)))
    }
}
