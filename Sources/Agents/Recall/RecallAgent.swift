internal import DossierAPI
internal import JobQueue
internal import JSON
internal import Learning
internal import Prompts

/// Grades an answer in the learner's own words against the passage that the question rests on, and schedules the card.
///
/// The answer of a card that is not due is graded for practice: it changes nothing.
struct RecallAgent: Agent {
    private static let userMessage = "We could not judge this answer. Please try again, or rate it yourself."

    let cards: any RecallRepository
    let models: ModelCalls

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let input = try context.input(RecallInput.init)
        let prompt = try context.prompt("grade")
        context.progress("read")
        let card = try await card(input.card, in: context)
        let question = card.question
        let asked = PromptQuestion(
            step: "grade", stage: "grade", prompt: prompt,
            input: [
                "question": JSON(question.question), "passage": JSON(question.sourceSpan),
                "expected": JSON(question.answer), "answer": JSON(input.answer),
            ],
            expectedCharacters: 400, userMessage: Self.userMessage)
        let answer = try await models.ask(asked, in: context)
        context.progress("store")
        let verdict = answer.content["verdict"]?.string.flatMap(AnswerGrade.Verdict.init) ?? .wrong
        let sentence = answer.content["quote"]?.string.flatMap(SourceText(question.sourceSpan).passage)
        let grade = AnswerGrade(
            verdict: verdict, rating: AnswerGrade.rating(verdict, felt: input.felt),
            reason: answer.content["reason"]?.string, sentence: sentence ?? question.sourceSpan)
        let time = context.job.createdAt
        let isCounted = card.isDue(at: time)
        let after =
            isCounted
            ? card.reviewed(
                CardReview(id: context.job.lease.job.description, rating: grade.rating, answeredAt: time)) : card
        var result = grade.json(of: after, isCounted: isCounted)
        result["provenance"] = context.provenance(of: [answer])
        return AgentResult(result, records: isCounted ? [.recallCard(after.record)] : [])
    }

    /// The card as it was when the job first ran, so that its answer is graded against one question.
    private func card(_ id: String, in context: JobContext) async throws(AgentError) -> LearningCard {
        let user = context.job.user
        let entry = try await context.journal.step("card", input: ["card_id": JSON(id)]) {
            guard let record = try await cards.recallCards([id], of: user).first else { return .null }
            return [
                "concept": JSON(record.concept), "source": JSON(record.source), "content": JSON(record.content),
                "schedule": JSON(record.schedule), "due_at": JSON(record.dueAt.milliseconds),
                "revision": JSON(record.revision), "created_at": JSON(record.createdAt.milliseconds),
            ]
        }
        let record =
            entry.output == .null
            ? nil
            : try entry.decoded("card") { field in
                RecallCard(
                    user: user, id: id, concept: try field["concept"].string(), source: try field["source"].string(),
                    content: try field["content"].string(), schedule: try field["schedule"].string(),
                    dueAt: Timestamp(milliseconds: try field["due_at"].integer()),
                    revision: try field["revision"].integer(),
                    createdAt: Timestamp(milliseconds: try field["created_at"].integer()))
            }
        guard let card = record.flatMap(LearningCard.init), card.question.form == .open else {
            throw .notFound(
                "There is no such recall card with an open question.",
                userMessage: "This card is not here any more.")
        }
        return card
    }
}

/// The input of a `recall` job.
private struct RecallInput: Sendable {
    let card: String
    let answer: String
    /// How a right answer felt.
    let felt: ReviewRating?

    init(_ input: JSONField) throws(JSONFieldError) {
        card = try input["card_id"].string()
        answer = try input["answer"].string()
        let word = try input["rating"].optional?.string()
        felt = word.flatMap { ReviewRating(word: $0) }
    }
}
