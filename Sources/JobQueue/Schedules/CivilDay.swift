/// A day of the Gregorian calendar, counted from 1970-01-01.
struct CivilDay: Hashable {
    let number: Int64

    init(number: Int64) { self.number = number }

    /// The day on which a moment of local time lies, in seconds since 1970-01-01T00:00 of the same local time.
    init(localSeconds: Int64) { number = Self.floor(localSeconds, 86_400) }

    init(year: Int64, month: Int64, day: Int64) {
        // Years that begin in March end with the leap day, so month lengths follow one rule.
        let shifted = month > 2 ? (year: year, month: month - 3) : (year: year - 1, month: month + 9)
        let leapDays = Self.floor(shifted.year, 4) - Self.floor(shifted.year, 100) + Self.floor(shifted.year, 400)
        number = shifted.year * 365 + leapDays + (shifted.month * 153 + 2) / 5 + day - 1 - Self.daysBefore1970
    }

    /// 0 is Sunday.
    var weekday: Int { Int((number % 7 + 11) % 7) }

    /// Midnight in local seconds.
    var start: Int64 { number * 86_400 }

    /// Year, month from 1 and day from 1.
    var date: (year: Int64, month: Int, day: Int) {
        let days = number + Self.daysBefore1970
        // The year by its mean length is right or one off.
        var year = Self.floor(days * 400, 146_097)
        while CivilDay(year: year + 1, month: 3, day: 1).number <= number { year += 1 }
        while CivilDay(year: year, month: 3, day: 1).number > number { year -= 1 }
        let dayOfYear = number - CivilDay(year: year, month: 3, day: 1).number
        let shifted = (dayOfYear * 5 + 2) / 153
        let day = Int(dayOfYear - (shifted * 153 + 2) / 5) + 1
        return shifted < 10 ? (year, Int(shifted) + 3, day) : (year + 1, Int(shifted) - 9, day)
    }

    static func + (day: CivilDay, days: Int64) -> CivilDay { CivilDay(number: day.number + days) }

    /// From March 1st of year 0 to 1970-01-01.
    private static let daysBefore1970: Int64 = 719_468

    private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
    }
}
