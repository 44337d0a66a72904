internal import JSON
internal import JobQueue
internal import Prompts
internal import Records

/// The step that looks for what an answer may rest on, once in the life of the job.
struct PassageStep: Sendable {
    /// What is looked at more closely, and what a model is given to read of it.
    private static let candidates = 60
    private static let most = 6
    private static let characters = 9000
    /// A question of so few words of its own goes with the one before it ("And why?").
    private static let fewWords = 2

    let repository: any PassageRepository

    /// The passages nearest to a question; none when nothing is near enough.
    func search(
        _ question: String, after history: History, in context: JobContext
    ) async throws(AgentError) -> [CitedPassage] {
        let query = Self.query(question, after: history)
        let user = context.job.user.rawValue
        let entry = try await context.journal.step("search", input: ["terms": JSON(query.terms)]) {
            () async throws(AgentError) in
            do throws(RecordsError) {
                let found = try await repository.passages(holding: query.terms, for: user, limit: Self.candidates)
                let chosen = Self.bounded(query.nearest(of: found))
                return (
                    .array(chosen.enumerated().map { CitedPassage($1, number: $0 + 1).json }), []
                )
            } catch {
                throw AgentError(error)
            }
        }
        do {
            var passages: [CitedPassage] = []
            for field in try JSONField(entry.output).array() { passages.append(try CitedPassage(field)) }
            return passages
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("a journalled search cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: entry.sequence))
        }
    }

    private static func query(_ question: String, after history: History) -> PassageQuery {
        let own = PassageQuery(question)
        guard own.terms.count <= fewWords, let last = history.turns.last else { return own }
        return PassageQuery(last.question + " " + question)
    }

    private static func bounded(_ passages: [Passage]) -> [Passage] {
        var room = characters
        return Array(
            passages.prefix(most).prefix { passage in
                defer { room -= passage.text.count }
                return room > 0
            })
    }
}
