import DataSources
import JobQueue
import JSON
import Prompts
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import Agents

/// A reader of one article, or of one error; counts the reads.
final class ScriptedReader: ContentReader {
    private let outcome: Result<Content, FetchError>
    private let count = Mutex(0)

    init(
        _ text: String, kind: Content.Kind = .article, title: String? = "How models learn",
        isForSubscribers: Bool = false
    ) {
        outcome = .success(
            Content(
                url: "https://learn.example/a", kind: kind, title: title, site: "Learning Notes", text: text,
                isForSubscribers: isForSubscribers))
    }

    init(failing error: FetchError) { outcome = .failure(error) }

    var reads: Int { count.withLock(\.self) }

    func read(_ url: String) async throws(FetchError) -> Content {
        count.withLock { $0 += 1 }
        return try outcome.get()
    }
}

/// Runs attempts of jobs over a database.
struct AgentFixture {
    let test: StoreFixture
    let bundle: Prompts.Bundle

    static func run(_ body: (AgentFixture) async throws -> Void) async throws {
        try await StoreFixture.run { test in
            try await body(AgentFixture(test: test, bundle: try ContentFiles.bundle.get()))
        }
    }

    func job(_ kind: String, _ input: JSON, user: UserID = 1, cost: Int = 1) async throws -> ClaimedJob {
        let now = try await test.store.now()
        var generator = SystemRandomNumberGenerator()
        var job = NewJob(
            id: JobID(at: now, using: &generator), user: user, kind: kind, input: input,
            bundle: bundle.hash, cost: cost, deadline: now + .seconds(600), startingCredits: 10)
        job.queue = .interactive
        guard case .accepted = try await test.store.submit(job) else { throw Refused() }
        return try await claim(by: "w1")
    }

    func claim(by name: String) async throws -> ClaimedJob {
        let worker = WorkerID(rawValue: name)
        try await test.store.register(WorkerRegistration(id: worker, host: "here", processID: 7, concurrency: 4))
        return try #require(await test.store.claim(for: worker, upTo: [.interactive: 1]).jobs.first)
    }

    func attempt(_ job: ClaimedJob, _ agent: any Agent) async throws(AgentError) -> JSON {
        try await result(job, agent).body
    }

    func result(_ job: ClaimedJob, _ agent: any Agent) async throws(AgentError) -> AgentResult {
        guard let kind = bundle.kinds[job.kind] else { throw .interrupted }
        let journal = try await Journal(of: job.lease, in: test.store)
        return try await agent.run(
            JobContext(
                job: job, kind: kind, bundle: bundle, journal: journal, isLive: { true },
                onPrompt: GivenMembers.look(at: bundle), report: { _, _ in }))
    }

    func failure(
        _ job: ClaimedJob, _ agent: any Agent, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> AgentFailure {
        var failure: AgentFailure?
        do {
            _ = try await attempt(job, agent)
        } catch {
            guard case .failed(let found) = error else { throw error }
            failure = found
        }
        return try #require(failure, "the attempt succeeded", sourceLocation: sourceLocation)
    }

    private struct Refused: Error {}
}

/// A user without recall cards.
struct NoRecallCards: RecallRepository {
    func recallCards(_ ids: [String], of user: UserID) async throws(StoreError) -> [RecallCard] { [] }
    func dueRecallCards(
        of user: UserID, at timestamp: Timestamp, offset: Int, limit: Int
    ) async throws(StoreError) -> [RecallCard] { [] }
    func dueRecallCardCount(of user: UserID, at timestamp: Timestamp) async throws(StoreError) -> Int { 0 }
    func recallCards(of user: UserID, after id: String, limit: Int) async throws(StoreError) -> [RecallCard] { [] }
    func latestRecallCards(of user: UserID, limit: Int) async throws(StoreError) -> [RecallCard] { [] }
    func recallCards(of user: UserID, source: String, limit: Int) async throws(StoreError) -> [RecallCard] { [] }
    func recallCardCount(of user: UserID) async throws(StoreError) -> Int { 0 }
    func store(_ cards: [RecallCard]) async throws(StoreError) -> Set<String> { [] }
    func deleteRecallCard(_ id: String, of user: UserID) async throws(StoreError) -> Bool { false }
}

/// The surroundings of the agents for summaries and conversations: one article and a database.
struct ConversationFixture {
    static let article = ReadableArticle(
        id: "a1", title: "Bank raises its key rate", source: "Harbour Times", publishedAt: "2026-11-18T14:00:00Z",
        url: "https://harbour.example/rates",
        text: "The bank raised its key rate by 0.25 percentage points. It was the fifth rise in 12 months.",
        isWhole: true)

    let base: AgentFixture
    var article = Self.article
    var reader = ScriptedReader(failing: .unreachable)

    var store: SQLiteStore { base.test.store }

    var find: ArticleFinder {
        { [article] id in id == article.id ? article : nil }
    }

    func summary(_ model: ScriptedModel) throws -> SummaryAgent {
        SummaryAgent(find: find, reader: reader, models: ModelCalls(try model.router()), now: { 77 })
    }

    func chat(_ model: ScriptedModel) throws -> ChatAgent {
        ChatAgent(
            find: find, reader: reader, conversations: store, models: ModelCalls(try model.router()),
            now: { 77 })
    }

    func education(_ model: ScriptedModel, meaning: MeaningSearch? = nil) throws -> EducationAgent {
        EducationAgent(
            passages: store, articles: store, meaning: meaning,
            conversations: store,
            models: ModelCalls(try model.router()),
            now: { 77 })
    }

    /// Runs a job as a worker does, up to the completion with its records.
    @discardableResult
    func finish(_ kind: String, _ input: JSON, user: UserID = 1, _ agent: any Agent) async throws -> JSON {
        let job = try await base.job(kind, input, user: user)
        let result = try await base.result(job, agent)
        try await store.complete(
            job.lease, with: result.body, effects: result.records.map { .record($0) })
        return result.body
    }

    static func run(_ body: (ConversationFixture) async throws -> Void) async throws {
        try await AgentFixture.run { try await body(ConversationFixture(base: $0)) }
    }
}
