internal import Basics
internal import JobQueue
internal import JSON
internal import Prompts

/// The turn that a job adds to a conversation.
struct ChatTurn: Sendable {
    /// The conversation's id: that of the job which answers its first question.
    let conversation: String
    /// The topic of the conversation: `education`, or `article:` and an id.
    let subject: String
    let question: String
    /// Whether the conversation has turns before this one.
    let isContinued: Bool
    /// The language that the job asks for, else that of the question, where it can be told.
    let language: Language?

    /// Reads `question` and `conversation_id` of a job's input.
    init(_ context: JobContext, about subject: String) throws(AgentError) {
        let (question, given) = try context.input { input in
            (try input["question"].string(), try input["conversation_id"].optional?.string())
        }
        self.question = question
        self.subject = subject
        isContinued = given != nil
        conversation = given ?? context.job.lease.job.description
        language = context.language ?? LanguageDetector.language(ofQuestion: question)
    }

    /// The name of the language that a prompt is to ask for beside its general rule; `nil` for English, which models
    /// answer in of themselves.
    var languageInput: JSON? { language.flatMap { $0 == .english ? nil : JSON($0.englishName) } }

    /// The record of the turn with its answer, which is stored with the job's result.
    func record(_ answer: String, citations: JSON, at timestamp: Timestamp, in context: JobContext) -> RecordChange {
        .turn(
            ConversationTurn(
                job: context.job.lease.job.description, conversation: conversation, user: context.job.user,
                subject: subject, question: question, answer: answer, citations: citations.compact,
                askedAt: context.job.createdAt, answeredAt: timestamp))
    }
}

/// The part of a conversation that a model reads: the last turns that fit.
struct ConversationHistory: Sendable {
    /// The number of turns that are read.
    static let turns = 6
    /// Characters of one question or answer.
    private static let longest = 1500
    /// Characters of all questions and answers.
    private static let total = 8000

    let turns: [(question: String, answer: String)]

    init(_ turns: [(question: String, answer: String)]) {
        var room = Self.total
        var kept: [(question: String, answer: String)] = []
        for turn in turns.suffix(Self.turns).reversed() {
            let question = Excerpt(of: turn.question, limit: Self.longest).text
            let answer = Excerpt(of: turn.answer, limit: Self.longest).text
            room -= question.count + answer.count
            guard room >= 0 else { break }
            kept.append((question, answer))
        }
        self.turns = kept.reversed()
    }

    /// The prompt's value; `nil` at the beginning of a conversation.
    var promptInput: JSON? {
        turns.isEmpty ? nil : .array(turns.map { ["question": JSON($0.question), "answer": JSON($0.answer)] })
    }
}

/// The step that reads the earlier turns of a conversation.
struct HistoryStep: Sendable {
    let conversations: any ConversationRepository

    /// The earlier turns of the conversation that a turn continues.
    ///
    /// - Throws: `failed` when the user has no such conversation about this subject.
    func read(before turn: ChatTurn, in context: JobContext) async throws(AgentError) -> ConversationHistory {
        guard turn.isContinued else { return ConversationHistory([]) }
        let user = context.job.user
        let entry = try await context.journal.step("history", input: ["conversation": JSON(turn.conversation)]) {
            let turns = try await conversations.turns(
                of: turn.conversation, user: user, last: ConversationHistory.turns)
            return .array(
                turns.map {
                    ["subject": JSON($0.subject), "question": JSON($0.question), "answer": JSON($0.answer)]
                })
        }
        let turns = entry.output.array ?? []
        guard !turns.isEmpty, turns.allSatisfy({ $0["subject"]?.string == turn.subject }) else {
            throw .notFound(
                "There is no such conversation about this.",
                userMessage: "This conversation is not here any more. Please begin a new one.")
        }
        return ConversationHistory(
            turns.compactMap { turn in
                guard let question = turn["question"]?.string, let answer = turn["answer"]?.string else { return nil }
                return (question, answer)
            })
    }
}
