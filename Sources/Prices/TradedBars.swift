package import Basics
internal import Glibc

/// The bars of a series that traded, and the days on which it trades, both judged from the series itself.
///
/// Exports fill days and hours without trading: with the bar before, with its close, or on a line to the next one. A
/// model learns such a pattern, and finds an edge in a random walk.
package struct TradedBars: Sendable {
    package let bars: [PriceBar]
    /// The times of bars that were left out.
    package let untraded: [Int64]
    /// Whether Saturdays or Sundays are days of trading.
    package let includesWeekends: Bool
    private let timeframe: Timeframe

    /// A part of the week or of the day, in New York's time for hours.
    private struct Slot: Hashable {
        /// The weekday of a daily bar, the hour of an hourly one.
        var index: Int
        var isWeekend: Bool
    }

    private static let day: Int64 = 86_400

    package init(_ series: PriceSeries) {
        let (given, timeframe) = (series.bars, series.timeframe)
        let slots = given.map { Self.slot($0.time, timeframe) }
        let closed = Self.closedSlots(given, slots)
        var (bars, untraded): ([PriceBar], [Int64]) = ([], [])
        bars.reserveCapacity(given.count)
        for (bar, slot) in zip(given, slots) {
            if closed.contains(slot) || bars.last.map({ Self.repeats(bar, $0) }) == true {
                untraded.append(bar.time)
            } else {
                bars.append(bar)
            }
        }
        (self.bars, self.untraded, self.timeframe) = (bars, untraded, timeframe)
        includesWeekends = Set(slots).contains { $0.isWeekend && !closed.contains($0) }
    }

    private static func slot(_ time: Int64, _ timeframe: Timeframe) -> Slot {
        let local = timeframe == .daily ? time : time + TradingCalendar.newYorkOffset(at: time)
        let date = CalendarDate(secondsSinceEpoch: local)
        let isWeekend = date.weekday == 0 || date.weekday == 6
        return Slot(
            index: timeframe == .daily ? date.weekday : Int(local - date.secondsSinceEpoch) / 3600,
            isWeekend: isWeekend)
    }

    /// Whether a bar says nothing that the one before has not said: the same prices, or one price that did not move,
    /// without a volume of its own.
    private static func repeats(_ bar: PriceBar, _ before: PriceBar) -> Bool {
        guard bar.close == before.close, bar.volume == nil || bar.volume == before.volume else { return false }
        return bar.high == bar.low
            || bar.open == before.open && bar.high == before.high && bar.low == before.low
    }

    /// The slots in which nothing trades: most of their bars hardly move, or move as the next one does, though bars of
    /// other slots do not; and weekends of which fewer than half have a bar.
    private static func closedSlots(_ bars: [PriceBar], _ slots: [Slot]) -> Set<Slot> {
        guard let first = bars.first, let last = bars.last else { return [] }
        let returns = [0] + zip(bars, bars.dropFirst()).map { log($1.close / $0.close) }
        let sizes = returns.lazy.map { abs($0) }.filter { $0 > 0 }.sorted()
        let typical = sizes.isEmpty ? 0 : sizes[sizes.count / 2]
        var counts: [Slot: (rows: Int, quiet: Int)] = [:]
        for (index, slot) in slots.enumerated().dropFirst() {
            let isStill = abs(returns[index]) <= 0.05 * typical
            let isOnLine =
                index + 1 < returns.count && abs(returns[index + 1] - returns[index]) <= 0.02 * typical
            counts[slot, default: (0, 0)].rows += 1
            if isStill || isOnLine { counts[slot, default: (0, 0)].quiet += 1 }
        }
        let shares = counts.mapValues { Double($0.quiet) / Double($0.rows) }
        let least = counts.filter { $0.value.rows >= 20 }.compactMap { shares[$0.key] }.min() ?? 1
        let weeks = Double((last.time - first.time) / (7 * day))
        return Set(
            counts.filter { slot, count in
                let share = shares[slot] ?? 0
                return share > 0.5 && share > least + 0.3 || slot.isWeekend && Double(count.rows) < weeks / 2
            }.keys)
    }

    // MARK: Missing sessions

    /// The days from the first to the last of some bars that have none though the series should trade on them.
    ///
    /// Holidays are those of American exchanges where the series keeps them; another market's are allowed for by their
    /// usual number.
    package func missingSessions(of bars: ArraySlice<PriceBar>) -> (missing: Int, expected: Int) {
        let days = Set(bars.map { date($0.time).dayNumber })
        guard let first = days.min(), let last = days.max() else { return (0, 0) }
        var (absent, expected, holidays, kept) = (0, 0, 0, 0)
        for number in first...last {
            let date = CalendarDate(dayNumber: number)
            let isWeekend = date.weekday == 0 || date.weekday == 6
            if isWeekend && !includesWeekends { continue }
            expected += 1
            let isAbsent = !days.contains(number)
            if !isWeekend, TradingCalendar.isHoliday(date) {
                holidays += 1
                kept += isAbsent ? 1 : 0
            }
            absent += isAbsent ? 1 : 0
        }
        if includesWeekends { return (absent, expected) }
        if kept * 2 > holidays { return (absent - kept, expected - kept) }
        // Markets elsewhere keep about 12 holidays in the 261 weekdays of a year.
        let allowed = min(absent, expected * 12 / 261)
        return (absent - allowed, expected - allowed)
    }

    /// The date of the session that is a number of sessions after a bar.
    package func date(_ sessions: Int, after time: Int64) -> CalendarDate {
        var (date, left) = (date(time), sessions)
        while left > 0 {
            date = date + 1
            if includesWeekends || TradingCalendar.isSession(date) { left -= 1 }
        }
        return date
    }

    private func date(_ time: Int64) -> CalendarDate {
        CalendarDate(
            secondsSinceEpoch: timeframe == .daily ? time : time + TradingCalendar.newYorkOffset(at: time))
    }
}
