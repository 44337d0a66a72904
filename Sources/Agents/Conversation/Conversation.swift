internal import JobQueue
internal import JSON

/// The conversation to which a job adds a turn.
struct ChatTurn: Sendable {
    /// The conversation's id: that of the job which answers its first question.
    let conversation: String
    /// What it is about.
    let subject: String
    let question: String
    /// Whether there are turns before this one.
    let goesOn: Bool

    /// Reads `question` and `conversation_id` of a job's input.
    init(_ context: JobContext, about subject: String) throws(AgentError) {
        let input = JSONField(context.job.input)
        do {
            question = try input["question"].string()
            let given = try input["conversation_id"].optional?.string()
            goesOn = given != nil
            conversation = given ?? context.job.lease.job.description
        } catch {
            throw .failed(AgentFailure(.internalFailure("the job's input: \(error)"), isTransient: false))
        }
        self.subject = subject
    }

    /// The turn as it is kept, stored with the job's result.
    func turn(_ answer: String, citations: JSON, at timestamp: Int64, in context: JobContext) -> RecordChange {
        .turn(
            ConversationTurn(
                job: context.job.lease.job.description, conversation: conversation, user: context.job.user.rawValue,
                subject: subject, question: question, answer: answer, citations: citations.compact,
                askedAt: context.job.createdAt.milliseconds, answeredAt: timestamp))
    }
}

/// The part of a conversation that a model is told: the last turns, bounded.
struct History: Sendable {
    /// Turns that are read.
    static let turns = 6
    /// Characters of one question or answer, and of all together.
    private static let longest = 1500
    private static let total = 8000

    let turns: [(question: String, answer: String)]

    /// The newest turns that fit.
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

/// The step that reads what was said so far, once in the life of the job.
struct HistoryStep: Sendable {
    let conversations: any ConversationRepository

    /// What was said in the conversation that the job goes on with.
    ///
    /// - Throws: `failed` when the user has no such conversation about this subject.
    func read(_ talk: ChatTurn, in context: JobContext) async throws(AgentError) -> History {
        guard talk.goesOn else { return History([]) }
        let user = context.job.user.rawValue
        let entry = try await context.journal.step("history", input: ["conversation": JSON(talk.conversation)]) {
            () async throws(AgentError) in
            do throws(StoreError) {
                let turns = try await conversations.turns(of: talk.conversation, user: user, last: History.turns)
                return (
                    .array(
                        turns.map {
                            [
                                "subject": JSON($0.subject), "question": JSON($0.question), "answer": JSON($0.answer),
                            ]
                        }), []
                )
            } catch {
                throw AgentError(error)
            }
        }
        let turns = entry.output.array ?? []
        guard !turns.isEmpty, turns.allSatisfy({ $0["subject"]?.string == talk.subject }) else {
            throw .noConversation
        }
        return History(
            turns.compactMap { turn in
                guard let question = turn["question"]?.string, let answer = turn["answer"]?.string else { return nil }
                return (question, answer)
            })
    }
}

extension AgentError {
    static let noConversation = AgentError.failed(
        AgentFailure(
            JobError(
                code: "BIZ_2005", message: "There is no such conversation about this.",
                userMessage: "This conversation is not here any more. Please begin a new one."), isTransient: false))
}
