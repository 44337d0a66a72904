internal import Basics
internal import JSON
package import JobQueue
package import Prices

/// The cleaned prices of symbols, read once between two closes for all processes.
package struct PriceHistory: Sendable {
    /// The longest lookback, the longest walk and the longest average; fewer than the 5,000 records of one call.
    private static let dailyDays = 5800
    /// Hours are given by months, and each is a call.
    private static let hourlyDays = 1100

    /// The calendar days that are read.
    package static func days(of timeframe: Timeframe) -> Int { timeframe == .daily ? dailyDays : hourlyDays }

    private static let formVersion = 2
    /// The time until a source that lacks the newest bar is asked again, in seconds.
    private static let latePause: Int64 = 900

    private let source: any PriceSource
    private let cache: DocumentCache<DataSourceError>
    /// Milliseconds since 1970.
    private let now: @Sendable () -> Int64

    package init(
        _ source: any PriceSource, cache: DocumentCache<DataSourceError>, now: @escaping @Sendable () -> Int64
    ) {
        (self.source, self.cache, self.now) = (source, cache, now)
    }

    /// As `init`, with a cache of its own over the documents that all processes share.
    package init(
        _ source: any PriceSource, documents: any DocumentRepository, now: @escaping @Sendable () -> Int64
    ) {
        self.init(source, cache: DocumentCache(repository: documents, now: now), now: now)
    }

    /// A symbol's prices, and where they come from.
    package struct Answer: Sendable {
        package var series: PriceSeries
        package var source: DataSource
        package var isSimulated: Bool
        package var isHit: Bool
    }

    /// The final bars of a symbol over `days(of:)`.
    ///
    /// - Throws: `unusablePrices` when the source has no usable row.
    package func prices(of ticker: Ticker, _ timeframe: Timeframe) async throws(DataSourceError) -> Answer {
        let seconds = now() / 1000
        let closed =
            timeframe == .daily
            ? TradingCalendar.lastClosedDay(at: seconds) : CalendarDate(secondsSinceEpoch: seconds)
        let suffix = timeframe == .daily ? "" : ":\(seconds / 3600)"
        let name = "\(Self.formVersion):\(timeframe.rawValue):\(ticker.text):\(closed)\(suffix)"
        let prices = try await read(name, ticker, timeframe, to: closed)
        let newest = prices.series.bars.last.map { CalendarDate(secondsSinceEpoch: $0.time) }
        // The source may publish a bar later than the close.
        guard timeframe == .daily, let newest, newest < closed, prices.storedAt / 1000 < seconds - Self.latePause else {
            return prices.prices
        }
        return try await read("\(name):\(seconds / Self.latePause)", ticker, timeframe, to: closed).prices
    }

    private func read(
        _ name: String, _ ticker: Ticker, _ timeframe: Timeframe, to last: CalendarDate
    ) async throws(DataSourceError) -> (prices: Answer, series: PriceSeries, storedAt: Int64) {
        let first = last + -Self.days(of: timeframe)
        let value = try await cache.value(for: CacheKey(.prices, name)) { [source] () async throws(DataSourceError) in
            let found: SourcedPrices
            do throws(DataSourceError) {
                found = try await source.prices(of: ticker, timeframe, from: first, to: last)
            } catch {
                if source.isMetered, case .notFound = error { return .null }
                throw error
            }
            let series = PriceSeries(cleaning: found.rows, timeframe: timeframe)
            guard !series.bars.isEmpty else {
                throw .unusablePrices(found.source, ticker: ticker.text, problem: "no row has all four prices")
            }
            return Self.json(series, found)
        }
        if value.json.isNull { throw .notFound(ticker: ticker.text) }
        guard let prices = Self.prices(value.json, timeframe, isHit: value.isHit) else {
            throw .unexpected(.priceFiles, problem: "the cached prices of \(ticker.text) cannot be read")
        }
        return (prices, prices.series, value.storedAt)
    }

    // MARK: The document

    private static func json(_ series: PriceSeries, _ found: SourcedPrices) -> JSON {
        return [
            "source": JSON(found.source.rawValue), "simulated": JSON(found.isSimulated),
            "repairs": .array(
                series.repairs.map { [JSON($0.time), JSON($0.reason.rawValue)] }),
            "bars": .array(
                series.bars.map { bar in
                    [
                        JSON(bar.time), JSON(bar.open), JSON(bar.high), JSON(bar.low), JSON(bar.close),
                        JSON(bar.volume),
                    ]
                }),
        ]
    }

    private static func prices(_ json: JSON, _ timeframe: Timeframe, isHit: Bool) -> Answer? {
        guard let source = json["source"]?.string.flatMap(DataSource.init(rawValue:)), let rows = json["bars"]?.array,
            let repaired = json["repairs"]?.array
        else { return nil }
        let repairs = repaired.compactMap { row -> PriceRepair? in
            guard let time = row[0]?.integer, let reason = row[1]?.integer.flatMap({ Int(exactly: $0) }) else {
                return nil
            }
            return PriceRepair.Reason(rawValue: reason).map { PriceRepair(time: time, reason: $0) }
        }
        let bars = rows.compactMap { row -> PriceBar? in
            guard let time = row[0]?.integer, let open = row[1]?.double, let high = row[2]?.double,
                let low = row[3]?.double, let close = row[4]?.double
            else { return nil }
            return PriceBar(time: time, open: open, high: high, low: low, close: close, volume: row[5]?.double)
        }
        return Answer(
            series: PriceSeries(timeframe: timeframe, bars: bars, repairs: repairs), source: source,
            isSimulated: json["simulated"]?.bool ?? false, isHit: isHit)
    }
}
