package import DataSources

/// Whom the broker asks about stocks. Answers go through the cache; no model is asked.
package struct StockSources: Sendable {
    /// Filings and the list of tickers; `nil` where no contact for the SEC is set.
    package var companies: (any CompanyDirectorySource)?
    /// Prices; `nil` where no key is set.
    package var market: (any StockMarketSource)?
    /// How long an answer waits for a part; what comes later is there for the next one.
    package var timeout: Duration

    package init(
        companies: (any CompanyDirectorySource)? = nil, market: (any StockMarketSource)? = nil,
        timeout: Duration = .seconds(10)
    ) {
        self.companies = companies
        self.market = market
        self.timeout = timeout
    }
}
