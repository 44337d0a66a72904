/// Knows companies by their tickers; `SECClient` in production, anything in tests.
package protocol CompanyDirectorySource: CompanyFactsSource {
    /// The list of all tickers.
    func tickers() async throws(DataSourceError) -> TickerDirectory

    /// Name, industry and exchanges of a company, without its figures; the ticker in any spelling that `Ticker` accepts.
    func company(_ ticker: String) async throws(DataSourceError) -> Company
}
