/// A day of the proleptic Gregorian calendar without a time zone, counted from 1970-01-01.
///
/// Every date in Dossier goes through this one conversion: filings, schedules, HTTP headers, feeds and log lines.
package struct CalendarDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; negative before it.
    package let dayNumber: Int

    package init(dayNumber: Int) { self.dayNumber = dayNumber }

    /// The day in UTC of a time in seconds since 1970-01-01T00:00:00Z.
    package init(secondsSinceEpoch seconds: Int64) { dayNumber = Self.floor(Int(seconds), 86_400) }

    /// A day of the years 1 to 9999; `nil` for a day that the calendar does not have.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year)
        else { return nil }
        dayNumber = Self.dayNumber(year: year, month: month, day: day)
    }

    /// A day in the form `YYYY-MM-DD`; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        var parts = [0, 0, 0]
        for (part, range) in [0..<4, 5..<7, 8..<10].enumerated() {
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                parts[part] = parts[part] * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    package var year: Int { components.year }
    package var month: Int { components.month }
    package var day: Int { components.day }

    /// 0 is Sunday.
    package var weekday: Int { (dayNumber % 7 + 11) % 7 }

    /// Midnight in UTC, in seconds since 1970-01-01T00:00:00Z.
    package var secondsSinceEpoch: Int64 { Int64(dayNumber) * 86_400 }

    /// Year, month from 1 and day from 1. Years are counted from March, so that the leap day is the last of its year
    /// and months follow one rule; 400 such years have 146,097 days.
    package var components: (year: Int, month: Int, day: Int) {
        let days = dayNumber + Self.daysBefore1970
        let cycle = Self.floor(days, 146_097)
        let dayOfCycle = days - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// The number of days of a month, 1 for January.
    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.dayNumber < right.dayNumber }

    package static func + (date: CalendarDate, days: Int) -> CalendarDate {
        CalendarDate(dayNumber: date.dayNumber + days)
    }

    /// The number of days from the right date to the left one.
    package static func - (left: CalendarDate, right: CalendarDate) -> Int { left.dayNumber - right.dayNumber }

    /// From March 1st of year 0 to 1970-01-01.
    private static let daysBefore1970 = 719_468

    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + floor(shifted, 4) - floor(shifted, 100) + floor(shifted, 400) + dayOfYear
            - daysBefore1970
    }

    private static func floor(_ value: Int, _ divisor: Int) -> Int {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension CalendarDate: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    package var description: String {
        let (year, month, day) = components
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
