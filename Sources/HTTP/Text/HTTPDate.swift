/// A moment as HTTP writes it, in whole seconds.
package struct HTTPDate: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let secondsSinceEpoch: Int

    package init(secondsSinceEpoch: Int) { self.secondsSinceEpoch = secondsSinceEpoch }

    /// Reads the three formats of RFC 9110, section 5.6.7; `nil` for anything else. Names of weekdays are not held
    /// against the date.
    ///
    /// - `Sun, 06 Nov 1994 08:49:37 GMT`
    /// - `Sunday, 06-Nov-94 08:49:37 GMT` (years 70–99 are of the last century)
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
        guard (1...Self.days(in: month, of: year)).contains(day), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        secondsSinceEpoch = ((Self.daysSinceEpoch(year, month + 1, day) * 24 + hour) * 60 + minute) * 60 + second
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

    /// Months count from 0 for January.
    private static func days(in month: Int, of year: Int) -> Int {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
    }

    /// Counts from March, so that the leap day is the last of its year (the `days_from_civil` algorithm, for years
    /// that are not negative).
    private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
