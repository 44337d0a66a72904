import DataSources
import JSON
import JobQueue
import Prompts
import SQLiteStore
import Synchronization
import Testing

@testable import Agents

/// An article from nowhere, or the error in its place; counts how often it was read.
final class ScriptedReader: ContentReader {
    private let outcome: Result<Content, FetchError>
    private let count = Mutex(0)

    init(_ text: String, kind: Content.Kind = .article, title: String? = "How models learn") {
        outcome = .success(
            Content(url: "https://learn.example/a", kind: kind, title: title, site: "Learning Notes", text: text))
    }

    init(failing error: FetchError) { outcome = .failure(error) }

    var reads: Int { count.withLock(\.self) }

    func read(_ url: String) async throws(FetchError) -> Content {
        count.withLock { $0 += 1 }
        return try outcome.get()
    }
}

/// One attempt after another of a job of the learning and news agents, over a real database.
struct LearningWorld {
    let test: TestStore
    let bundle: Prompts.Bundle

    static func run(_ body: (LearningWorld) async throws -> Void) async throws {
        try await TestStore.run { test in try await body(LearningWorld(test: test, bundle: try Home.bundle.get())) }
    }

    func job(_ kind: String, _ input: JSON, user: Int64 = 1) async throws -> ClaimedJob {
        let now = try await test.store.now()
        var generator = SystemRandomNumberGenerator()
        var job = NewJob(
            id: JobID(at: now, using: &generator), user: UserID(rawValue: user), kind: kind, input: input,
            bundle: bundle.hash, cost: 1, deadline: now + .seconds(600), startingCredits: 10)
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
            JobContext(job: job, kind: kind, bundle: bundle, journal: journal, isLive: { true }) { _, _ in })
    }

    func failure(
        _ job: ClaimedJob, _ agent: any Agent, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> AgentFailure {
        do {
            _ = try await attempt(job, agent)
        } catch AgentError.failed(let failure) {
            return failure
        }
        let failure: AgentFailure? = nil
        return try #require(failure, "the attempt succeeded", sourceLocation: sourceLocation)
    }

    private struct Refused: Error {}
}
