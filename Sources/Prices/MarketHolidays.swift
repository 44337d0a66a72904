package import Basics

/// The full holidays of American exchanges by their rules; single closures, such as days of mourning, are not known.
extension TradingCalendar {
    /// Whether exchanges are closed on a weekday for a holiday.
    package static func isHoliday(_ date: CalendarDate) -> Bool {
        let (year, month, day) = date.components
        switch month {
        case 1:
            // A New Year's Day on a Saturday is not made up for.
            return isObserved(date, month: 1, day: 1, fromSaturday: false) || isMonday(date, from: 15, to: 21)
        case 2: return isMonday(date, from: 15, to: 21)
        case 3, 4: return date == goodFriday(of: year)
        case 5: return isMonday(date, from: 25, to: 31)
        case 6: return year >= 2022 && isObserved(date, month: 6, day: 19)
        case 7: return isObserved(date, month: 7, day: 4)
        case 9: return isMonday(date, from: 1, to: 7)
        case 11: return date.weekday == 4 && (22...28).contains(day)
        case 12: return isObserved(date, month: 12, day: 25)
        default: return false
        }
    }

    /// Whether exchanges are open, as far as rules tell.
    package static func isSession(_ date: CalendarDate) -> Bool { (1...5).contains(date.weekday) && !isHoliday(date) }

    private static func isMonday(_ date: CalendarDate, from first: Int, to last: Int) -> Bool {
        date.weekday == 1 && (first...last).contains(date.day)
    }

    /// The day itself on a weekday, the Monday after a Sunday, the Friday before a Saturday.
    private static func isObserved(_ date: CalendarDate, month: Int, day: Int, fromSaturday: Bool = true) -> Bool {
        guard (1...5).contains(date.weekday) else { return false }
        let actual = { (other: CalendarDate) in other.month == month && other.day == day }
        return actual(date) || date.weekday == 1 && actual(date + -1)
            || fromSaturday && date.weekday == 5 && actual(date + 1)
    }

    /// Two days before Easter of the Gregorian calendar, by Gauss's rule in the form of 1876.
    private static func goodFriday(of year: Int) -> CalendarDate? {
        let (century, yearOfCentury, golden) = (year / 100, year % 100, year % 19)
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let weekday = (32 + 2 * (century % 4) + 2 * (yearOfCentury / 4) - epact - yearOfCentury % 4) % 7
        let late = (golden + 11 * epact + 22 * weekday) / 451
        let sum = epact + weekday - 7 * late + 114
        return CalendarDate(year: year, month: sum / 31, day: sum % 31 + 1).map { $0 + -2 }
    }
}
