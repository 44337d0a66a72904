import Basics
import Prices
import TestSupport

/// Ways in which exports fill days and hours without trading, or write prices that did not move.
enum Fill: String, CaseIterable {
    case none
    /// Each calendar day without a row is a copy of the row before it.
    case calendarCopies
    /// Saturdays only.
    case saturdayCopies
    /// The close before as all four prices, volume 0 or the volume before.
    case flatCloses
    case flatClosesWithVolume
    /// The row after it, as a backward fill writes it.
    case copiesOfTheNext
    /// On a straight line from Friday to Monday.
    case interpolated
    /// The close before, moved by a thousandth of a usual day, with a volume of its own.
    case jittered
    /// Every weekday has a copy of the newest Friday, as of a fund that is valued once a week.
    case weeklyValues
    /// A third of the days repeat the close before with a volume of their own.
    case unmoved
    /// Prices of whole cents below a dollar.
    case coarse

    func rows(_ rows: [RawPriceBar], seed: UInt64) -> [RawPriceBar] {
        var random = SeededRandom(seed: seed)
        func flat(_ row: RawPriceBar, _ close: Double?, _ volume: Double?) -> RawPriceBar {
            RawPriceBar(time: row.time, open: close, high: close, low: close, close: close, volume: volume)
        }
        func moved(_ row: RawPriceBar, to time: Int64) -> RawPriceBar {
            var row = row
            row.time = time
            return row
        }
        switch self {
        case .none: return rows
        case .weeklyValues:
            var newest = rows[0]
            return rows.map { row in
                if CalendarDate(secondsSinceEpoch: row.time).weekday == 5 { newest = row }
                return moved(newest, to: row.time)
            }
        case .unmoved:
            var close = rows[0].close
            return rows.map { row in
                guard Double.random(in: 0..<1, using: &random) < 1.0 / 3 else {
                    close = row.close
                    return row
                }
                return flat(row, close, row.volume)
            }
        case .coarse:
            func cents(_ value: Double?) -> Double? { value.map { max(1, ($0 * 0.3).rounded()) / 100 } }
            return rows.map { row in
                RawPriceBar(
                    time: row.time, open: cents(row.open), high: cents(row.high), low: cents(row.low),
                    close: cents(row.close), volume: row.volume)
            }
        default: break
        }
        var filled: [RawPriceBar] = []
        for (row, next) in zip(rows, rows.dropFirst()) {
            filled.append(row)
            let days = (next.time - row.time) / 86_400
            for day in 1..<max(days, 1) {
                let time = row.time + day * 86_400
                let (own, close) = (moved(row, to: time), row.close ?? 0)
                switch self {
                case .calendarCopies: filled.append(own)
                case .saturdayCopies: if day == 1 { filled.append(own) }
                case .flatCloses: filled.append(flat(own, close, 0))
                case .flatClosesWithVolume: filled.append(flat(own, close, row.volume))
                case .copiesOfTheNext: filled.append(moved(next, to: time))
                case .interpolated:
                    let value = close + ((next.close ?? 0) - close) * Double(day) / Double(days)
                    filled.append(flat(own, value, row.volume))
                case .jittered:
                    let value = close * (1 + 1e-5 * Double.random(in: -1...1, using: &random))
                    filled.append(flat(own, value, Double(Int.random(in: 1...9_000_000, using: &random))))
                default: break
                }
            }
        }
        return filled + rows.suffix(1)
    }

    /// Hours of a walk from 09:30 to 15:30 in New York on weekdays; `isFilled` copies each over the hours without
    /// trading.
    static func hours(_ days: Int, isFilled: Bool, seed: UInt64) -> [RawPriceBar] {
        let walk = InventedPrices.rows(days * 7, autoregression: 0, seed: seed)
        let first = CalendarDate(dayNumber: 20_000)
        var rows: [RawPriceBar] = []
        for (index, bar) in walk.enumerated() {
            var row = bar
            let midnight = TradingCalendar.date(index / 7, after: first).secondsSinceEpoch
            row.time =
                midnight + Int64(9 * 3600 + 1800 + index % 7 * 3600)
                - TradingCalendar.newYorkOffset(at: midnight + 12 * 3600)
            while isFilled, let last = rows.last, last.time + 3600 < row.time {
                var copy = last
                copy.time += 3600
                rows.append(copy)
            }
            rows.append(row)
        }
        return rows
    }
}
