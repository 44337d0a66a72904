/// A filing that a report on a company reads.
public struct ListedFiling: Codable, Hashable, Sendable, Identifiable {
    /// The part of a filing in what readers want to know.
    public struct Role: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The newest annual report.
        public static let annualReport: Role = "annual_report"
        /// That of the year before.
        public static let priorAnnualReport: Role = "prior_annual_report"
        /// The newest quarterly report after the annual one.
        public static let quarterlyReport: Role = "quarterly_report"
        /// The newest announcement of results.
        public static let resultsRelease: Role = "results_release"
        /// The newest proxy statement.
        public static let proxyStatement: Role = "proxy_statement"
    }
    /// The SEC's number of the filing.
    public var id: String { accessionNumber }
    /// The SEC's number of the filing.
    public let accessionNumber: String
    /// The form: `10-K`, `10-Q`, …
    public let form: String
    /// What it is for a reader.
    public let role: Role
    /// `YYYY-MM-DD`.
    public let filed: String
    /// The end of the period, `YYYY-MM-DD`.
    public let period: String?
    /// Where it is.
    public let url: String
}

/// The text of a filing, by items and paragraphs.
public struct FiledText: Codable, Hashable, Sendable {
    /// An item of the form.
    public struct Item: Codable, Hashable, Sendable {
        /// How far an item could be read.
        public struct Status: OpenEnum {
            /// As it is on the wire.
            public let rawValue: String
            /// Takes any text.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Its text is there.
            public static let found: Status = "found"
            /// It only points elsewhere.
            public static let byReference: Status = "by_reference"
            /// It says that it does not apply.
            public static let omitted: Status = "omitted"
            /// The filing does not have it.
            public static let missing: Status = "missing"
            /// Where it ends or begins is in doubt, so no text is shown.
            public static let uncertain: Status = "uncertain"
        }
        /// Its number, such as `1A`.
        public let item: String
        /// How far it could be read.
        public let status: Status
        /// The number of its paragraphs.
        public let paragraphs: Int
        /// What an item by reference says of where its text is.
        public let pointer: String?
    }
    /// A paragraph, a heading or a row of a table.
    public struct Paragraph: Codable, Hashable, Sendable, Identifiable {
        /// Names the paragraph for good.
        public let id: String
        /// Its item.
        public let item: String
        /// As the filing has it.
        public let text: String
        /// Whether it is a row of a table.
        public let isRow: Bool
    }
    /// The SEC's number of the filing.
    public let accessionNumber: String
    /// The form: `10-K`, `10-Q`, …
    public let form: String
    /// The stock.
    public let ticker: String
    /// The company's name.
    public let company: String
    /// `YYYY-MM-DD`.
    public let filed: String
    /// The end of the period, `YYYY-MM-DD`.
    public let period: String?
    /// Where it is.
    public let url: String
    /// The version of the reader, on which the ids of paragraphs depend.
    public let parser: Int
    /// The items of the form.
    public let items: [Item]
    /// A part of the paragraphs.
    public let paragraphs: [Paragraph]
    /// The number of all paragraphs.
    public let paragraphCount: Int
    /// The first of the paragraphs after these; `nil` when there are none.
    public let next: Int?
}
