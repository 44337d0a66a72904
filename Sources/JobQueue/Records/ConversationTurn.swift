/// A question that somebody asked in a conversation, with its answer. A job writes it as it completes.
///
/// A conversation is the turns of one user under one id: the same id of another user is another conversation, so nobody
/// can reach into somebody else's.
package struct ConversationTurn: Sendable, Hashable, Codable {
    /// The id of the job that answered; the natural key.
    package var job: String
    /// The conversation: the id of the job that answered its first question.
    package var conversation: String
    /// Whose it is.
    package var user: Int64
    /// What it is about: `article:ID` or `education`.
    package var subject: String
    package var question: String
    package var answer: String
    /// JSON: a list of what the answer rests on.
    package var citations: String
    /// Milliseconds since 1970.
    package var askedAt: Int64
    package var answeredAt: Int64

    package init(
        job: String, conversation: String, user: Int64, subject: String, question: String, answer: String,
        citations: String, askedAt: Int64, answeredAt: Int64
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

/// A user's conversation in a list.
package struct ConversationEntry: Sendable, Hashable {
    package var id: String
    package var subject: String
    /// The first question.
    package var title: String
    /// Milliseconds since 1970: the first question and the latest answer.
    package var createdAt: Int64
    package var updatedAt: Int64
    /// How many questions were answered.
    package var turns: Int

    package init(id: String, subject: String, title: String, createdAt: Int64, updatedAt: Int64, turns: Int) {
        self.id = id
        self.subject = subject
        self.title = title
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.turns = turns
    }
}

/// Reads conversations. They are written by jobs.
package protocol ConversationRepository: Sendable {
    /// The last turns of a user's conversation, up to `count`, the oldest first; none when the user has no such
    /// conversation.
    func turns(of conversation: String, user: Int64, last count: Int) async throws(StoreError) -> [ConversationTurn]

    /// A user's conversations, those with the newest answers first.
    func conversations(of user: Int64, offset: Int, count: Int) async throws(StoreError) -> [ConversationEntry]

    /// How many conversations a user has.
    func conversationCount(of user: Int64) async throws(StoreError) -> Int
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
