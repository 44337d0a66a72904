package import Basics

/// Sessions of American exchanges, counted by weekdays: holidays are not known, so a holiday counts as a session.
package enum TradingCalendar {
    /// Daily bars are taken as final this long after midnight in New York, a quarter of an hour after the close.
    private static let dailyClose: Int64 = 16 * 3600 + 15 * 60

    /// The number of weekdays from Monday 1970-01-05 to a date; a weekend's days count as the Friday before.
    package static func session(_ date: CalendarDate) -> Int {
        let days = date.dayNumber - 4
        let week = days >= 0 ? days / 7 : (days - 6) / 7
        return week * 5 + min(days - week * 7, 4)
    }

    /// The date that is a number of sessions after another one.
    package static func date(_ sessions: Int, after date: CalendarDate) -> CalendarDate {
        let session = session(date) + sessions
        let week = session >= 0 ? session / 5 : (session - 4) / 5
        return CalendarDate(dayNumber: week * 7 + session - week * 5 + 4)
    }

    /// A number that grows from bar to bar and depends on nothing but the bar's own time: the session times the bars of
    /// a session, and the hour of the session.
    package static func position(_ time: Int64, _ timeframe: Timeframe) -> Int {
        guard timeframe == .hourly else { return session(CalendarDate(secondsSinceEpoch: time)) }
        let local = time + newYorkOffset(at: time)
        let date = CalendarDate(secondsSinceEpoch: local)
        let minutes = Int(local - date.secondsSinceEpoch) / 60
        return session(date) * timeframe.barsPerSession + min(max((minutes - 570) / 60, 0), 6)
    }

    /// The newest day whose bar is final at a time.
    package static func lastClosedDay(at time: Int64) -> CalendarDate {
        let local = time + newYorkOffset(at: time)
        let date = CalendarDate(secondsSinceEpoch: local)
        let isClosed = local - date.secondsSinceEpoch >= dailyClose
        let newest = isClosed ? date : date + -1
        // A Saturday's or Sunday's is Friday's.
        return self.date(0, after: newest)
    }

    /// Whether a bar can no longer change.
    package static func isFinal(_ time: Int64, _ timeframe: Timeframe, at now: Int64) -> Bool {
        switch timeframe {
        case .daily: CalendarDate(secondsSinceEpoch: time) <= lastClosedDay(at: now)
        case .hourly: time + 3600 + 900 <= now
        }
    }

    /// The start, in UTC, of the time at which the next bar becomes final.
    package static func nextClose(after now: Int64, _ timeframe: Timeframe) -> Int64 {
        guard timeframe == .daily else { return now - now % 3600 + 3600 }
        let next = date(1, after: lastClosedDay(at: now))
        let local = next.secondsSinceEpoch + dailyClose
        return local - newYorkOffset(at: local + 5 * 3600)
    }

    /// New York's offset from UTC in seconds: four hours behind from the second Sunday of March to the first of
    /// November, five otherwise; the clock changes at 07:00 and 06:00 UTC.
    package static func newYorkOffset(at time: Int64) -> Int64 {
        let year = CalendarDate(secondsSinceEpoch: time).year
        guard let march = sunday(2, of: 3, year), let november = sunday(1, of: 11, year) else { return -5 * 3600 }
        let isSummer = time >= march.secondsSinceEpoch + 7 * 3600 && time < november.secondsSinceEpoch + 6 * 3600
        return isSummer ? -4 * 3600 : -5 * 3600
    }

    private static func sunday(_ number: Int, of month: Int, _ year: Int) -> CalendarDate? {
        CalendarDate(year: year, month: month, day: 1).map { $0 + ((7 - $0.weekday) % 7 + (number - 1) * 7) }
    }
}
