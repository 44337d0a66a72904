internal import JSON
package import JobQueue
internal import News

/// Finds what stands out by what it means, whatever words it uses.
package struct MeaningSearch: Sendable {
    private let embedder: PassageEmbedder
    private let passages: any PassageVectorRepository
    private let articles: any ArticleRepository

    /// `embedder` makes vectors; they are compared with those of `passages` and `articles`.
    package init(
        _ embedder: PassageEmbedder, passages: any PassageVectorRepository, articles: any ArticleRepository
    ) {
        self.embedder = embedder
        self.passages = passages
        self.articles = articles
    }

    func vectors(of question: String, in context: JobContext) async throws(AgentError) -> QuestionVectors? {
        try await embedder.vectors(of: question, in: context)
    }

    /// Passages that the user may see and articles, those that stand out farthest first.
    func nearest(to question: QuestionVectors, for user: Int64) async throws(StoreError) -> [Passage] {
        let texts = Self.standouts(
            try await passages.passageVectors(of: question.model, for: user, among: PassageEmbedder.window)
                .map { ($0.digest, $0.values) },
            near: question.question)
        let news = Self.standouts(
            try await articles.latestArticleVectors(of: question.model, among: PassageEmbedder.window)
                .map { ($0.article, $0.values) },
            near: question.topic)
        var found: [(passage: Passage, distance: Double)] = []
        for (digest, passage) in try await passages.passages(ofDigests: Array(texts.keys), for: user) {
            found.append((passage, texts[digest] ?? 0))
        }
        for article in try await articles.articles(ids: Array(news.keys)) {
            found.append((Passage(article), news[article.id] ?? 0))
        }
        return found.sorted { ($1.distance, $0.passage.naturalKey) < ($0.distance, $1.passage.naturalKey) }
            .map(\.passage)
    }

    /// What stands out by its cosine, with how far it does. Of one text that comes twice the first counts.
    private static func standouts(
        _ candidates: [(id: String, values: [Float])], near question: DenseVector
    ) -> [String: Double] {
        var seen: Set<String> = []
        let compared = candidates.compactMap { candidate -> (id: String, cosine: Double)? in
            guard seen.insert(candidate.id).inserted,
                let cosine = DenseVector(candidate.values).flatMap({ question.cosine($0) })
            else { return nil }
            return (candidate.id, cosine)
        }
        let far = Standouts.of(compared.map(\.cosine)).map { (compared[$0.place].id, $0.distance) }
        return Dictionary(uniqueKeysWithValues: far)
    }
}
