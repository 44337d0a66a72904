public import DataSources

/// Whom the broker asks about stocks. Answers go through the cache; no model is asked.
public struct StockSources: Sendable {
    /// Filings and the list of tickers; `nil` where no contact for the SEC is set.
    public var companies: (any CompanyDirectorySource)?
    /// Prices; `nil` where no key is set.
    public var market: (any StockMarketSource)?
    /// How long an answer waits for a part; what comes later is there for the next one.
    public var patience: Duration

    public init(
        companies: (any CompanyDirectorySource)? = nil, market: (any StockMarketSource)? = nil,
        patience: Duration = .seconds(10)
    ) {
        self.companies = companies
        self.market = market
        self.patience = patience
    }
}
