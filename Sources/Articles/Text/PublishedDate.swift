/// When something was published, as its source writes it.
package struct PublishedDate: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z; a date without a time counts from its midnight, one without a zone as UTC.
    package let secondsSinceEpoch: Int64
    /// The zone that the source wrote, in seconds east of UTC.
    package let offset: Int
    /// Whether the source gave a time of day.
    package let hasTime: Bool

    package init(secondsSinceEpoch: Int64, offset: Int = 0, hasTime: Bool = true) {
        self.secondsSinceEpoch = secondsSinceEpoch
        self.offset = offset
        self.hasTime = hasTime
    }

    /// From the parts of a date; `nil` when there is no such day or time.
    init?(
        year: Int, month: Int, day: Int, time: (hour: Int, minute: Int, second: Int)? = nil, offset: Int = 0
    ) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.days(in: month, of: year)).contains(day), abs(offset) <= 15 * 3600
        else { return nil }
        var seconds = Int64(Self.dayNumber(year, month, day)) * 86_400
        if let time {
            guard (0...24).contains(time.hour), (0...59).contains(time.minute), (0...60).contains(time.second) else {
                return nil
            }
            seconds += Int64(time.hour * 3600 + time.minute * 60 + min(time.second, 59) - offset)
        }
        self.init(secondsSinceEpoch: seconds, offset: time == nil ? 0 : offset, hasTime: time != nil)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days since 1970-01-01, counted with years that begin in March, so that the leap day is the last of its year.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    /// Year, month and day of a day number.
    private static func civil(_ number: Int) -> (Int, Int, Int) {
        let days = number + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

extension PublishedDate: CustomStringConvertible {
    /// RFC 3339, in the zone that the source wrote: `2026-11-20T08:00:00Z`; the day alone when no time is known.
    package var description: String {
        let local = secondsSinceEpoch + Int64(offset)
        let day = Int((local >= 0 ? local : local - 86_399) / 86_400)
        let second = Int(local) - day * 86_400
        let (year, month, date) = Self.civil(day)
        let text = "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(date))"
        guard hasTime else { return text }
        let clock = "\(Self.padded(second / 3600)):\(Self.padded(second / 60 % 60)):\(Self.padded(second % 60))"
        let zone =
            offset == 0
            ? "Z" : "\(offset < 0 ? "-" : "+")\(Self.padded(abs(offset) / 3600)):\(Self.padded(abs(offset) / 60 % 60))"
        return "\(text)T\(clock)\(zone)"
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
