// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// What an article or a video teaches somebody with a goal, and questions to remember it by.
public struct Analysis: Codable, Hashable, Sendable {
    public struct Decision: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let triggered: Decision = "triggered"
        public static let ignored: Decision = "ignored"
    }
    public struct RecallQuestion: Codable, Hashable, Sendable {
        public struct Form: OpenEnum {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            public static let open: Form = "open"
            public static let multipleChoice: Form = "mcq"
        }
        public let question: String
        public let type: Form
        public let concept: String?
        /// One of them is the answer; only with `mcq`.
        public let options: [String]?
        public let answer: String?
        /// A passage of the text, word for word.
        public let sourceSpan: String?
        /// The card that was made of it; `nil` when the user has such a question already.
        public let cardID: RecallCard.ID?
    }
    public struct ConceptDetail: Codable, Hashable, Sendable {
        public let name: String
        public let sourceSpan: String
        public let depth: String
        public let bearing: String
        public let standing: String
    }
    public struct Content: Codable, Hashable, Sendable {
        public let url: String
        /// `article` or `video`.
        public let kind: String
        public let title: String?
        public let site: String?
        public let language: String?
        public let publishedAt: Date?
        public let characters: Int
        public let charactersRead: Int
    }
    /// The job's id.
    public let traceID: Job.ID
    public let concepts: [String]
    public let relevanceScore: Double
    public let learningValueScore: Double
    public let decision: Decision
    /// Empty unless triggered.
    public let recallQuestions: [RecallQuestion]
    public let relevanceReasons: [String]?
    public let conceptDetails: [ConceptDetail]?
    public let content: Content?
    public let provenance: Provenance?
}
