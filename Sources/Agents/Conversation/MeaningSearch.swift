internal import Basics
package import JobQueue
internal import JSON
package import LanguageModels
internal import News
internal import Prompts

/// Finds the passages and articles whose meaning is nearest to that of a question, even without a common word.
package struct MeaningSearch: Sendable {
    private let embedder: PassageEmbedder
    private let passages: any PassageVectorRepository
    private let articles: any ArticleRepository

    /// Makes a search that compares the vectors of `embedder` with those of `passages` and `articles`.
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

    /// The articles, and the passages that the user may see, that are outliers by their nearness; the nearest first.
    func nearest(to question: QuestionVectors, for user: UserID) async throws(StoreError) -> [Passage] {
        let texts = Self.outliers(
            try await passages.passageVectors(of: question.model, for: user, among: PassageEmbedder.window)
                .map { ($0.digest, $0.values) },
            near: question.question)
        let news = Self.outliers(
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

    /// The candidates that are outliers by their cosine, each with its distance from the mean. Of a text that comes
    /// twice the first counts.
    private static func outliers(
        _ candidates: [(id: String, values: [Float])], near question: DenseVector
    ) -> [String: Double] {
        var seen: Set<String> = []
        let compared = candidates.compactMap { candidate -> (id: String, cosine: Double)? in
            guard seen.insert(candidate.id).inserted,
                let cosine = DenseVector(candidate.values).flatMap({ question.cosine($0) })
            else { return nil }
            return (candidate.id, cosine)
        }
        let far = Outliers.above(compared.map(\.cosine)).map { (compared[$0.place].id, $0.distance) }
        return Dictionary(uniqueKeysWithValues: far)
    }
}

/// Values far above the mean of many.
///
/// The cosine of two unrelated texts differs from model to model, so each value is compared with all others and not
/// with a constant.
enum Outliers {
    /// Fewer values have no meaningful deviation.
    private static let fewest = 20
    /// Standard deviations above the mean.
    private static let distance = 2.5
    private static let most = 3

    /// The places of the outliers, with their distances in standard deviations, the farthest first.
    static func above(_ values: [Double]) -> [(place: Int, distance: Double)] {
        guard values.count >= fewest else { return [] }
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
        guard deviation > 0 else { return [] }
        let far = values.enumerated().map { (place: $0, distance: ($1 - mean) / deviation) }
            .filter { $0.distance >= distance }
            .sorted { ($1.distance, $0.place) < ($0.distance, $1.place) }
        return Array(far.prefix(most))
    }
}

/// The vectors of a question, in the form in which the journal holds them.
struct QuestionVectors: Sendable {
    /// The model that made them: vectors of different models cannot be compared.
    let model: String
    /// To compare with passages.
    let question: DenseVector
    /// To compare with articles, whose vectors are made for clustering.
    let topic: DenseVector

    /// `nil` when the call failed.
    init?(_ output: JSON) {
        guard let model = output["model"]?.string,
            let question = output["question"]?.string.flatMap({ DenseVector(VectorComponents.values(of: $0)) }),
            let topic = output["topic"]?.string.flatMap({ DenseVector(VectorComponents.values(of: $0)) })
        else { return nil }
        self.model = model
        self.question = question
        self.topic = topic
    }

    static func json(model: String, question: [Float], topic: [Float]) -> JSON {
        [
            "model": JSON(model), "question": JSON(VectorComponents.text(of: question)),
            "topic": JSON(VectorComponents.text(of: topic)),
        ]
    }
}

/// Makes the vectors of a question, and of passages that have none yet, in one call.
package struct PassageEmbedder: Sendable {
    /// The number of passages that are compared with a question, and the number of articles.
    static let window = 2000
    /// The question has two vectors in the same call.
    private static let passagesAtOnce = EmbeddingModel.textsAtOnce - 2

    private let model: EmbeddingModel
    private let passages: any PassageVectorRepository
    private let books: CallBooks

    /// Makes an embedder of `passages` that lack a vector.
    package init(_ model: EmbeddingModel, passages: any PassageVectorRepository, books: CallBooks = .none) {
        self.model = model
        self.passages = passages
        self.books = books
    }

    /// The vectors of a question; `nil` when the call failed, for which the journal has the reason.
    func vectors(of question: String, in context: JobContext) async throws(AgentError) -> QuestionVectors? {
        let input: JSON = ["question": JSON(question), "model": JSON(model.description.id)]
        let entry = try await context.journal.step("embed", input: input) {
            try context.requireLiveWorker()
            return try await embed(question, in: context)
        }
        return QuestionVectors(entry.output)
    }

    private func embed(
        _ question: String, in context: JobContext
    ) async throws(AgentError) -> (output: JSON, effects: [Effect]) {
        let user = context.job.user
        let lacking = try await lacking(for: user)
        let texts =
            [EmbeddingText(question, for: .question), EmbeddingText(question, for: .clustering)]
            + lacking.map { EmbeddingText($0.passage.titledText, for: .document) }
        let calls = books.book(for: "embed", of: context)
        do throws(ModelError) {
            let answer = try await model.vectors(of: texts, booked: calls)
            let id = model.description.id
            let vectors = zip(lacking, answer.vectors.dropFirst(2)).map { lacking, values in
                Effect.record(.passageVector(PassageVector(digest: lacking.digest, model: id, values: values)))
            }
            let output = QuestionVectors.json(model: id, question: answer.vectors[0], topic: answer.vectors[1])
            return (output, vectors + calls.takeEffects())
        } catch {
            if case .cancelled = error.kind {
                await calls.settle()
                throw .interrupted
            }
            return (["problem": JSON(error.description)], calls.takeEffects())
        }
    }

    private func lacking(for user: UserID) async throws(AgentError) -> [(digest: String, passage: Passage)] {
        do throws(StoreError) {
            let all = try await passages.digestsWithoutVector(
                of: model.description.id, for: user, among: Self.window)
            let digests = Array(all.uniqued().prefix(Self.passagesAtOnce))
            let found = try await passages.passages(ofDigests: digests, for: user)
            return digests.compactMap { digest in found[digest].map { (digest, $0) } }
        } catch {
            throw AgentError(error)
        }
    }
}

extension Passage {
    /// Characters of an article that become its passage.
    private static let beginning = 1200

    /// The beginning of an article, which all users may see.
    init(_ article: NewsArticle) {
        let whole = [article.description, article.text].compactMap(\.self).joined(separator: "\n\n")
        let text = Excerpt(of: whole.isEmpty ? article.title : whole, limit: Self.beginning).text
        self.init(
            kind: .article, source: article.id, part: 0, title: "\(article.title) (\(article.source))",
            url: article.url,
            text: text, terms: ContentWords(article.title + "\n" + text).terms,
            writtenAt: article.publishedAt)
    }
}
