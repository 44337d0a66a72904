/// A user's question in a conversation, with its answer. The job that answers writes it when it completes.
///
/// A conversation is the turns of one user under one id. The same id of another user is another conversation, so that
/// no user can reach into a conversation of another one.
package struct ConversationTurn: Sendable, Hashable, Codable {
    /// The id of the job that answered; the natural key.
    package var job: String
    /// The conversation's id: the id of the job that answered its first question.
    package var conversation: String
    package var user: UserID
    /// The topic: `article:ID` or `education`.
    package var subject: String
    package var question: String
    package var answer: String
    /// JSON: a list of the sources of the answer.
    package var citations: String
    package var askedAt: Timestamp
    package var answeredAt: Timestamp

    package init(
        job: String, conversation: String, user: UserID, subject: String, question: String, answer: String,
        citations: String, askedAt: Timestamp, answeredAt: Timestamp
    ) {
        self.job = job
        self.conversation = conversation
        self.user = user
        self.subject = subject
        self.question = question
        self.answer = answer
        self.citations = citations
        self.askedAt = askedAt
        self.answeredAt = answeredAt
    }
}

extension ConversationTurn: StoredRecord {
    package static var noun: String { "conversation_turn" }
    package var naturalKey: String { job }
    package var texts: [(name: String, text: String?)] {
        [
            ("turn.job", job), ("turn.conversation", conversation), ("turn.subject", subject),
            ("turn.question", question), ("turn.answer", answer), ("turn.citations", citations),
        ]
    }
}

/// A user's conversation in a list.
package struct ConversationEntry: Sendable, Hashable {
    package var id: String
    package var subject: String
    /// The first question.
    package var title: String
    /// The time of the first question.
    package var createdAt: Timestamp
    /// The time of the latest answer.
    package var updatedAt: Timestamp
    /// The number of answered questions.
    package var turns: Int

    package init(
        id: String, subject: String, title: String, createdAt: Timestamp, updatedAt: Timestamp, turns: Int
    ) {
        self.id = id
        self.subject = subject
        self.title = title
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.turns = turns
    }
}

/// Reads conversations. Jobs write them as `RecordChange.turn`.
package protocol ConversationRepository: Sendable {
    /// The last turns of a user's conversation, up to `count`, the oldest first; none when the user has no such
    /// conversation.
    func turns(of conversation: String, user: UserID, last count: Int) async throws(StoreError) -> [ConversationTurn]

    /// A user's conversations, the most recently answered first.
    func conversations(of user: UserID, offset: Int, count: Int) async throws(StoreError) -> [ConversationEntry]

    /// The number of a user's conversations.
    func conversationCount(of user: UserID) async throws(StoreError) -> Int

    /// Ids of conversations of a user after an id, in the order of ids: a place that no new turn moves.
    func conversationIDs(of user: UserID, after id: String, limit: Int) async throws(StoreError) -> [String]

    /// Deletes turns of conversations whose last turn was answered before a time, and returns their number.
    func deleteConversations(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int
}
