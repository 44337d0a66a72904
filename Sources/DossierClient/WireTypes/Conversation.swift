// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// What an answer rests on.
public struct Citation: Codable, Hashable, Sendable {
    /// `document`, `report`, `article` or `story`.
    public let kind: String
    public let id: String
    public let title: String
    public let url: String?
    public let quote: String
}

public struct ArticleAnswer: Codable, Hashable, Sendable {
    public let conversationID: Conversation.ID
    public let articleID: Article.ID
    public let formFactor: FormFactor
    public let answer: String
    /// Whether the article says it.
    public let inArticle: Bool
    public let citations: [Citation]
    public let provenance: Provenance?
    public let jobID: Job.ID?
}

public struct EducationAnswer: Codable, Hashable, Sendable {
    public let conversationID: Conversation.ID
    public let answer: String
    /// False when nothing that the user may see answers the question.
    public let known: Bool
    public let citations: [Citation]
    public let provenance: Provenance?
    public let jobID: Job.ID?
}

public struct Conversation: Codable, Hashable, Sendable, Identifiable {
    public struct ID: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    public struct Message: Codable, Hashable, Sendable {
        /// `user` or `assistant`.
        public let role: String
        public let text: String
        public let citations: [Citation]
        public let at: Date
        public let jobID: Job.ID
    }
    public let id: ID
    /// `article` or `education`.
    public let subject: String
    public let articleID: Article.ID?
    /// The first question; in lists, like the two that follow.
    public let title: String?
    public let turns: Int?
    public let createdAt: Date?
    public let updatedAt: Date
    /// `nil` in lists.
    public let messages: [Message]?
}
