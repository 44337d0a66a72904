/// A day of the Gregorian calendar without a time zone, as filings name it.
package struct CalendarDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let dayNumber: Int

    package init(dayNumber: Int) { self.dayNumber = dayNumber }

    /// A date in the form `YYYY-MM-DD`; `nil` for any other text and for days that do not exist.
    package init?(_ text: String) {
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

    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, year >= 1 else { return nil }
        // Days from civil: years begin in March, so that the leap day is the last one.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        dayNumber = era * 146_097 + dayOfEra - 719_468
        guard civil == (year, month, day) else { return nil }
    }

    package var year: Int { civil.year }
    package var month: Int { civil.month }
    package var day: Int { civil.day }

    private var civil: (year: Int, month: Int, day: Int) {
        let days = dayNumber + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    package static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.dayNumber < right.dayNumber }
    package static func + (date: CalendarDate, days: Int) -> CalendarDate {
        CalendarDate(dayNumber: date.dayNumber + days)
    }
    /// The number of days from the right date to the left one.
    package static func - (left: CalendarDate, right: CalendarDate) -> Int { left.dayNumber - right.dayNumber }
}

extension CalendarDate: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    package var description: String {
        let (year, month, day) = civil
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
