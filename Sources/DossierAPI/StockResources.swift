/// The answer to `GET /stocks/{ticker}`: the available parts of a stock.
public struct StockResource: Codable, Sendable, Hashable {
    /// The ticker in the SEC's spelling.
    public var ticker: String
    /// The company's name.
    public var name: String?
    /// The company's profile; nil when no source has it now, with the reason in `parts`.
    public var profile: StockProfileResource?
    /// The price; nil when no source has it now, with the reason in `parts`.
    public var quote: StockQuoteResource?
    /// The headline figures; nil when no source has them now, with the reason in `parts`.
    public var fundamentals: StockHeadlineResource?
    /// The state of each part.
    public var parts: Parts

    /// The state of each part.
    public struct Parts: Codable, Sendable, Hashable {
        /// The state of the profile.
        public var profile: StockPartResource
        /// The state of the price.
        public var quote: StockPartResource
        /// The state of the headline figures.
        public var fundamentals: StockPartResource
    }
}

/// The state and the origin of one part of a stock.
public struct StockPartResource: Codable, Sendable, Hashable {
    /// `ok`, `missing` (no source has it), `unavailable` (a source failed), `pending` (the fetch goes on: ask again) or
    /// `not_configured` (the service has no key for the source).
    public var status: String
    /// The reason why the part, or one of its sources, is missing; a text for people.
    public var reason: String?
    /// The error code of a source that failed.
    public var code: ErrorCode?
    /// The sources of the part.
    public var sources: [String]
    /// The time when the oldest value was fetched: ISO 8601, UTC.
    public var fetchedAt: String?
    /// Whether a newer value is being fetched.
    public var isStale: Bool

    enum CodingKeys: String, CodingKey {
        case status, reason, code, sources
        case fetchedAt = "fetched_at"
        case isStale = "is_stale"
    }
}

/// A company's profile.
public struct StockProfileResource: Codable, Sendable, Hashable {
    /// The company's name.
    public var name: String?
    /// The SEC's number of the filer, ten digits.
    public var cik: String?
    /// The exchange of the listing.
    public var exchange: String?
    /// The sector.
    public var sector: String?
    /// The industry.
    public var industry: String?
    /// The standard industrial classification, four digits.
    public var industryCode: String?
    /// The country of the company.
    public var country: String?
    /// The currency of the listing, ISO 4217.
    public var currency: String?
    /// The last day of the fiscal year as month and day: `0930`.
    public var fiscalYearEnd: String?
    /// The company's website.
    public var website: String?
    /// The chief executive's name.
    public var ceo: String?
    /// The company's business in a few sentences.
    public var description: String?
    /// The number of employees.
    public var employees: Int?
    /// The volatility relative to the market.
    public var beta: Double?
    /// The date of the first listing: `YYYY-MM-DD`.
    public var ipoDate: String?
    /// Whether the stock is an exchange-traded fund.
    public var isETF: Bool?
    /// Whether it is a crypto asset, which has no filings.
    public var isCrypto: Bool?

    enum CodingKeys: String, CodingKey {
        case name, cik, exchange, sector, industry, country, currency, website, ceo, description, employees, beta
        case industryCode = "industry_code"
        case fiscalYearEnd = "fiscal_year_end"
        case ipoDate = "ipo_date"
        case isETF = "is_etf"
        case isCrypto = "is_crypto"
    }
}

/// A stock's price and trading figures, in the currency of the listing.
public struct StockQuoteResource: Codable, Sendable, Hashable {
    /// The last price.
    public var price: Double
    /// The currency, ISO 4217; nil when the source does not give it.
    public var currency: String?
    /// The change since the previous close.
    public var change: Double?
    /// The change in percent: 1.5 is 1.5 %.
    public var changePercent: Double?
    /// The first price of the day.
    public var open: Double?
    /// The last price of the previous day.
    public var previousClose: Double?
    /// The lowest price of the day.
    public var dayLow: Double?
    /// The highest price of the day.
    public var dayHigh: Double?
    /// The lowest price of the last 52 weeks.
    public var yearLow: Double?
    /// The highest price of the last 52 weeks.
    public var yearHigh: Double?
    /// The number of shares traded on the day.
    public var volume: Double?
    /// The market capitalisation.
    public var marketCap: Double?
    /// The time of the price: ISO 8601, UTC.
    public var asOf: String?
    /// The source of the quote.
    public var source: String
    /// Whether the source says that it made the price up.
    public var simulated: Bool?

    enum CodingKeys: String, CodingKey {
        case price, currency, change, open, volume, source, simulated
        case changePercent = "change_percent"
        case previousClose = "previous_close"
        case dayLow = "day_low"
        case dayHigh = "day_high"
        case yearLow = "year_low"
        case yearHigh = "year_high"
        case marketCap = "market_cap"
        case asOf = "as_of"
    }
}

/// The headline figures of a company.
public struct StockHeadlineResource: Codable, Sendable, Hashable {
    /// The currency of the figures that are money, ISO 4217.
    public var currency: String
    /// The end of the latest period: `YYYY-MM-DD`.
    public var latestPeriodEnd: String?
    /// The figures by concept: `revenue`, `net_income`, `diluted_eps`, … Flows are of the last twelve months where
    /// those are known, else of the last fiscal year; balances are the latest.
    public var figures: [String: FigureResource]

    enum CodingKeys: String, CodingKey {
        case currency, figures
        case latestPeriodEnd = "latest_period_end"
    }
}

/// A match of `GET /stocks/search`.
public struct StockSearchResult: Codable, Sendable, Hashable {
    /// The ticker.
    public var ticker: String
    /// The name of the company, the coin or the fund.
    public var name: String
    /// The SEC's number of the filer, ten digits; nil for a coin or a fund.
    public var cik: String?
}

/// A stock on a user's watchlist.
public struct WatchlistItemResource: Codable, Sendable, Hashable {
    /// The ticker.
    public var ticker: String
    /// The company's name; nil when no source was available at the time.
    public var name: String?
    /// The time when the stock was added: ISO 8601, UTC.
    public var addedAt: String

    enum CodingKeys: String, CodingKey {
        case ticker, name
        case addedAt = "added_at"
    }
}

/// The answer to `DELETE /watchlist/{ticker}`.
public struct WatchlistRemoval: Codable, Sendable, Hashable {
    /// The ticker.
    public var ticker: String
    /// False when the stock was not on the list.
    public var removed: Bool
}
