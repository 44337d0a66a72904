import JSON

/// None of these is kept here: whoever asks has a cache that all brokers share.
extension FMPClient: StockMarketSource {
    package func quote(of ticker: Ticker) async throws(DataSourceError) -> StockQuote? {
        try await record("quote", ticker).flatMap { StockQuote(fmp: $0) }
    }

    package func profile(of ticker: Ticker) async throws(DataSourceError) -> StockProfile? {
        try await record("profile", ticker).map { StockProfile(fmp: $0) }
    }

    package func ratios(of ticker: Ticker) async throws(DataSourceError) -> [StockRatio] {
        var ratios: [StockRatio] = []
        for endpoint in ["ratios-ttm", "key-metrics-ttm"] {
            if let record = try await record(endpoint, ticker) { ratios += StockRatio.read(record, from: endpoint) }
        }
        return ratios
    }
}
