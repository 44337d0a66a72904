public import Foundation

/// Profile, price and head figures of a stock. What cannot be had is `nil`, and `parts` says why.
public struct Stock: Codable, Hashable, Sendable {
    /// What is known of a company. What a source does not have is `nil`.
    public struct Profile: Codable, Hashable, Sendable {
        /// For people.
        public let name: String?
        /// Its number at the SEC.
        public let cik: String?
        /// Where it is traded.
        public let exchange: String?
        /// Its sector.
        public let sector: String?
        /// Its industry.
        public let industry: String?
        /// The SEC's number of the industry.
        public let industryCode: String?
        /// Where it is at home.
        public let country: String?
        /// What it is traded in.
        public let currency: String?
        /// The last day of its fiscal year, as the source has it.
        public let fiscalYearEnd: String?
        /// Its address.
        public let website: String?
        /// Who runs it.
        public let ceo: String?
        /// What it does.
        public let description: String?
        /// How many people it employs.
        public let employees: Int?
        /// How it moves with the market.
        public let beta: Double?
        /// When it was first traded, `YYYY-MM-DD`.
        public let ipoDate: String?
        /// Whether it is a fund.
        public let isEtf: Bool?
        /// Whether it is a currency of a network.
        public let isCrypto: Bool?
    }
    /// A price with what belongs to it.
    public struct Quote: Codable, Hashable, Sendable {
        /// The last price.
        public let price: Double
        /// Its currency.
        public let currency: String?
        /// Since the day before.
        public let change: Double?
        /// 1.5 is 1.5 %.
        public let changePercent: Double?
        /// The first price of the day.
        public let open: Double?
        /// The last price of the day before.
        public let previousClose: Double?
        /// The lowest price of the day.
        public let dayLow: Double?
        /// The highest price of the day.
        public let dayHigh: Double?
        /// The lowest price of the last year.
        public let yearLow: Double?
        /// The highest price of the last year.
        public let yearHigh: Double?
        /// The shares that were traded on the day.
        public let volume: Double?
        /// The price of all shares.
        public let marketCap: Double?
        /// When that was so.
        public let asOf: Date?
        /// Where it comes from.
        public let source: String
        /// Whether the source says that it made the price up.
        public let simulated: Bool?
    }
    /// The head figures of the latest fiscal year.
    public struct Headline: Codable, Hashable, Sendable {
        /// The currency of the figures.
        public let currency: String
        /// The last day of the latest period, `YYYY-MM-DD`.
        public let latestPeriodEnd: String?
        /// By concept: `revenue`, `net_income`, `diluted_eps`, …
        public let figures: [String: Figure]
    }
    /// Whether a part of a stock could be had.
    public struct Part: Codable, Hashable, Sendable {
        /// How it went.
        public struct Status: OpenEnum {
            /// As it is on the wire.
            public let rawValue: String
            /// Takes any text.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// It is there.
            public static let ok: Status = "ok"
            /// No source has it.
            public static let missing: Status = "missing"
            /// The sources could not be asked.
            public static let unavailable: Status = "unavailable"
            /// Still being fetched: ask again.
            public static let pending: Status = "pending"
            /// The server has no source for it.
            public static let notConfigured: Status = "not_configured"
        }
        /// How it went.
        public let status: Status
        /// Why it is not there, for people.
        public let reason: String?
        /// Why it is not there.
        public let code: DossierError.Code?
        /// Where it comes from.
        public let sources: [String]
        /// When it was read.
        public let fetchedAt: Date?
        /// Whether it is older than it should be.
        public let isStale: Bool
    }
    /// Whether the parts of a stock could be had.
    public struct Parts: Codable, Hashable, Sendable {
        /// The profile.
        public let profile: Part
        /// The price.
        public let quote: Part
        /// The head figures.
        public let fundamentals: Part
    }
    /// The stock.
    public let ticker: String
    /// The company's name, where it is known.
    public let name: String?
    /// What is known of the company.
    public let profile: Profile?
    /// The price.
    public let quote: Quote?
    /// The head figures.
    public let fundamentals: Headline?
    /// Why a part is not there.
    public let parts: Parts
}

/// A period of a company with what it reported.
public struct Fundamentals: Codable, Hashable, Sendable {
    /// The stock.
    public let ticker: String
    /// The period.
    public let period: Period
    /// The currency of the figures.
    public let currency: String?
    /// Where they come from.
    public let source: String
    /// By concept: `revenue`, `net_income`, …
    public let figures: [String: Figure]
}

/// A company, a coin or a fund that was found.
public struct StockMatch: Codable, Hashable, Sendable {
    /// The stock.
    public let ticker: String
    /// For people.
    public let name: String
    /// Its number at the SEC; nil for a coin or a fund.
    public let cik: String?
}
