internal import Basics
internal import DataSources
internal import DossierAPI
internal import JSON
internal import Prices

/// `GET /stocks/{ticker}/prices`: the bars of a chart, adjusted for splits and not for dividends.
extension StockRoutes {
    /// Bars in one answer.
    static let mostBars = 5000
    /// Without `from`, in days.
    private static let standardRange = 365

    func prices(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let ticker = try context.ticker()
        let timeframe: Timeframe =
            switch context.query("interval") ?? "1d" {
            case "1d", "d1": .daily
            case "1h", "h1": .hourly
            default: throw .invalid("interval", "must be 1d or 1h")
            }
        if let coin = CryptoAsset.name(of: ticker.text) { throw .noChart(coin) }
        let to = try day("to", context)
        let from = try day("from", context)
        if let from, let to, from > to { throw .invalid("from", "must not be after 'to'") }
        let prices: PriceHistory.Answer
        switch await reader.asked(by: context.user).prices(ticker, timeframe) {
        case .success(let found): prices = found
        case .failure(.noSource): throw .noPrices
        case .failure(.pending): throw .sourcesPending
        case .failure(.source(.notCovered(let source, let ticker))):
            throw .noPlan(DataSourceError.notCovered(source, ticker: ticker))
        case .failure(.source(let error)): throw APIError(error)
        }
        let newest = prices.series.bars.last.map { CalendarDate(secondsSinceEpoch: $0.time) }
        let end = to ?? newest ?? CalendarDate(dayNumber: 0)
        let start = from ?? end + -Self.standardRange
        // A beginning after the newest bar is no mistake: there are no bars from then on.
        let (first, last) = (start.secondsSinceEpoch, (end + 1).secondsSinceEpoch)
        let bars = prices.series.bars.filter { $0.time >= first && $0.time < last }.suffix(Self.mostBars)
        return APIResponse(
            [
                "ticker": JSON(ticker.text), "interval": timeframe == .daily ? "1d" : "1h",
                "source": JSON(prices.source.rawValue), "simulated": JSON(prices.isSimulated),
                "adjustment": "splits", "from": JSON("\(start)"), "to": JSON("\(end)"),
                "bars": .array(bars.map { Self.json($0, timeframe) }),
            ], cacheHit: prices.isHit)
    }

    private func day(_ name: String, _ context: RequestContext) throws(APIError) -> CalendarDate? {
        guard let text = context.query(name) else { return nil }
        guard let date = CalendarDate(text), (1970...9999).contains(date.year) else {
            throw .invalid(name, "must be a day as in 2026-01-31")
        }
        return date
    }

    private static func json(_ bar: PriceBar, _ timeframe: Timeframe) -> JSON {
        let day = CalendarDate(secondsSinceEpoch: bar.time)
        let minutes = Int(bar.time - day.secondsSinceEpoch) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = timeframe == .daily ? "\(day)" : "\(day)T\(two(minutes / 60)):\(two(minutes % 60)):00Z"
        return [
            "date": JSON(date), "open": JSON(bar.open), "high": JSON(bar.high), "low": JSON(bar.low),
            "close": JSON(bar.close), "volume": JSON(bar.volume),
        ]
    }
}

extension APIError {
    static let noPrices = APIError(
        503, .dataSource, "No source of prices is configured (FMP_API_KEY, DOSSIER_PRICES).",
        user: "This is not available at the moment.")
}

extension APIError {
    /// The source has the prices, but not for this key.
    fileprivate static func noPlan(_ error: DataSourceError) -> APIError {
        APIError(503, .fmp, "\(error).", user: "This is not available at the moment.")
    }
}

/// Why there are no prices.
enum PriceReadFailure: Error {
    case noSource
    /// The timeout passed; the fetch goes on.
    case pending
    case source(DataSourceError)
}
