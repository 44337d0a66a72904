/// Gives what is shown of a stock beside its filings; `FMPClient` in production, anything in tests.
package protocol StockMarketSource: Sendable {
    /// The latest price of a ticker with what belongs to it; `nil` when the source knows no such ticker.
    func quote(of ticker: Ticker) async throws(DataSourceError) -> StockQuote?

    /// Who the company is; `nil` when the source knows no such ticker.
    func profile(of ticker: Ticker) async throws(DataSourceError) -> StockProfile?

    /// Ratios over the trailing twelve months, those that there are.
    func ratios(of ticker: Ticker) async throws(DataSourceError) -> [StockRatio]
}
