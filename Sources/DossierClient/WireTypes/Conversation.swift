public import Foundation

/// What an answer rests on.
public struct Citation: Codable, Hashable, Sendable {
    /// `document`, `report`, `article` or `story`.
    public let kind: String
    /// Names the document, report, article or story.
    public let id: String
    /// Its title.
    public let title: String
    /// Where it is, if it has an address.
    public let url: String?
    /// The passage, word for word.
    public let quote: String
}

/// The answer to a question about an article.
public struct ArticleAnswer: Codable, Hashable, Sendable {
    /// Continues the conversation in the next question.
    public let conversationID: Conversation.ID
    /// The article.
    public let articleID: Article.ID
    /// How long it may be.
    public let formFactor: FormFactor
    /// The answer.
    public let answer: String
    /// Whether the article says it.
    public let inArticle: Bool
    /// Whether the page is for subscribers, so that the answer rests on what its source shows to all.
    public let forSubscribers: Bool?
    /// The passages that it rests on.
    public let citations: [Citation]
    /// Which prompts and models made it.
    public let provenance: Provenance?
    /// The job that made it; `nil` in the job's own result.
    public let jobID: Job.ID?
    /// The language of the answer, `en`, `de`, `es` or `fr`, where it was chosen.
    public let language: String?
}

/// The answer to a question about investing.
public struct EducationAnswer: Codable, Hashable, Sendable {
    /// Continues the conversation in the next question.
    public let conversationID: Conversation.ID
    /// The answer.
    public let answer: String
    /// False when nothing that the user may see answers the question.
    public let known: Bool
    /// The passages that it rests on.
    public let citations: [Citation]
    /// Which prompts and models made it.
    public let provenance: Provenance?
    /// The job that made it; `nil` in the job's own result.
    public let jobID: Job.ID?
    /// The language of the answer, `en`, `de`, `es` or `fr`, where it was chosen.
    public let language: String?
}

/// Questions and answers, about an article or about investing.
public struct Conversation: Codable, Hashable, Sendable, Identifiable {
    /// Names a conversation.
    public struct ID: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    /// A question or an answer.
    public struct Message: Codable, Hashable, Sendable {
        /// `user` or `assistant`.
        public let role: String
        /// What it says.
        public let text: String
        /// The passages that an answer rests on.
        public let citations: [Citation]
        /// When it was written.
        public let at: Date
        /// The job that answered.
        public let jobID: Job.ID
    }
    /// Names the conversation.
    public let id: ID
    /// `article` or `education`.
    public let subject: String
    /// The article that it is about.
    public let articleID: Article.ID?
    /// The first question; in lists, like the two that follow.
    public let title: String?
    /// The number of questions.
    public let turns: Int?
    /// When it began.
    public let createdAt: Date?
    /// When the last answer came.
    public let updatedAt: Date
    /// `nil` in lists.
    public let messages: [Message]?
}
