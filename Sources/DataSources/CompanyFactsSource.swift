/// Gives the fundamentals of a company; `SECClient` in production, anything in tests.
package protocol CompanyFactsSource: Sendable {
    /// Company and figures of a ticker, which may be in any spelling that `Ticker` accepts.
    func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals
}
