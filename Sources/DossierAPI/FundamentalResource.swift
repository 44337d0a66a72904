/// A period of a company with its figures: an element of the answer to `GET /stocks/{ticker}/fundamentals`.
public struct FundamentalResource: Codable, Sendable, Hashable {
    /// The ticker.
    public var ticker: String
    /// The period.
    public var period: PeriodResource
    /// The currency of the figures that are money, ISO 4217.
    public var currency: String?
    /// The source of the figures.
    public var source: String
    /// The figures by concept (`revenue`) or ratio (`price_to_earnings`); figures that were not reported are absent.
    public var figures: [String: FigureResource]
}

/// The period of a figure.
public struct PeriodResource: Codable, Sendable, Hashable {
    /// The name of the period: `FY2025`, `FY2026 Q1`, `TTM`.
    public var label: String
    /// `annual`, `quarter`, `ttm` or `transition`.
    public var kind: String
    /// The first day: `YYYY-MM-DD`; nil for a point in time, and where the source does not give it.
    public var start: String?
    /// The last day: `YYYY-MM-DD`; nil where the source does not give it.
    public var end: String?
}

/// One figure with its source in a filing.
public struct FigureResource: Codable, Sendable, Hashable {
    /// The id: `revenue.FY2025`.
    public var id: String
    /// The name for people.
    public var label: String
    /// The concept: `revenue`.
    public var concept: String
    /// The value, adjusted to today's shares.
    public var value: Double
    /// The value in the filing; nil without a filing.
    public var reported: Double?
    /// `USD`, `USD/shares`, `shares` or `ratio`.
    public var unit: String
    /// The taxonomy and tag, or the endpoint and field of a source of market data.
    public var tag: String
    /// The period.
    public var period: PeriodResource
    /// The form of the filing: `10-K`.
    public var form: String?
    /// The SEC's number of the filing.
    public var accessionNumber: String?
    /// The date of the filing: `YYYY-MM-DD`.
    public var filingDate: String?
    /// The address of the filing's folder.
    public var url: String?
    /// The adjustment for splits, if any.
    public var adjustment: Adjustment?
    /// The value in an earlier filing, if it differs.
    public var restatedFrom: Restatement?
    /// The calculation, for a figure that no filing has.
    public var derivation: Derivation?

    enum CodingKeys: String, CodingKey {
        case id, label, concept, value, reported, unit, tag, period, form, url, adjustment, derivation
        case accessionNumber = "accession_number"
        case filingDate = "filing_date"
        case restatedFrom = "restated_from"
    }

    /// The adjustment of a figure for splits since the report.
    public struct Adjustment: Codable, Sendable, Hashable {
        /// The factor between the reported value and `value`.
        public var factor: Double
        /// The reason, for people.
        public var reason: String
        /// The splits.
        public var splits: [Split]
    }

    /// A split of the shares.
    public struct Split: Codable, Sendable, Hashable {
        /// The number of new shares.
        public var numerator: Int
        /// The number of old shares for which they were given.
        public var denominator: Int
        /// The date of the split: `YYYY-MM-DD`; nil when unknown.
        public var effective: String?
        /// The date up to which filings report the old shares: `YYYY-MM-DD`.
        public var boundary: String
    }

    /// The value in an earlier filing.
    public struct Restatement: Codable, Sendable, Hashable {
        /// The value in the earlier filing.
        public var reported: Double
        /// The form of that filing.
        public var form: String
        /// The SEC's number of that filing.
        public var accessionNumber: String
        /// The date of that filing: `YYYY-MM-DD`.
        public var filingDate: String

        enum CodingKeys: String, CodingKey {
            case reported, form
            case accessionNumber = "accession_number"
            case filingDate = "filing_date"
        }
    }

    /// The calculation of a figure that no filing has.
    public struct Derivation: Codable, Sendable, Hashable {
        /// The method: the way in which the components make the figure.
        public var method: String
        /// The reported figures.
        public var components: [Component]
    }

    /// A reported figure in a calculation.
    public struct Component: Codable, Sendable, Hashable {
        /// `+` or `-`.
        public var sign: String
        /// The value.
        public var value: Double
        /// The taxonomy and tag.
        public var tag: String
        /// The first day of the period: `YYYY-MM-DD`; nil for a point in time.
        public var start: String?
        /// The last day of the period: `YYYY-MM-DD`.
        public var end: String
        /// The form of the filing.
        public var form: String
        /// The SEC's number of the filing.
        public var accessionNumber: String
        /// The date of the filing: `YYYY-MM-DD`.
        public var filingDate: String

        enum CodingKeys: String, CodingKey {
            case sign, value, tag, start, end, form
            case accessionNumber = "accession_number"
            case filingDate = "filing_date"
        }
    }
}
