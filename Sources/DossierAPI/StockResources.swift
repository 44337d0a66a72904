/// The answer to `GET /stocks/{ticker}`: what could be had of a stock, each part on its own.
public struct StockResource: Codable, Sendable, Hashable {
    public var ticker: String
    public var name: String?
    /// Null when no source has it now; `parts` says why. The same holds for the other two.
    public var profile: StockProfileResource?
    public var quote: StockQuoteResource?
    public var fundamentals: StockHeadlineResource?
    public var parts: Parts

    public struct Parts: Codable, Sendable, Hashable {
        public var profile: StockPartResource
        public var quote: StockPartResource
        public var fundamentals: StockPartResource
    }
}

/// How one part of a stock was come by.
public struct StockPartResource: Codable, Sendable, Hashable {
    /// `ok`, `missing` (no source has it), `unavailable` (a source failed), `pending` (it is still being fetched: ask
    /// again) or `not_configured` (the service has no key for the source).
    public var status: String
    /// Why the part, or what one of its sources would add, is not there; for people.
    public var reason: String?
    /// The error code of a source that failed.
    public var code: ErrorCode?
    public var sources: [String]
    /// When the oldest of what is shown was fetched: ISO 8601, UTC.
    public var fetchedAt: String?
    /// Whether something newer is being fetched.
    public var isStale: Bool

    enum CodingKeys: String, CodingKey {
        case status, reason, code, sources
        case fetchedAt = "fetched_at"
        case isStale = "is_stale"
    }
}

/// Who a company is.
public struct StockProfileResource: Codable, Sendable, Hashable {
    public var name: String?
    /// The SEC's number of the filer, ten digits.
    public var cik: String?
    public var exchange: String?
    public var sector: String?
    public var industry: String?
    /// Standard industrial classification, four digits.
    public var industryCode: String?
    public var country: String?
    /// ISO 4217, of the listing.
    public var currency: String?
    /// Month and day, `0930`.
    public var fiscalYearEnd: String?
    public var website: String?
    public var ceo: String?
    public var description: String?
    public var employees: Int?
    public var beta: Double?
    /// `YYYY-MM-DD`.
    public var ipoDate: String?
    public var isETF: Bool?

    enum CodingKeys: String, CodingKey {
        case name, cik, exchange, sector, industry, country, currency, website, ceo, description, employees, beta
        case industryCode = "industry_code"
        case fiscalYearEnd = "fiscal_year_end"
        case ipoDate = "ipo_date"
        case isETF = "is_etf"
    }
}

/// A price with what belongs to it, in the currency of the listing.
public struct StockQuoteResource: Codable, Sendable, Hashable {
    public var price: Double
    /// ISO 4217; null when the source does not say.
    public var currency: String?
    public var change: Double?
    /// In percent: 1.5 is 1.5 %.
    public var changePercent: Double?
    public var open: Double?
    public var previousClose: Double?
    public var dayLow: Double?
    public var dayHigh: Double?
    public var yearLow: Double?
    public var yearHigh: Double?
    /// Shares.
    public var volume: Double?
    public var marketCap: Double?
    /// When the price was made: ISO 8601, UTC.
    public var asOf: String?
    public var source: String

    enum CodingKeys: String, CodingKey {
        case price, currency, change, open, volume, source
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

/// The few figures of a company that stand at its head.
public struct StockHeadlineResource: Codable, Sendable, Hashable {
    public var currency: String
    /// `YYYY-MM-DD`.
    public var latestPeriodEnd: String?
    /// By concept: `revenue`, `net_income`, `diluted_eps`, … Flows are of the last twelve months where they can be told,
    /// else of the last fiscal year; balances are the latest.
    public var figures: [String: FigureResource]

    enum CodingKeys: String, CodingKey {
        case currency, figures
        case latestPeriodEnd = "latest_period_end"
    }
}

/// A match of `GET /stocks/search`.
public struct StockSearchResult: Codable, Sendable, Hashable {
    public var ticker: String
    public var name: String
    /// The SEC's number of the filer, ten digits.
    public var cik: String
}

/// A stock on a user's watchlist.
public struct WatchlistItemResource: Codable, Sendable, Hashable {
    public var ticker: String
    /// Null when nobody could be asked when it was added.
    public var name: String?
    /// ISO 8601, UTC.
    public var addedAt: String

    enum CodingKeys: String, CodingKey {
        case ticker, name
        case addedAt = "added_at"
    }
}

/// The answer to `DELETE /watchlist/{ticker}`.
public struct WatchlistRemoval: Codable, Sendable, Hashable {
    public var ticker: String
    /// False when it was not on the list.
    public var removed: Bool
}
