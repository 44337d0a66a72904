internal import JSON
package import JobQueue
package import LanguageModels

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
