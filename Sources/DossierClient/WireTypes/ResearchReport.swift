// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The result of a job of kind `research`: prose, and every figure with its filing.
public struct ResearchReport: Codable, Hashable, Sendable {
    public struct Verdict: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let fits: Verdict = "fits"
        public static let mixed: Verdict = "mixed"
        public static let doesNotFit: Verdict = "does_not_fit"
        public static let walksAway: Verdict = "walks_away"
        /// Too little data for a score.
        public static let abstains: Verdict = "abstains"
    }

    public struct Prose: Codable, Hashable, Sendable {
        public struct Company: Codable, Hashable, Sendable {
            public let name: String
            public let ticker: String
            public let cik: Int?
            public let industry: String?
        }
        public struct Investor: Codable, Hashable, Sendable {
            public let id: Persona.ID
            public let name: String
        }
        public struct Point: Codable, Hashable, Sendable {
            public let title: String
            public let detail: String
        }
        public struct Change: Codable, Hashable, Sendable {
            public let text: String
            public let threshold: String?
        }
        public struct Source: Codable, Hashable, Sendable {
            public let form: String
            public let accessionNumber: String
            /// `YYYY-MM-DD`.
            public let filed: String
            public let url: String?
        }
        public let company: Company
        public let persona: Investor
        public let verdict: Verdict
        /// 0 to 100; `nil` when the persona abstains.
        public let score: Double?
        public let confidence: Double
        public let summary: String
        public let thesis: String
        public let strengths: [Point]
        public let risks: [Point]
        public let valuation: String
        public let whatWouldChangeTheView: [Change]
        public let sourcesNote: String?
        /// What is not known.
        public let gaps: [String]
        public let sources: [Source]
    }

    public struct ComputedFigure: Codable, Hashable, Sendable, Identifiable {
        public let id: String
        public let label: String
        public let value: Double
        public let unit: String
        public let period: String?
        public let source: String
        /// Ids of the facts that it is computed from.
        public let figures: [String]
    }

    public struct Scorecard: Codable, Hashable, Sendable {
        public struct Evidence: Codable, Hashable, Sendable {
            public let metric: String
            public let title: String
            public let formula: String
            public let unit: String
            public let value: Double?
            public let abstainedBecause: String?
            public let shortfall: String?
            public let figures: [String]
        }
        public struct Item: Codable, Hashable, Sendable, Identifiable {
            public let id: String
            public let question: String
            public let weight: Double
            public let score: Double?
            public let evidence: Evidence
        }
        public struct WalkAway: Codable, Hashable, Sendable, Identifiable {
            public let id: String
            public let holds: Bool
            public let because: String
            public let evidence: Evidence
        }
        public let verdict: Verdict
        public let score: Double?
        public let confidence: Double
        public let remarks: [String]
        public let items: [Item]
        public let walkAways: [WalkAway]
    }

    /// The wire's `report`.
    public let prose: Prose
    public let facts: [Figure]
    public let computed: [ComputedFigure]
    public let scorecard: Scorecard
    public let provenance: Provenance

    private enum CodingKeys: String, CodingKey {
        case prose = "report"
        case facts, computed, scorecard, provenance
    }
}
