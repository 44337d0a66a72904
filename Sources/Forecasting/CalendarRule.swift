internal import Basics
internal import Prices

/// The simplest rival of the models that knows more than a constant: for each weekday, or each hour of the day in New
/// York, the share of rises among the rows learned from.
///
/// A pattern of the calendar needs no model, and is what rows that a source has filled look like.
struct CalendarRule {
    enum Period { case weekday, hour }

    /// A share of so many independent rows is drawn half-way to the base rate.
    private static let prior = 20.0

    private let period: Period
    private let baseRate: Double
    private var rates: [Int: Double] = [:]

    /// Counts the rises among rows with labels.
    init(_ period: Period, _ data: DataSet, _ rows: [Int], baseRate: Double) {
        (self.period, self.baseRate) = (period, baseRate)
        var counts: [Int: (rows: Double, ups: Double)] = [:]
        for row in rows {
            let slot = Self.slot(data.bars[row].time, period)
            counts[slot, default: (0, 0)].rows += 1
            counts[slot, default: (0, 0)].ups += data.isUp(row) ? 1 : 0
        }
        rates = counts.mapValues { count in
            let independent = count.rows / Double(data.horizonBars)
            return baseRate + (count.ups / count.rows - baseRate) * independent / (independent + Self.prior)
        }
    }

    /// The rule's probability of "up" for a row of that time.
    func rate(at time: Int64) -> Double { rates[Self.slot(time, period)] ?? baseRate }

    private static func slot(_ time: Int64, _ period: Period) -> Int {
        let local = time + (period == .hour ? TradingCalendar.newYorkOffset(at: time) : 0)
        let date = CalendarDate(secondsSinceEpoch: local)
        return period == .weekday ? date.weekday : Int(local - date.secondsSinceEpoch) / 3600
    }
}
