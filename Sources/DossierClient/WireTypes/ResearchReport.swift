/// The result of a job of kind `research`: prose, and every figure with its filing.
public struct ResearchReport: Codable, Hashable, Sendable {
    /// Whether a company is one for the investor.
    public struct Verdict: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// It is.
        public static let fits: Verdict = "fits"
        /// Something speaks for it and something against it.
        public static let mixed: Verdict = "mixed"
        /// It is not.
        public static let doesNotFit: Verdict = "does_not_fit"
        /// It breaks a rule of the investor's.
        public static let walksAway: Verdict = "walks_away"
        /// Too little data for a score.
        public static let abstains: Verdict = "abstains"
    }

    /// The text of a report.
    public struct Prose: Codable, Hashable, Sendable {
        /// The company that a report is about.
        public struct Company: Codable, Hashable, Sendable {
            /// For people.
            public let name: String
            /// The stock.
            public let ticker: String
            /// Its number at the SEC.
            public let cik: Int?
            /// What it does.
            public let industry: String?
        }
        /// The investor in whose voice a report is.
        public struct Investor: Codable, Hashable, Sendable {
            /// The persona.
            public let id: Persona.ID
            /// For people.
            public let name: String
        }
        /// A strength or a risk.
        public struct Point: Codable, Hashable, Sendable {
            /// In a few words.
            public let title: String
            /// In a few sentences.
            public let detail: String
        }
        /// What would change the view.
        public struct Change: Codable, Hashable, Sendable {
            /// In a sentence.
            public let text: String
            /// From where on, where that is a number.
            public let threshold: String?
        }
        /// A filing that a report rests on.
        public struct Source: Codable, Hashable, Sendable {
            /// The form: `10-K`, `10-Q`, …
            public let form: String
            /// The number of the filing.
            public let accessionNumber: String
            /// `YYYY-MM-DD`.
            public let filed: String
            /// Where it is.
            public let url: String?
        }
        /// The company.
        public let company: Company
        /// The investor.
        public let persona: Investor
        /// Whether the company is one for the investor.
        public let verdict: Verdict
        /// 0 to 100; `nil` when the persona abstains.
        public let score: Double?
        /// How well the data supports the score, 0 to 100.
        public let confidence: Double
        /// What the verdict leaves open.
        public let verdictNote: String?
        /// In a few sentences.
        public let summary: String
        /// Why one would own the company.
        public let thesis: String
        /// What speaks for it.
        public let strengths: [Point]
        /// What speaks against it.
        public let risks: [Point]
        /// What the price says.
        public let valuation: String
        /// What to look out for.
        public let whatWouldChangeTheView: [Change]
        /// What is to be said about the sources.
        public let sourcesNote: String?
        /// What is not known.
        public let gaps: [String]
        /// The filings.
        public let sources: [Source]
        /// The reports whose text was read; `nil` in older reports.
        public let filingsRead: [FilingRead]?
        /// The business in the company's own words.
        public let business: [Passage]?
        /// What changed in the risks between the last two annual reports.
        public let riskChanges: RiskChanges?
        /// What the quarterly report after the annual report says of risks.
        public let riskUpdates: RiskUpdates?
        /// The segments of the company; `nil` where the annual report has none that add up.
        public let segments: SegmentTable?
        /// What the report says by the filings, each with its proof.
        public let claims: [Claim]?
    }

    /// The revenue of a company's segments, as its annual report has it.
    public struct SegmentTable: Codable, Hashable, Sendable {
        /// A segment, or what lies between the segments and the company.
        public struct Part: Codable, Hashable, Sendable {
            /// In words.
            public let name: String
            /// In the table's currency.
            public let revenue: Double
            /// Where that of all segments adds up.
            public let operatingIncome: Double?
            /// Whether it is no segment but corporate or eliminations.
            public let isReconciliation: Bool
        }
        /// A fiscal year.
        public struct Year: Codable, Hashable, Sendable {
            /// `YYYY-MM-DD`.
            public let start: String
            /// `YYYY-MM-DD`.
            public let end: String
            /// Of the company.
            public let revenue: Double
            /// The largest first.
            public let parts: [Part]
        }
        /// The number of the annual report.
        public let accessionNumber: String
        /// Where it is.
        public let url: String
        /// `USD`, …
        public let currency: String
        /// The newest first.
        public let years: [Year]
    }

    /// A sentence of a report with its proof.
    public struct Claim: Codable, Hashable, Sendable {
        /// Whether it was right at once.
        public struct Status: OpenEnum {
            /// As it is on the wire.
            public let rawValue: String
            /// Takes any text.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Its quote stood in its passage at once.
            public static let verified: Status = "verified"
            /// The answer had to be put right.
            public static let repaired: Status = "repaired"
            /// Nothing proves it: it is the investor's view, and has no quote.
            public static let view: Status = "view"
        }
        /// What it is about.
        public let topic: String
        /// What the report says.
        public let text: String
        /// As a passage has it; `nil` for a view.
        public let quote: String?
        /// The item of the quote.
        public let item: String?
        /// The year of the report with the quote.
        public let year: String?
        /// Ids of the paragraphs that it rests on.
        public let passages: [String]
        /// Shows the quote marked in the filing.
        public let url: String?
        /// Whether it was right at once.
        public let status: Status
    }

    /// A filing whose text was read.
    public struct FilingRead: Codable, Hashable, Sendable {
        /// An item of the filing.
        public struct Item: Codable, Hashable, Sendable {
            /// Its number, such as `1A`.
            public let item: String
            /// How far it could be read.
            public let status: FiledText.Item.Status
        }
        /// The number of the filing.
        public let accessionNumber: String
        /// The form: `10-K`, `10-Q`, …
        public let form: String
        /// What it is for a reader.
        public let role: ListedFiling.Role
        /// `YYYY-MM-DD`.
        public let filed: String
        /// The end of the period, `YYYY-MM-DD`.
        public let period: String?
        /// Where it is.
        public let url: String
        /// Its items; none where it was not read.
        public let items: [Item]
        /// Why it was not read.
        public let problem: String?
    }

    /// A paragraph of a filing, word for word.
    public struct Passage: Codable, Hashable, Sendable, Identifiable {
        /// Names the paragraph.
        public let id: String
        /// Its item.
        public let item: String
        /// As the filing has it.
        public let text: String
        /// Where it is in the filing.
        public let url: String?
    }

    /// What a quarterly report says of risks since the annual report.
    public struct RiskUpdates: Codable, Hashable, Sendable {
        /// The number of the quarterly report.
        public let accessionNumber: String
        /// `YYYY-MM-DD`.
        public let filed: String
        /// Where it is.
        public let url: String
        /// Whether it says that nothing material changed, and has nothing new.
        public let isUnchanged: Bool
        /// Paragraphs that the annual report does not have.
        public let new: [Passage]
        /// Paragraphs that differ from those of the annual report.
        public let changed: [RiskChanges.Change]
    }

    /// What changed between the risk factors of two annual reports.
    public struct RiskChanges: Codable, Hashable, Sendable {
        /// A paragraph in both years.
        public struct Change: Codable, Hashable, Sendable {
            /// As the older report has it.
            public let before: Passage
            /// As the newer report has it.
            public let after: Passage
        }
        /// The number of the older report.
        public let before: String
        /// The number of the newer report.
        public let after: String
        /// How many paragraphs are new.
        public let newCount: Int
        /// How many are gone.
        public let removedCount: Int
        /// How many changed.
        public let changedCount: Int
        /// New paragraphs, as far as there is room.
        public let new: [Passage]
        /// Paragraphs that are gone.
        public let removed: [Passage]
        /// Paragraphs that changed.
        public let changed: [Change]
    }

    /// A figure that was computed from those of filings.
    public struct ComputedFigure: Codable, Hashable, Sendable, Identifiable {
        /// Names the figure.
        public let id: String
        /// For people.
        public let label: String
        /// In its unit.
        public let value: Double
        /// `USD`, `ratio`, …
        public let unit: String
        /// The label of the period.
        public let period: String?
        /// How it was computed.
        public let source: String
        /// Ids of the facts that it is computed from.
        public let figures: [String]
    }

    /// A place of the prose that states a figure.
    public struct Mention: Codable, Hashable, Sendable {
        /// The text: `summary`, or `risks[0].detail`.
        public let path: String
        /// In UTF-16 units.
        public let from: Int
        /// The first unit behind it.
        public let to: Int
        /// The id of the figure in `facts` or `computed`.
        public let figure: String
    }

    /// A sentence of the prose that is the investor's view: neither a figure nor a claim with its proof bears it out.
    public struct View: Codable, Hashable, Sendable {
        /// The text: `thesis`, or `risks[0].detail`.
        public let path: String
        /// In UTF-16 units.
        public let from: Int
        /// The first unit behind it.
        public let to: Int
    }

    /// The investor's checklist, answered by figures.
    public struct Scorecard: Codable, Hashable, Sendable {
        /// The figures behind an answer.
        public struct Evidence: Codable, Hashable, Sendable {
            /// Names the measure.
            public let metric: String
            /// For people.
            public let title: String
            /// How it is computed.
            public let formula: String
            /// Its unit.
            public let unit: String
            /// `nil` when there is too little data.
            public let value: Double?
            /// Why there is no value.
            public let abstainedBecause: String?
            /// What is missing.
            public let shortfall: String?
            /// Ids of the facts.
            public let figures: [String]
        }
        /// A question of the checklist.
        public struct Item: Codable, Hashable, Sendable, Identifiable {
            /// Names the question.
            public let id: String
            /// The question.
            public let question: String
            /// How much it counts.
            public let weight: Double
            /// 0 to 10; `nil` without a value.
            public let score: Double?
            /// The figures behind it.
            public let evidence: Evidence
        }
        /// A rule that the investor does not break.
        public struct WalkAway: Codable, Hashable, Sendable, Identifiable {
            /// Names the rule.
            public let id: String
            /// Whether its condition holds, so that the investor walks away.
            public let holds: Bool
            /// Why, or why not.
            public let because: String
            /// The figures behind it.
            public let evidence: Evidence
        }
        /// What the score comes to.
        public let verdict: Verdict
        /// 0 to 100; `nil` when there is too little data.
        public let score: Double?
        /// The lowest scores of the verdicts; `nil` in older reports.
        public let thresholds: Persona.Thresholds?
        /// How well the data supports the score, 0 to 100.
        public let confidence: Double
        /// What the verdict leaves open.
        public let verdictNote: String?
        /// What is to be said about the score.
        public let remarks: [String]
        /// The questions.
        public let items: [Item]
        /// The rules.
        public let walkAways: [WalkAway]
    }

    /// The wire's `report`.
    public let prose: Prose
    /// The figures of filings, each with its filing.
    public let facts: [Figure]
    /// The figures that were computed from them.
    public let computed: [ComputedFigure]
    /// The places of the prose that state a figure; `nil` in a report from before these were kept.
    public let mentions: [Mention]?
    /// The sentences that are the investor's view; `nil` in a report from before these were kept.
    public let views: [View]?
    /// The checklist.
    public let scorecard: Scorecard
    /// Which prompts and models made it.
    public let provenance: Provenance
    /// The language of the answer, `en`, `de`, `es` or `fr`, where it was chosen.
    public let language: String?

    private enum CodingKeys: String, CodingKey {
        case prose = "report"
        case facts, computed, mentions, views, scorecard, provenance, language
    }
}
