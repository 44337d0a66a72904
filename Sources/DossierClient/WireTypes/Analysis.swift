public import Foundation

/// What an article or a video teaches somebody with a goal, and questions to remember it by.
public struct Analysis: Codable, Hashable, Sendable {
    /// Whether questions are asked.
    public struct Decision: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The content is worth it: there are questions.
        public static let triggered: Decision = "triggered"
        /// It is not: there are none.
        public static let ignored: Decision = "ignored"
    }
    /// A question to remember something by.
    public struct RecallQuestion: Codable, Hashable, Sendable {
        /// How a question is answered.
        public struct Form: OpenEnum {
            /// As it is on the wire.
            public let rawValue: String
            /// Takes any text.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// In own words.
            public static let open: Form = "open"
            /// By one of the options.
            public static let multipleChoice: Form = "mcq"
        }
        /// What is asked.
        public let question: String
        /// How it is answered.
        public let type: Form
        /// What it is about.
        public let concept: String?
        /// One of them is the answer; only with `mcq`.
        public let options: [String]?
        /// The right answer.
        public let answer: String?
        /// A passage of the text, word for word.
        public let sourceSpan: String?
        /// The card that was made of it; `nil` when the user has such a question already.
        public let cardID: RecallCard.ID?
    }
    /// What the content says about a concept.
    public struct ConceptDetail: Codable, Hashable, Sendable {
        /// The concept.
        public let name: String
        /// A passage of the text, word for word.
        public let sourceSpan: String
        /// How much the content says about it.
        public let depth: String
        /// What it has to do with the goal.
        public let bearing: String
        /// How well the user knows it.
        public let standing: String
    }
    /// What was read.
    public struct Content: Codable, Hashable, Sendable {
        /// Its address.
        public let url: String
        /// `article` or `video`.
        public let kind: String
        /// Its title, where it has one.
        public let title: String?
        /// Who published it.
        public let site: String?
        /// Its language, where it is known.
        public let language: String?
        /// When it was published.
        public let publishedAt: Date?
        /// Its length.
        public let characters: Int
        /// How much of it was read.
        public let charactersRead: Int
    }
    /// What the user's recall cards say about the concepts.
    public struct History: Codable, Hashable, Sendable {
        /// Concepts that the user remembers.
        public let known: [String]
        /// Concepts that the user forgets.
        public let weak: [String]
    }
    /// The job's id.
    public let traceID: Job.ID
    /// What it is about, the most important first.
    public let concepts: [String]
    /// How much it has to do with the goal, 0 to 1.
    public let relevanceScore: Double
    /// How much the user can learn of it, 0 to 1.
    public let learningValueScore: Double
    /// Whether questions are asked.
    public let decision: Decision
    /// Empty unless triggered.
    public let recallQuestions: [RecallQuestion]
    /// Why it has to do with the goal, or not.
    public let relevanceReasons: [String]?
    /// The concepts with what the content says.
    public let conceptDetails: [ConceptDetail]?
    /// What was read.
    public let content: Content?
    /// Which prompts and models made it.
    public let provenance: Provenance?
    /// What the user's recall cards say about the concepts.
    public let history: History?
    /// The language of the answer, `en`, `de`, `es` or `fr`, where it was chosen.
    public let language: String?
}
