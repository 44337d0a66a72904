// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// One figure with everything needed to find it where it was reported.
public struct Figure: Codable, Hashable, Sendable, Identifiable {
    public struct Adjustment: Codable, Hashable, Sendable {
        public struct Split: Codable, Hashable, Sendable {
            public let numerator: Int
            public let denominator: Int
            public let effective: String?
            public let boundary: String
        }
        public let factor: Double
        public let reason: String
        public let splits: [Split]
    }
    public struct Restatement: Codable, Hashable, Sendable {
        public let reported: Double
        public let form: String
        public let accessionNumber: String
        public let filingDate: String
    }
    public struct Derivation: Codable, Hashable, Sendable {
        public struct Component: Codable, Hashable, Sendable {
            /// `+` or `-`.
            public let sign: String
            public let value: Double
            public let tag: String
            public let start: String?
            public let end: String
            public let form: String
            public let accessionNumber: String
            public let filingDate: String
        }
        public let method: String
        public let components: [Component]
    }
    /// Such as `revenue.FY2025`.
    public let id: String
    public let label: String
    public let concept: String
    /// On today's shares.
    public let value: Double
    /// As the filing has it; `nil` where there is no filing.
    public let reported: Double?
    /// `USD`, `USD/shares`, `shares`, `ratio`.
    public let unit: String
    public let tag: String
    public let period: Period
    public let form: String?
    public let accessionNumber: String?
    /// `YYYY-MM-DD`.
    public let filingDate: String?
    public let url: String?
    public let adjustment: Adjustment?
    public let restatedFrom: Restatement?
    public let derivation: Derivation?
}

/// The time that figures are about.
public struct Period: Codable, Hashable, Sendable {
    public struct Kind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let annual: Kind = "annual"
        public static let quarter: Kind = "quarter"
        public static let ttm: Kind = "ttm"
        public static let transition: Kind = "transition"
    }
    /// `FY2025`, `FY2026 Q1`, `TTM`.
    public let label: String
    public let kind: Kind
    /// `YYYY-MM-DD`.
    public let start: String?
    public let end: String?
}
