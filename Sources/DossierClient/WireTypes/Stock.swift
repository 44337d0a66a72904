// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// Profile, price and head figures of a stock. What cannot be had is `nil`, and `parts` says why.
public struct Stock: Codable, Hashable, Sendable {
    public struct Profile: Codable, Hashable, Sendable {
        public let name: String?
        public let cik: String?
        public let exchange: String?
        public let sector: String?
        public let industry: String?
        public let industryCode: String?
        public let country: String?
        public let currency: String?
        public let fiscalYearEnd: String?
        public let website: String?
        public let ceo: String?
        public let description: String?
        public let employees: Int?
        public let beta: Double?
        public let ipoDate: String?
        public let isEtf: Bool?
    }
    public struct Quote: Codable, Hashable, Sendable {
        public let price: Double
        public let currency: String?
        public let change: Double?
        /// 1.5 is 1.5 %.
        public let changePercent: Double?
        public let open: Double?
        public let previousClose: Double?
        public let dayLow: Double?
        public let dayHigh: Double?
        public let yearLow: Double?
        public let yearHigh: Double?
        public let volume: Double?
        public let marketCap: Double?
        public let asOf: Date?
        public let source: String
    }
    public struct Headline: Codable, Hashable, Sendable {
        public let currency: String
        public let latestPeriodEnd: String?
        /// By concept: `revenue`, `net_income`, `diluted_eps`, …
        public let figures: [String: Figure]
    }
    public struct Part: Codable, Hashable, Sendable {
        public struct Status: OpenEnum {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            public static let ok: Status = "ok"
            public static let missing: Status = "missing"
            public static let unavailable: Status = "unavailable"
            /// Still being fetched: ask again.
            public static let pending: Status = "pending"
            public static let notConfigured: Status = "not_configured"
        }
        public let status: Status
        public let reason: String?
        public let code: DossierError.Code?
        public let sources: [String]
        public let fetchedAt: Date?
        public let isStale: Bool
    }
    public struct Parts: Codable, Hashable, Sendable {
        public let profile: Part
        public let quote: Part
        public let fundamentals: Part
    }
    public let ticker: String
    public let name: String?
    public let profile: Profile?
    public let quote: Quote?
    public let fundamentals: Headline?
    public let parts: Parts
}

/// A period of a company with what it reported.
public struct Fundamentals: Codable, Hashable, Sendable {
    public let ticker: String
    public let period: Period
    public let currency: String?
    public let source: String
    public let figures: [String: Figure]
}

public struct StockMatch: Codable, Hashable, Sendable {
    public let ticker: String
    public let name: String
    public let cik: String
}
