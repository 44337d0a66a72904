package import Prices

/// Names the answers about a symbol up to the newest final bar: the same for everybody.
package enum ForecastKey {
    /// The form of the stored answers.
    private static let version = 2

    /// The key at a time in seconds since 1970.
    package static func text(
        symbol: String, timeframe: Timeframe, horizon: String, lookbackDays: Int, at time: Int64
    ) -> String {
        let bar = timeframe == .daily ? "\(TradingCalendar.lastClosedDay(at: time))" : "\(time / 3600)"
        return "forecast:\(version):\(symbol):\(timeframe.rawValue):\(horizon):\(lookbackDays):\(bar)"
    }
}
