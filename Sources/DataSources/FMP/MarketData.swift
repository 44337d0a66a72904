package import FoundationEssentials
package import JSON

/// What a market says of a company now. Every field that the source does not give is `nil`.
package struct MarketData: Sendable, Hashable {
    package let ticker: Ticker
    package let source: DataSource
    /// Of one share, in `currency`.
    package let price: Decimal?
    /// ISO 4217.
    package let currency: String?
    /// In `currency`.
    package let marketCap: Decimal?
    /// When the price was made, in seconds since 1970.
    package let asOf: Int64?
    package let companyName: String?
    package let sector: String?
    package let industry: String?
    package let country: String?
    package let exchange: String?
    package let beta: Decimal?
    package let description: String?

    package init(
        ticker: Ticker, source: DataSource, price: Decimal? = nil, currency: String? = nil, marketCap: Decimal? = nil,
        asOf: Int64? = nil, companyName: String? = nil, sector: String? = nil, industry: String? = nil,
        country: String? = nil, exchange: String? = nil, beta: Decimal? = nil, description: String? = nil
    ) {
        self.ticker = ticker
        self.source = source
        self.price = price
        self.currency = currency
        self.marketCap = marketCap
        self.asOf = asOf
        self.companyName = companyName
        self.sector = sector
        self.industry = industry
        self.country = country
        self.exchange = exchange
        self.beta = beta
        self.description = description
    }
}

extension MarketData {
    package var json: JSON {
        [
            "ticker": JSON(ticker.text), "source": JSON(source.rawValue), "price": price?.json ?? .null,
            "currency": JSON(currency), "market_cap": marketCap?.json ?? .null, "as_of": JSON(asOf),
            "company_name": JSON(companyName), "sector": JSON(sector), "industry": JSON(industry),
            "country": JSON(country), "exchange": JSON(exchange), "beta": beta?.json ?? .null,
            "description": JSON(description),
        ]
    }

    package init(_ field: JSONField) throws(JSONFieldError) {
        func text(_ key: String) throws(JSONFieldError) -> String? {
            try field[key].map { field throws(JSONFieldError) in try field.string() }
        }
        func decimal(_ key: String) throws(JSONFieldError) -> Decimal? {
            try field[key].map { field throws(JSONFieldError) in try field.decimal() }
        }
        self.init(
            ticker: try field["ticker"].value({ try? Ticker($0) }, "a ticker"),
            source: try field["source"].value(DataSource.init(rawValue:), "a known source"),
            price: try decimal("price"), currency: try text("currency"), marketCap: try decimal("market_cap"),
            asOf: try field["as_of"].map { field throws(JSONFieldError) in try field.integer() },
            companyName: try text("company_name"), sector: try text("sector"), industry: try text("industry"),
            country: try text("country"), exchange: try text("exchange"), beta: try decimal("beta"),
            description: try text("description"))
    }
}
