import Basics
package import FoundationEssentials
package import JSON

/// A company's market data now. A field that the source leaves out is `nil`.
package struct MarketData: Sendable, Hashable {
    package let ticker: Ticker
    package let source: DataSource
    /// Of one share, in `currency`.
    package let price: Decimal?
    /// ISO 4217.
    package let currency: String?
    /// In `currency`.
    package let marketCap: Decimal?
    /// The time of the price, in seconds since 1970.
    package let asOf: Int64?
    package let companyName: String?
    package let sector: String?
    package let industry: String?
    package let country: String?
    package let exchange: String?
    package let beta: Decimal?
    package let description: String?
    /// Whether the source says that it made the price up.
    package var isSimulated = false

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
            "description": JSON(description), "simulated": isSimulated ? true : nil,
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
        isSimulated = field["simulated"].value == true
    }
}

/// A company's profile from a source of market data. A field that the source leaves out is null.
package struct StockProfile: Sendable, Hashable {
    /// Texts: `name`, `exchange`, `sector`, `industry`, `country`, `currency` (ISO 4217), `website`, `ceo`,
    /// `description`, `ipo_date` (`YYYY-MM-DD`). Numbers: `employees`, `beta`. `is_etf`: true or false.
    package let json: JSON

    /// The greatest length of a description.
    private static let longestDescription = 4000

    init(fmp record: JSON) {
        func text(_ key: String) -> JSON {
            JSON(record[key]?.string.flatMap { $0.isEmpty ? nil : String($0.prefix(scalars: 500)) })
        }
        json = [
            "name": text("companyName"), "exchange": text("exchange"), "sector": text("sector"),
            "industry": text("industry"), "country": text("country"), "currency": text("currency"),
            "website": text("website"), "ceo": text("ceo"),
            "description": JSON(
                record["description"]?.string.flatMap { text in
                    text.isEmpty ? nil : String(text.prefix(scalars: Self.longestDescription))
                }),
            // A number that is written as text.
            "employees": JSON(
                record["fullTimeEmployees"].flatMap { $0.integer ?? $0.string.flatMap { Int64($0) } }.flatMap {
                    $0 > 0 ? $0 : nil
                }),
            "beta": record["beta"]?.number.map { .number($0) } ?? .null,
            "ipo_date": JSON(record["ipoDate"]?.string.flatMap { CalendarDate($0) }.map { "\($0)" }),
            "is_etf": record["isEtf"]?.bool.map { JSON($0) } ?? .null,
        ]
    }
}

/// A price with its currency, change and time. A field that the source leaves out is null.
package struct StockQuote: Sendable, Hashable {
    /// `price`, `change`, `change_percent` (in percent), `open`, `previous_close`, `day_low`, `day_high`, `year_low`,
    /// `year_high`, `market_cap`: numbers in the currency of the listing. `volume`: shares. `as_of`: seconds since
    /// 1970. `simulated`: whether the source says that it made the price up.
    package let json: JSON

    /// `nil` without a price: the source writes 0 for an unknown number.
    init?(fmp record: JSON) {
        func positive(_ key: String) -> JSON {
            record[key]?.number.flatMap { $0.double > 0 ? .number($0) : nil } ?? .null
        }
        func any(_ key: String) -> JSON { record[key]?.number.map { .number($0) } ?? .null }
        let price = positive("price")
        guard !price.isNull else { return nil }
        json = [
            "price": price, "change": any("change"), "change_percent": any("changePercentage"),
            "open": positive("open"), "previous_close": positive("previousClose"), "day_low": positive("dayLow"),
            "day_high": positive("dayHigh"), "year_low": positive("yearLow"), "year_high": positive("yearHigh"),
            "volume": positive("volume"), "market_cap": positive("marketCap"),
            "as_of": JSON(record["timestamp"]?.integer.flatMap { $0 > 0 ? $0 : nil }),
            "simulated": JSON(record["simulated"]?.bool == true),
        ]
    }
}

/// One ratio that a source of market data has computed.
package struct StockRatio: Sendable, Hashable {
    /// In lower case with underscores: `price_to_earnings`.
    package let name: String
    /// The ratio's name in words.
    package let title: String
    package let value: JSONNumber
    /// Endpoint and field that it was read from: `ratios-ttm.priceToEarningsRatioTTM`.
    package let field: String

    /// The ratios of each endpoint. Margins and yields are fractions of 1.
    static let fields: [(endpoint: String, field: String, name: String, title: String)] = [
        ("ratios-ttm", "priceToEarningsRatioTTM", "price_to_earnings", "Price to earnings"),
        ("ratios-ttm", "priceToBookRatioTTM", "price_to_book", "Price to book value"),
        ("ratios-ttm", "priceToSalesRatioTTM", "price_to_sales", "Price to sales"),
        ("ratios-ttm", "priceToFreeCashFlowRatioTTM", "price_to_free_cash_flow", "Price to free cash flow"),
        ("ratios-ttm", "dividendYieldTTM", "dividend_yield", "Dividend yield"),
        ("ratios-ttm", "grossProfitMarginTTM", "gross_margin", "Gross margin"),
        ("ratios-ttm", "operatingProfitMarginTTM", "operating_margin", "Operating margin"),
        ("ratios-ttm", "netProfitMarginTTM", "net_margin", "Net margin"),
        ("ratios-ttm", "currentRatioTTM", "current_ratio", "Current ratio"),
        ("ratios-ttm", "debtToEquityRatioTTM", "debt_to_equity", "Debt to equity"),
        ("key-metrics-ttm", "enterpriseValueTTM", "enterprise_value", "Enterprise value"),
        ("key-metrics-ttm", "returnOnEquityTTM", "return_on_equity", "Return on equity"),
        ("key-metrics-ttm", "returnOnInvestedCapitalTTM", "return_on_invested_capital", "Return on invested capital"),
        ("key-metrics-ttm", "freeCashFlowYieldTTM", "free_cash_flow_yield", "Free cash flow yield"),
    ]

    /// The ratios of an endpoint's record. The source writes 0 for an unknown number.
    static func read(_ record: JSON, from endpoint: String) -> [StockRatio] {
        fields.filter { $0.endpoint == endpoint }.compactMap { known in
            guard let number = record[known.field]?.number, number.double != 0 else { return nil }
            return StockRatio(
                name: known.name, title: known.title, value: number, field: "\(endpoint).\(known.field)")
        }
    }
}
