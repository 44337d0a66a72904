/// The result of a job of kind `comparison`: a table that code makes, and a text that explains it.
public struct Comparison: Codable, Hashable, Sendable {
    /// The table with its text.
    public let comparison: Table
    /// The places of the text that state a number of the table.
    public let mentions: [ResearchReport.Mention]
    /// Which prompts and models made the text, and what it cost.
    public let provenance: Provenance
    /// The language of the text.
    public let language: String?

    /// Companies side by side, or several investors' readings of one.
    public struct Table: Codable, Hashable, Sendable {
        /// What the columns differ in.
        public struct Kind: OpenEnum {
            /// As it is on the wire.
            public let rawValue: String
            /// Takes any text.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Each column is a company.
            public static let companies: Kind = "companies"
            /// Each column is an investor.
            public static let personas: Kind = "personas"
        }
        /// What the columns differ in.
        public let by: Kind
        /// The companies or investors.
        public let columns: [Column]
        /// Metrics of the checklists, then figures.
        public let rows: [Row]
        /// What has to be known before figures are put side by side: years and currencies that differ.
        public let notes: [String]
        /// `nil` where no text passed its checks.
        public let text: Text?
        /// Why there is no text.
        public let textNote: String?
    }

    /// A company as an investor reads it.
    public struct Column: Codable, Hashable, Sendable {
        /// The investor, with the version of the checklist.
        public struct Investor: Codable, Hashable, Sendable {
            /// The persona.
            public let id: Persona.ID
            /// For people.
            public let name: String
            /// Grows with each change.
            public let version: Int
        }
        /// The company.
        public let company: ResearchReport.Prose.Company
        /// The investor.
        public let persona: Investor
        /// The day on which the facts were read, `YYYY-MM-DD`.
        public let asOf: String
        /// The currency of the filings.
        public let currency: String
        /// The latest fiscal year: `FY2025`.
        public let fiscalYear: String?
        /// Its last day, `YYYY-MM-DD`.
        public let fiscalYearEnd: String?
        /// Whether the company is one for the investor.
        public let verdict: ResearchReport.Verdict
        /// 0 to 100; `nil` when the persona abstains.
        public let score: Double?
        /// How well the data supports the score, 0 to 100.
        public let confidence: Double
        /// What the verdict leaves open.
        public let verdictNote: String?
        /// Findings that end the reading.
        public let walkAways: [String]
        /// What is not known.
        public let gaps: [String]
    }

    /// A metric or a figure in all columns.
    public struct Row: Codable, Hashable, Sendable, Identifiable {
        /// What a row holds.
        public struct Kind: OpenEnum {
            /// As it is on the wire.
            public let rawValue: String
            /// Takes any text.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// What a question of the checklist is answered by.
            public static let metric: Kind = "metric"
            /// A figure of the latest fiscal year, or of a market.
            public static let figure: Kind = "figure"
        }
        /// Names the metric or figure.
        public let id: String
        /// What the row holds.
        public let kind: Kind
        /// For people.
        public let title: String
        /// How a metric is computed, in words.
        public let formula: String?
        /// Whether the amounts are of one currency.
        public let isComparable: Bool
        /// In the order of the columns; `nil` where the investor does not ask, or the filings give no figure.
        public let cells: [Cell?]
    }

    /// A number of the table, or why there is none.
    public struct Cell: Codable, Hashable, Sendable {
        /// By which ``Comparison/mentions`` name it.
        public let id: String?
        /// In its unit.
        public let value: Double?
        /// The number for readers, with its unit.
        public let written: String?
        /// The fiscal years that it is of.
        public let period: String?
        /// 0 to 10, for the investor's question.
        public let score: Double?
        /// What the investor asks by it.
        public let question: String?
        /// Why there is no value.
        public let abstainedBecause: String?
        /// Why the figures rule a value out.
        public let shortfall: String?
        /// The filing of a figure.
        public let url: String?
    }

    /// What differs, in words.
    public struct Text: Codable, Hashable, Sendable {
        /// In a few sentences.
        public let summary: String
        /// The weightiest first.
        public let differences: [ResearchReport.Prose.Point]
    }
}
