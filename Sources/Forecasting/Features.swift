internal import Basics
internal import Glibc
package import Prices

/// The features of a row: ratios and logarithms of the bars up to it, in which the units of prices and volumes cancel
/// out. NaN where there is too little history or no volume.
package enum Features {
    package static let names = [
        "return_1", "return_2", "return_3", "return_5", "return_10", "return_21", "return_63", "gap", "intraday",
        "range", "close_location", "volatility_5", "volatility_21", "volatility_63", "volatility_5_to_63", "atr_14",
        "rsi_14", "macd", "macd_histogram", "bollinger_b", "stochastic_14", "sma_10_distance", "sma_50_distance",
        "sma_200_distance", "drawdown_63", "volume_z_21", "volume_change", "obv_21", "autocorrelation_21", "weekday",
        "day_of_month",
    ]

    static let volatility21 = 12

    /// The features of the newest of the bars: those up to the row, none after it, and at least two.
    package static func vector(upTo bars: ArraySlice<PriceBar>) -> [Float] {
        let window = FeatureWindow(bars)
        let bar = window.newest
        let macd = window.averageDivergence
        let (short, long) = (window.volatility(5), window.volatility(63))
        let date = CalendarDate(secondsSinceEpoch: bar.time)
        let values: [Double] = [
            window.logReturn(1), window.logReturn(2), window.logReturn(3), window.logReturn(5), window.logReturn(10),
            window.logReturn(21), window.logReturn(63),
            window[1].map { log(bar.open / $0.close) } ?? .nan, log(bar.close / bar.open), log(bar.high / bar.low),
            bar.high > bar.low ? (bar.close - bar.low) / (bar.high - bar.low) : 0.5,
            short, window.volatility(21), long, long > 1e-9 ? short / long : .nan,
            window.averageTrueRange(14), window.relativeStrength(14), macd.line, macd.histogram,
            window.bandPosition(20), window.rangePosition(14), window.averageDistance(10), window.averageDistance(50),
            window.averageDistance(200), window.drawdown(63), window.volumeScore(21), window.volumeChange,
            window.volumeBalance(21), window.autocorrelation(21), Double(date.weekday) / 6, Double(date.day) / 31,
        ]
        return values.map(rounded)
    }

    /// On a grid of about a millionth, so that the last bits of prices in another unit make no difference.
    private static func rounded(_ value: Double) -> Float {
        guard value.isFinite else { return .nan }
        return Float((min(max(value, -1000), 1000) * 1_048_576).rounded() / 1_048_576)
    }
}

/// The rows of a series: a row for each bar with enough history, and its label where the close after the horizon is
/// known.
package struct DataSet: Sendable {
    /// The first bar that has a row.
    static let firstRow = 21

    let bars: [PriceBar]
    let horizonBars: Int
    /// Row-major, from `firstRow` on.
    private let values: [Float]
    /// For each bar, the number of rows before it whose close has moved after the horizon.
    private let movedBefore: [Int]

    package init(_ bars: [PriceBar], horizonBars: Int) {
        self.bars = bars
        self.horizonBars = horizonBars
        var values: [Float] = []
        values.reserveCapacity(max(0, bars.count - Self.firstRow) * Features.names.count)
        for row in min(Self.firstRow, bars.count)..<bars.count { values += Features.vector(upTo: bars[...row]) }
        self.values = values
        var movedBefore = [0]
        movedBefore.reserveCapacity(bars.count + 1)
        for row in bars.indices {
            let isMoved = row + horizonBars < bars.count && Self.differ(bars[row].close, bars[row + horizonBars].close)
            movedBefore.append(movedBefore[row] + (isMoved ? 1 : 0))
        }
        self.movedBefore = movedBefore
    }

    /// Equal but for the last bits of a price in another unit.
    private static func differ(_ first: Double, _ second: Double) -> Bool { abs(first - second) > 1e-9 * first }

    /// The rows whose labels are known.
    var labelled: Range<Int> { Self.firstRow..<max(Self.firstRow, bars.count - horizonBars) }

    func features(_ rows: Range<Int>) -> ArraySlice<Float> {
        let width = Features.names.count
        return values[(rows.lowerBound - Self.firstRow) * width..<(rows.upperBound - Self.firstRow) * width]
    }

    func features(of rows: [Int]) -> ArraySlice<Float> {
        var values: [Float] = []
        values.reserveCapacity(rows.count * Features.names.count)
        for row in rows { values += features(row..<row + 1) }
        return values[...]
    }

    /// The number of rows with a label: those of `labelled` whose close has moved after the horizon. A price that stays
    /// where it is went neither up nor down: its row is neither learned from nor tested.
    func movedCount(_ rows: Range<Int>) -> Int { movedBefore[rows.upperBound] - movedBefore[rows.lowerBound] }

    func hasMoved(_ row: Int) -> Bool { movedBefore[row + 1] > movedBefore[row] }

    /// Whether the close after the horizon is higher. Only for rows with a label.
    func isUp(_ row: Int) -> Bool { bars[row + horizonBars].close > bars[row].close }
}
