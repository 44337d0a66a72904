internal import Basics

/// A row of a source that cleaning dropped or changed.
package struct PriceRepair: Hashable, Sendable {
    package enum Reason: Int, Sendable {
        /// Dropped: a price is missing, not positive or not finite.
        case empty
        /// Dropped: another row of the same time says something else.
        case duplicate
        /// Dropped: open or close lies more than a fifth outside the row's own range.
        case outlier
        /// Kept, with high and low stretched to hold open and close.
        case stretched
    }

    /// Seconds since 1970, as a bar's.
    package var time: Int64
    package var reason: Reason

    package init(time: Int64, reason: Reason) { (self.time, self.reason) = (time, reason) }
}

extension PriceSeries {
    /// A price that a source writes by mistake, or in another unit.
    private static let highestPrice = 1e12
    /// Open and close may be this far outside the given range, as a share of the range's ends.
    private static let outlierTolerance = 0.2

    /// Cleans the rows of a source. The order of the rows does not matter: of several rows of one time the complete
    /// ones go first, then the one with the largest volume.
    package init(cleaning rows: [RawPriceBar], timeframe: Timeframe) {
        var repairs: [PriceRepair] = []
        var complete: [PriceBar] = []
        complete.reserveCapacity(rows.count)
        for row in rows {
            // A day's bar belongs to a date, whatever time the source writes.
            let time =
                timeframe == .daily ? CalendarDate(secondsSinceEpoch: row.time).secondsSinceEpoch : row.time
            guard let open = Self.price(row.open), let high = Self.price(row.high), let low = Self.price(row.low),
                let close = Self.price(row.close)
            else {
                repairs.append(PriceRepair(time: time, reason: .empty))
                continue
            }
            let volume = row.volume.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
            complete.append(
                PriceBar(time: time, open: open, high: high, low: low, close: close, volume: volume))
        }
        complete.sort { Self.goesBefore($0, $1) }
        bars = []
        bars.reserveCapacity(complete.count)
        // The row of the newest time, as the source has it.
        var given: PriceBar?
        for bar in complete {
            if let given, given.time == bar.time {
                // A row that is there twice does no harm.
                if given != bar { repairs.append(PriceRepair(time: bar.time, reason: .duplicate)) }
                continue
            }
            given = bar
            var bar = bar
            let top = max(bar.high, bar.low) * (1 + Self.outlierTolerance)
            let bottom = min(bar.high, bar.low) * (1 - Self.outlierTolerance)
            guard bar.open <= top, bar.close <= top, bar.open >= bottom, bar.close >= bottom else {
                repairs.append(PriceRepair(time: bar.time, reason: .outlier))
                continue
            }
            let (high, low) = (max(bar.high, bar.low, bar.open, bar.close), min(bar.high, bar.low, bar.open, bar.close))
            if high != bar.high || low != bar.low { repairs.append(PriceRepair(time: bar.time, reason: .stretched)) }
            (bar.high, bar.low) = (high, low)
            bars.append(bar)
        }
        self.timeframe = timeframe
        self.repairs = repairs.sorted { ($0.time, $0.reason.rawValue) < ($1.time, $1.reason.rawValue) }
    }

    private static func price(_ value: Double?) -> Double? {
        value.flatMap { $0.isFinite && $0 > 0 && $0 < highestPrice ? $0 : nil }
    }

    /// By time; then by volume, largest first; then by the prices, so that equal rows are in one order only.
    private static func goesBefore(_ left: PriceBar, _ right: PriceBar) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.volume != right.volume { return (left.volume ?? 0) > (right.volume ?? 0) }
        let (a, b) = ([left.close, left.open, left.high, left.low], [right.close, right.open, right.high, right.low])
        return a.lexicographicallyPrecedes(b)
    }
}
