import Basics
import Forecasting
import Prices
import TestSupport

/// Series made for tests: a walk whose returns repeat a part of the last one.
enum InventedPrices {
    /// Rows of weekdays; an `autoregression` of 0 makes a random walk.
    static func rows(
        _ count: Int, autoregression: Double, seed: UInt64, first: CalendarDate = CalendarDate(dayNumber: 16_436)
    ) -> [RawPriceBar] {
        var generator = SeededRandom(seed: seed)
        var (price, last) = (100.0, 0.0)
        return (0..<count).map { index in
            // A sum of twelve uniform numbers is nearly normal.
            let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
            last = autoregression * last + noise * 0.012
            let open = price * (1 + 0.002 * Double.random(in: -1...1, using: &generator))
            price *= 1 + last
            return RawPriceBar(
                time: TradingCalendar.date(index, after: first).secondsSinceEpoch, open: open,
                high: max(open, price) * 1.004, low: min(open, price) * 0.996, close: price,
                volume: Double(Int.random(in: 1_000_000...9_000_000, using: &generator)))
        }
    }

    static func series(_ count: Int, autoregression: Double, seed: UInt64) -> PriceSeries {
        PriceSeries(cleaning: rows(count, autoregression: autoregression, seed: seed), timeframe: .daily)
    }
}

extension Evaluation {
    /// An evaluation at the close of the newest bar.
    static func atClose(
        of series: PriceSeries, _ recipe: Recipe = Recipe(lookbackDays: 1095)
    ) throws(ForecastError) -> Evaluation {
        try Evaluation(
            of: "TEST", series, from: PriceOrigin(name: "test"), recipe: recipe,
            now: (series.bars.last?.time ?? 0) + 22 * 3600)
    }

    var types: Set<String> { Set(issues.map(\.type)) }
}
