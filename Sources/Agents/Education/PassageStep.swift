internal import JSON
internal import JobQueue

/// The step that looks for what an answer may rest on, once in the life of the job.
struct PassageStep: Sendable {
    /// What is looked at more closely, and what a model is given to read of it.
    private static let candidates = 60
    private static let articleCandidates = 12
    private static let most = 6
    private static let characters = 9000
    /// A question of so few words of its own goes with the one before it ("And why?").
    private static let fewWords = 2

    let repository: any PassageRepository
    let articles: any ArticleSearchRepository
    /// `nil` where nothing makes vectors: words alone decide then.
    let meaning: MeaningSearch?

    /// The passages nearest to a question, by its words and by its meaning; none when nothing is near enough.
    func search(
        _ question: String, after history: History, in context: JobContext
    ) async throws(AgentError) -> [CitedPassage] {
        let asked = Self.text(question, after: history)
        let query = PassageQuery(asked)
        let user = context.job.user.rawValue
        var vectors: QuestionVectors?
        // What is about nothing is near to nothing.
        if let meaning, !query.terms.isEmpty { vectors = try await meaning.vectors(of: asked, in: context) }
        // Vectors stand in a step before, so whoever reads the journal again needs nothing that makes them.
        let entry = try await context.journal.step("search", input: ["terms": JSON(query.terms)]) {
            [vectors] () async throws(AgentError) in
            do throws(StoreError) {
                var found = try await repository.passages(holding: query.terms, for: user, limit: Self.candidates)
                found += try await articles.articles(holdingAnyOf: query.words, limit: Self.articleCandidates)
                    .map { Passage($0) }
                var lists = [query.nearest(of: found)]
                if let meaning, let vectors { lists.append(try await meaning.nearest(to: vectors, for: user)) }
                let chosen = Self.bounded(RankFusion.merge(lists))
                return (.array(chosen.enumerated().map { CitedPassage($1, number: $0 + 1).json }), [])
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

    /// What is looked for: the question, with the one before it where it is short.
    private static func text(_ question: String, after history: History) -> String {
        guard PassageQuery(question).terms.count <= fewWords, let last = history.turns.last else { return question }
        return last.question + " " + question
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
