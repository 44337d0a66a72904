/// One figure with everything needed to find it where it was reported.
public struct Figure: Codable, Hashable, Sendable, Identifiable {
    /// What splits have done to a figure.
    public struct Adjustment: Codable, Hashable, Sendable {
        /// A split of shares.
        public struct Split: Codable, Hashable, Sendable {
            /// New shares.
            public let numerator: Int
            /// Old shares that they take the place of.
            public let denominator: Int
            /// The day of the split, `YYYY-MM-DD`, where it is known.
            public let effective: String?
            /// The first day whose filings are on new shares, `YYYY-MM-DD`.
            public let boundary: String
        }
        /// What the reported value is multiplied by.
        public let factor: Double
        /// For people.
        public let reason: String
        /// The splits since the filing.
        public let splits: [Split]
    }
    /// What an earlier filing said.
    public struct Restatement: Codable, Hashable, Sendable {
        /// The earlier value.
        public let reported: Double
        /// The form of the earlier filing.
        public let form: String
        /// The number of the earlier filing.
        public let accessionNumber: String
        /// `YYYY-MM-DD`.
        public let filingDate: String
    }
    /// How a figure was computed that no filing has.
    public struct Derivation: Codable, Hashable, Sendable {
        /// A figure that another one is computed from.
        public struct Component: Codable, Hashable, Sendable {
            /// `+` or `-`.
            public let sign: String
            /// As its filing has it.
            public let value: Double
            /// Its name in the filing.
            public let tag: String
            /// The first day of its period, `YYYY-MM-DD`; `nil` for a moment.
            public let start: String?
            /// The last day of its period, `YYYY-MM-DD`.
            public let end: String
            /// The form of its filing.
            public let form: String
            /// The number of its filing.
            public let accessionNumber: String
            /// `YYYY-MM-DD`.
            public let filingDate: String
        }
        /// Such as a year less three quarters.
        public let method: String
        /// What it is computed from.
        public let components: [Component]
    }
    /// Such as `revenue.FY2025`.
    public let id: String
    /// For people.
    public let label: String
    /// What it measures: `revenue`, `net_income`, …
    public let concept: String
    /// On today's shares.
    public let value: Double
    /// As the filing has it; `nil` where there is no filing.
    public let reported: Double?
    /// `USD`, `USD/shares`, `shares`, `ratio`.
    public let unit: String
    /// Its name in the filing, or of the field at the source.
    public let tag: String
    /// The time that it is about.
    public let period: Period
    /// The form of the filing: `10-K`, `10-Q`, …
    public let form: String?
    /// The number of the filing.
    public let accessionNumber: String?
    /// `YYYY-MM-DD`.
    public let filingDate: String?
    /// Where the filing is.
    public let url: String?
    /// What splits have done to it; `nil` where nothing.
    public let adjustment: Adjustment?
    /// What an earlier filing said, where it said otherwise.
    public let restatedFrom: Restatement?
    /// How it was computed; `nil` where a filing has it.
    public let derivation: Derivation?
}

/// The time that figures are about.
public struct Period: Codable, Hashable, Sendable {
    /// How long a period is.
    public struct Kind: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A fiscal year.
        public static let annual: Kind = "annual"
        /// A fiscal quarter.
        public static let quarter: Kind = "quarter"
        /// The last twelve months.
        public static let ttm: Kind = "ttm"
        /// A short year between two fiscal calendars.
        public static let transition: Kind = "transition"
    }
    /// `FY2025`, `FY2026 Q1`, `TTM`.
    public let label: String
    /// How long it is.
    public let kind: Kind
    /// `YYYY-MM-DD`.
    public let start: String?
    /// The last day, `YYYY-MM-DD`.
    public let end: String?
}
