package import Basics
internal import JSON
package import Prices

/// End-of-day and hourly prices, adjusted for splits and not for dividends, as charts show them.
extension FMPClient: PriceSource {
    /// The source gives at most 5,000 records, the sessions of 7,000 days; some fewer are asked for at once.
    private static let daysPerCall = 6900
    /// Hourly bars are given by months.
    private static let hourlyDaysPerCall = 30

    package var isMetered: Bool { true }

    package func prices(
        of ticker: Ticker, _ timeframe: Timeframe, from first: CalendarDate, to last: CalendarDate
    ) async throws(DataSourceError) -> SourcedPrices {
        let (path, step) =
            timeframe == .daily
            ? ("historical-price-eod/full", Self.daysPerCall) : ("historical-chart/1hour", Self.hourlyDaysPerCall)
        var prices = SourcedPrices(rows: [], source: .fmp)
        var start = first
        while start <= last {
            let end = min(start + (step - 1), last)
            let records = try await records(
                path, [("symbol", ticker.text), ("from", "\(start)"), ("to", "\(end)")], about: ticker.text)
            for record in records {
                if let row = Self.row(record, timeframe) { prices.rows.append(row) }
                if record["simulated"]?.bool == true { prices.isSimulated = true }
            }
            start = end + 1
        }
        guard !prices.rows.isEmpty else { throw .notFound(ticker: ticker.text) }
        return prices
    }

    /// A record without a readable date is left out.
    private static func row(_ record: JSON, _ timeframe: Timeframe) -> RawPriceBar? {
        guard let date = record["date"]?.string, var time = PriceTable.time(date) else { return nil }
        if timeframe == .daily {
            time = CalendarDate(secondsSinceEpoch: time).secondsSinceEpoch
        } else {
            // The exchange's time, without a zone.
            time -= TradingCalendar.newYorkOffset(at: time + 5 * 3600)
        }
        return RawPriceBar(
            time: time, open: record["open"]?.double, high: record["high"]?.double, low: record["low"]?.double,
            close: record["close"]?.double, volume: record["volume"]?.double)
    }
}
