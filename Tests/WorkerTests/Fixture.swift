import Agents
import Foundation
import JobQueue
import JSON
import Observability
import Prompts
import SQLSupport
@testable import SQLiteStore
import Testing
import TestSupport
import Worker

/// A database and content files for one test, with operations that the tests share.
struct Fixture: Sendable {
    let store: SQLiteStore
    let bundle: Prompts.Bundle
    /// The database file.
    let path: String

    /// Runs the body with a new database. `schedule` becomes the schedule of the kind `work`.
    static func with(schedule: String? = nil, _ body: (Fixture) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-worker-\(UUID().uuidString)")
        let path = folder.appending(path: "dossier.db").path
        let store = try await SQLiteStore.open(path: path)
        var files = files
        if let schedule { files["jobs/work.yaml"]?.append("schedule: \(schedule)\n") }
        let bundle = try Prompts.Bundle(files: files, rules: rules)
        try await store.store(bundle: bundle.hash, archive: bundle.archive)
        do {
            try await body(Fixture(store: store, bundle: bundle, path: path))
        } catch {
            await store.close()
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        #expect(try await store.auditCredits().isEmpty)
        await store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Jobs

    /// Submits a job.
    @discardableResult
    func submit(_ kind: String = "work", bundle hash: String? = nil, cost: Int = 1) async throws -> JobID {
        var generator = SystemRandomNumberGenerator()
        let now = try await store.now()
        var job = NewJob(
            id: JobID(at: now, using: &generator), user: UserID(rawValue: 1), kind: kind, input: [:],
            bundle: hash ?? bundle.hash, cost: cost, deadline: now + .seconds(170), startingCredits: 10)
        job.maxAttempts = bundle.kinds[kind]?.retries.attempts ?? 1
        guard case .accepted(let accepted) = try await store.submit(job) else {
            throw FixtureFailure(description: "the job was not accepted")
        }
        return accepted.id
    }

    func job(_ id: JobID) async throws -> Job { try #require(try await store.job(id, of: nil)) }

    /// Waits until the condition holds for the job.
    @discardableResult
    func wait(for id: JobID, until isReached: (Job) -> Bool) async throws -> Job {
        for await _ in store.changes(.visible) {
            let job = try await job(id)
            if isReached(job) { return job }
        }
        throw FixtureFailure(description: "the store was closed")
    }

    func end(of id: JobID) async throws -> Job { try await wait(for: id) { $0.status.isFinished } }

    func result(of id: JobID) async throws -> JSON? { try await store.jobWithResult(id, of: nil)?.result }

    /// `1 held, 0 used`
    func credits() async throws -> String {
        let balance = try await store.balance(of: UserID(rawValue: 1), startingCredits: 10)
        return "\(balance.held) held, \(balance.used) used"
    }

    // MARK: Workers

    /// The abilities in the record of the only worker.
    func abilities() async throws -> JSON {
        let database = try SQLiteConnection(path: path, readOnly: true, busyTimeout: 60_000)
        var text: String?
        try database.oneOff("SELECT abilities FROM worker") { text = $0.text() }
        return try JSON(parsing: try #require(text, "no worker is registered"))
    }

    /// Waits until the record of the only worker meets the condition.
    func untilRecorded(_ isMet: (JSON) -> Bool) async throws {
        while true {
            if try await !store.heartbeats().isEmpty, isMet(try await abilities()) { return }
            await Task.yield()
        }
    }

    /// A worker with short intervals whose agent runs the script.
    func worker(
        _ change: (inout WorkerConfiguration) -> Void = { _ in },
        missing: @escaping @Sendable (JobKind) -> String? = { _ in nil }, logger: Logger = .silent,
        metrics: WorkerMetrics = WorkerMetrics(),
        script: @escaping @Sendable (JobContext) async throws(AgentError) -> JSON
    ) -> Worker {
        var configuration = WorkerConfiguration()
        configuration.concurrency = 8
        configuration.interactiveReserve = 2
        configuration.heartbeatInterval = .milliseconds(50)
        configuration.progressInterval = .milliseconds(10)
        configuration.leaseCheckInterval = .milliseconds(100)
        configuration.idleLeaseLimit = .milliseconds(300)
        configuration.drainGrace = .seconds(20)
        change(&configuration)
        let number = TestSupport.Counter()
        return Worker(
            configuration: configuration, store: store, bundles: BundleCache(repository: store, rules: Self.rules),
            agents: ["scripted": ScriptedAgent(script: script)], host: "here", missing: missing,
            makeID: { WorkerID(rawValue: "worker-\(number.increment())") }, logger: logger, metrics: metrics)
    }

    /// A logger that passes its lines to the test.
    static func logger(_ sink: @escaping @Sendable (String) -> Void) -> Logger {
        Logger(threshold: .info, now: { 0 }, sink: sink)
    }

    /// Runs a worker while the body runs; it has stopped when this returns.
    func running(_ worker: Worker, _ body: () async throws -> Void) async throws {
        let task = Task { await worker.run() }
        do {
            try await body()
        } catch {
            worker.drain()
            task.cancel()
            throw error
        }
        worker.drain()
        await task.value
    }

    // MARK: Content

    private static let rules = BundleRules(
        metrics: [:],
        agents: [
            "scripted": BundleRules.Agent(prompts: [], stages: ["write"]),
            "absent": BundleRules.Agent(prompts: [], stages: ["write"]),
        ])

    private static let files = [
        "jobs/work.yaml": kind("work", agent: "scripted"), "jobs/orphan.yaml": kind("orphan", agent: "absent"),
    ]

    private static func kind(_ name: String, agent: String) -> String {
        """
        kind: \(name)
        title: A piece of work
        agent: \(agent)
        credits: 1
        lane: background
        deadline: 170 s
        estimate: 1 s
        retries: {attempts: 3, initial: 5 ms, longest: 20 ms}
        tier: fast
        prompts: {}
        stages:
          - {name: write, weight: 100, says: Working}
        input:
          type: object

        """
    }
}

struct FixtureFailure: Error, CustomStringConvertible {
    let description: String
}

/// An agent that runs a test's script.
struct ScriptedAgent: Agent {
    let script: @Sendable (JobContext) async throws(AgentError) -> JSON

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        AgentResult(try await script(context))
    }

    static let error = JobError(code: "EXT_4004", message: "The provider failed.", userMessage: "Please try again.")

    static func failure(isTransient: Bool, retryAfter: Duration? = nil) -> AgentError {
        .failed(AgentFailure(error, isTransient: isTransient, retryAfter: retryAfter))
    }
}

/// Returns when the task is cancelled.
func untilCancelled() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
}
