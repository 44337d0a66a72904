internal import JobQueue
internal import JSON
internal import Learning
internal import Prompts

/// What the recall cards of a user say about the learner who asks for an analysis.
struct LearnerHistory: Sendable {
    var known: [String]
    var weak: [String]
    /// The questions that the user has about the same text already.
    var questions: [String]

    /// A new question with this similarity to an earlier one about the same text gets no card of its own.
    private static let sameQuestion = 0.75

    func hasQuestion(like question: String) -> Bool {
        let words = ContentWords(question)
        return questions.contains { ContentWords($0).similarity(to: words) >= Self.sameQuestion }
    }
}

extension Learner {
    /// The concepts of one list that a prompt takes.
    static let mostConcepts = 200

    /// The learner of a request, with the concepts of their history that the request does not name: the request's own
    /// lists come first, and what they say of a concept holds.
    func adding(_ history: LearnerHistory) -> Learner {
        func new(_ concepts: [String]) -> [String] {
            concepts.filter { familiarity(of: $0, same: nil) == .new }
        }
        return Learner(
            known: Array((known + new(history.known)).prefix(Self.mostConcepts)),
            weak: Array((weak + new(history.weak)).prefix(Self.mostConcepts)))
    }
}

/// The step that reads a user's recall cards.
struct LearnerStep: Sendable {
    let cards: any RecallRepository
    let now: @Sendable () -> Timestamp

    /// Reads what the cards of the job's user say, and which of them are about the text at an address.
    func read(source: String, in context: JobContext) async throws(AgentError) -> LearnerHistory {
        let user = context.job.user
        let entry = try await context.journal.step("learner", input: ["source": JSON(source)]) {
            let cards = try await self.cards.latestRecallCards(of: user, limit: ConceptHistory.mostCards)
                .compactMap(LearningCard.init)
            let history = ConceptHistory(cards, at: now())
            let same = try await self.cards.recallCards(of: user, source: source, limit: 100)
                .compactMap(LearningCard.init)
            return [
                "known": JSON(history.concepts(.known, limit: Learner.mostConcepts)),
                "weak": JSON(history.concepts(.weak, limit: Learner.mostConcepts)),
                "questions": JSON(same.map(\.question.question)),
            ]
        }
        return try entry.decoded("learner") { field in
            LearnerHistory(
                known: try field["known"].strings(), weak: try field["weak"].strings(),
                questions: try field["questions"].strings())
        }
    }
}
