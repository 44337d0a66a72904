import SQLiteStore
import DataSources
import JSON
import JobQueue
import Testing

@testable import Agents

/// What the agents of summaries and conversations meet beside a model: one article, and a database.
struct TalkWorld {
    static let article = ReadableArticle(
        id: "a1", title: "Bank raises its key rate", source: "Harbour Times", publishedAt: "2026-11-18T14:00:00Z",
        url: "https://harbour.example/rates",
        text: "The bank raised its key rate by 0.25 percentage points. It was the fifth rise in 12 months.",
        isWhole: true)

    let world: LearningWorld
    var article = Self.article
    var reader = ScriptedReader(failing: .unreachable)

    var find: ArticleFinder {
        { [article] id in id == article.id ? article : nil }
    }

    func summary(_ model: ScriptedModel) throws -> SummaryAgent {
        SummaryAgent(find: find, reader: reader, models: ModelCalls(try model.router()), now: { 77 })
    }

    func chat(_ model: ScriptedModel) throws -> ArticleChatAgent {
        ArticleChatAgent(
            find: find, reader: reader, conversations: world.test.store, models: ModelCalls(try model.router()),
            now: { 77 })
    }

    func education(_ model: ScriptedModel, meaning: MeaningSearch? = nil) throws -> EducationAgent {
        EducationAgent(
            passages: world.test.store, articles: world.test.store, meaning: meaning,
            conversations: world.test.store,
            models: ModelCalls(try model.router()),
            now: { 77 })
    }

    /// Runs a job as a worker does, up to the completion with its records.
    @discardableResult
    func finish(_ kind: String, _ input: JSON, user: Int64 = 1, _ agent: any Agent) async throws -> JSON {
        let job = try await world.job(kind, input, user: user)
        let result = try await world.result(job, agent)
        try await world.test.store.complete(
            job.lease, with: result.body, effects: result.records.map { .record($0) })
        return result.body
    }

    static func run(_ body: (TalkWorld) async throws -> Void) async throws {
        try await LearningWorld.run { try await body(TalkWorld(world: $0)) }
    }
}
