/// A period of a company with its figures: an element of the answer to `GET /stocks/{ticker}/fundamentals`.
public struct FundamentalResource: Codable, Sendable, Hashable {
    public var ticker: String
    public var period: PeriodResource
    /// ISO 4217 of the figures that are money.
    public var currency: String?
    /// Whose figures these are.
    public var source: String
    /// By concept (`revenue`) or ratio (`price_to_earnings`). What was not reported is not there.
    public var figures: [String: FigureResource]
}

/// The time that figures are about.
public struct PeriodResource: Codable, Sendable, Hashable {
    /// `FY2025`, `FY2026 Q1`, `TTM`.
    public var label: String
    /// `annual`, `quarter`, `ttm` or `transition`.
    public var kind: String
    /// `YYYY-MM-DD`; null for a moment, and where the source does not say.
    public var start: String?
    public var end: String?
}

/// One figure with everything that is needed to find it where it was reported.
public struct FigureResource: Codable, Sendable, Hashable {
    /// `revenue.FY2025`.
    public var id: String
    /// For people.
    public var label: String
    public var concept: String
    /// On today's shares.
    public var value: Double
    /// As the filing has it; null where there is no filing.
    public var reported: Double?
    /// `USD`, `USD/shares`, `shares`, `ratio`.
    public var unit: String
    /// Taxonomy and tag, or the endpoint and field of a source of market data.
    public var tag: String
    public var period: PeriodResource
    public var form: String?
    public var accessionNumber: String?
    /// `YYYY-MM-DD`.
    public var filingDate: String?
    /// The folder of the filing.
    public var url: String?
    public var adjustment: Adjustment?
    public var restatedFrom: Restatement?
    public var derivation: Derivation?

    enum CodingKeys: String, CodingKey {
        case id, label, concept, value, reported, unit, tag, period, form, url, adjustment, derivation
        case accessionNumber = "accession_number"
        case filingDate = "filing_date"
        case restatedFrom = "restated_from"
    }

    /// What was reported on other shares than today's.
    public struct Adjustment: Codable, Sendable, Hashable {
        public var factor: Double
        public var reason: String
        public var splits: [Split]
    }

    public struct Split: Codable, Sendable, Hashable {
        public var numerator: Int
        public var denominator: Int
        /// `YYYY-MM-DD`.
        public var effective: String?
        public var boundary: String
    }

    /// What an earlier filing had.
    public struct Restatement: Codable, Sendable, Hashable {
        public var reported: Double
        public var form: String
        public var accessionNumber: String
        public var filingDate: String

        enum CodingKeys: String, CodingKey {
            case reported, form
            case accessionNumber = "accession_number"
            case filingDate = "filing_date"
        }
    }

    /// How a figure was calculated that no filing has.
    public struct Derivation: Codable, Sendable, Hashable {
        public var method: String
        public var components: [Component]
    }

    public struct Component: Codable, Sendable, Hashable {
        /// `+` or `-`.
        public var sign: String
        public var value: Double
        public var tag: String
        public var start: String?
        public var end: String
        public var form: String
        public var accessionNumber: String
        public var filingDate: String

        enum CodingKeys: String, CodingKey {
            case sign, value, tag, start, end, form
            case accessionNumber = "accession_number"
            case filingDate = "filing_date"
        }
    }
}
