internal import JSON
internal import JobQueue

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
