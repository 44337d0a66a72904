public import FoundationEssentials
public import JSON

/// What a market says of a company now. Every field that the source does not give is `nil`.
public struct MarketData: Sendable, Hashable {
    public let ticker: Ticker
    public let source: DataSource
    /// Of one share, in `currency`.
    public let price: Decimal?
    /// ISO 4217.
    public let currency: String?
    /// In `currency`.
    public let marketCap: Decimal?
    /// When the price was made, in seconds since 1970.
    public let asOf: Int64?
    public let companyName: String?
    public let sector: String?
    public let industry: String?
    public let country: String?
    public let exchange: String?
    public let beta: Decimal?
    public let description: String?

    public init(
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
    public var json: JSON {
        [
            "ticker": JSON(ticker.text), "source": JSON(source.rawValue), "price": price?.json ?? .null,
            "currency": JSON(currency), "market_cap": marketCap?.json ?? .null, "as_of": JSON(asOf),
            "company_name": JSON(companyName), "sector": JSON(sector), "industry": JSON(industry),
            "country": JSON(country), "exchange": JSON(exchange), "beta": beta?.json ?? .null,
            "description": JSON(description),
        ]
    }

    public init(_ field: JSONField) throws(JSONFieldError) {
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
