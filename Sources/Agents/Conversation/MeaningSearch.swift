package import JobQueue
internal import JSON
package import LanguageModels
internal import News
internal import Prompts

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

/// Which of many values stand out above the rest.
///
/// What a cosine of two texts is when they have nothing to do with each other differs from model to model, so each value
/// is held against all others and not against a number.
enum Standouts {
    /// Of fewer values nothing can be said.
    private static let fewest = 20
    /// How many standard deviations above the mean.
    private static let distance = 2.5
    private static let most = 3

    /// The places of those that stand out, with how far they do in standard deviations, the farthest first.
    static func of(_ values: [Double]) -> [(place: Int, distance: Double)] {
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

/// The vectors of a question, as the journal keeps them.
struct QuestionVectors: Sendable {
    /// The model that made them: they are compared with vectors of no other.
    let model: String
    /// To compare with passages.
    let question: DenseVector
    /// To compare with articles, whose vectors are made to tell which are about the same.
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
    /// How many passages, and how many articles, are compared with a question.
    static let window = 2000
    /// The question goes twice.
    private static let passagesAtOnce = EmbeddingModel.textsAtOnce - 2

    private let model: EmbeddingModel
    private let passages: any PassageVectorRepository

    /// `passages` are those that may lack a vector.
    package init(_ model: EmbeddingModel, passages: any PassageVectorRepository) {
        self.model = model
        self.passages = passages
    }

    /// The vectors of a question, once in the life of the job; `nil` when the call failed, which the journal says why.
    func vectors(of question: String, in context: JobContext) async throws(AgentError) -> QuestionVectors? {
        let input: JSON = ["question": JSON(question), "model": JSON(model.description.id)]
        let entry = try await context.journal.step("embed", input: input) { () async throws(AgentError) in
            guard context.isLive() else {
                throw .postponed(after: .seconds(1), reason: "the worker's heartbeat is late")
            }
            return try await embed(question, in: context)
        }
        return QuestionVectors(entry.output)
    }

    private func embed(
        _ question: String, in context: JobContext
    ) async throws(AgentError) -> (output: JSON, effects: [Effect]) {
        let user = context.job.user
        let lacking = try await lacking(for: user.rawValue)
        let texts =
            [EmbeddingText(question, for: .question), EmbeddingText(question, for: .clustering)]
            + lacking.map { EmbeddingText($0.passage.titledText, for: .document) }
        do throws(ModelError) {
            let answer = try await model.vectors(of: texts, for: user == .system ? nil : user.rawValue)
            let id = model.description.id
            var effects = zip(lacking, answer.vectors.dropFirst(2)).map { lacking, values in
                Effect.record(.passageVector(PassageVector(digest: lacking.digest, model: id, values: values)))
            }
            let call = "\(context.job.lease.job)/\(context.job.lease.epoch)/embed"
            effects.append(.recordModelCall(ModelCall(id: call, of: model.description, answer)))
            return (QuestionVectors.json(model: id, question: answer.vectors[0], topic: answer.vectors[1]), effects)
        } catch {
            if case .cancelled = error.kind { throw .interrupted }
            return (["problem": JSON(error.description)], [])
        }
    }

    private func lacking(for user: Int64) async throws(AgentError) -> [(digest: String, passage: Passage)] {
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
    /// Characters of an article that are read.
    private static let beginning = 1200

    /// The beginning of an article, which everybody may see.
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
