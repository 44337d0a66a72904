internal import JSON
internal import JobQueue
internal import Prompts
internal import Records

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

    /// The passages nearest to a question; none when nothing is near enough.
    func search(
        _ question: String, after history: History, in context: JobContext
    ) async throws(AgentError) -> [CitedPassage] {
        let query = Self.query(question, after: history)
        let user = context.job.user.rawValue
        let entry = try await context.journal.step("search", input: ["terms": JSON(query.terms)]) {
            () async throws(AgentError) in
            do throws(RecordsError) {
                var found = try await repository.passages(holding: query.terms, for: user, limit: Self.candidates)
                found += try await articles.articles(holdingAnyOf: query.words, limit: Self.articleCandidates)
                    .map { Passage($0) }
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

extension Passage {
    /// Characters of an article that are read.
    private static let beginning = 1200

    /// The beginning of an article, which everybody may see.
    fileprivate init(_ article: NewsArticle) {
        let whole = [article.description, article.text].compactMap(\.self).joined(separator: "\n\n")
        let text = Excerpt(of: whole.isEmpty ? article.title : whole, limit: Self.beginning).text
        self.init(
            kind: .article, source: article.id, part: 0, title: "\(article.title) (\(article.source))",
            url: article.url,
            text: text, terms: ContentWords(article.title + "\n" + text).terms.joined(separator: " "),
            writtenAt: article.publishedAt)
    }
}
