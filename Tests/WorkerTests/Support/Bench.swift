import Agents
import Foundation
import JSON
import JobQueue
import Observability
import Prompts
import SQLiteStore
import Testing
import Worker

/// A database of its own, with what the tests do again and again.
struct Bench: Sendable {
    let store: SQLiteStore
    let bundle: Prompts.Bundle

    /// Runs the body over a database of its own; the schedule, if any, is that of the kind `work`.
    static func with(schedule: String? = nil, _ body: (Bench) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-worker-\(UUID().uuidString)")
        let store = try await SQLiteStore.open(path: folder.appending(path: "dossier.db").path)
        var files = files
        if let schedule { files["jobs/work.yaml"]?.append("schedule: \(schedule)\n") }
        let bundle = try Prompts.Bundle(files: files, rules: rules)
        try await store.store(bundle: bundle.hash, archive: bundle.archive)
        do {
            try await body(Bench(store: store, bundle: bundle))
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

    /// Submits a job that costs one credit.
    @discardableResult
    func submit(_ kind: String = "work", bundle hash: String? = nil) async throws -> JobID {
        var generator = SystemRandomNumberGenerator()
        let now = try await store.now()
        var job = NewJob(
            id: JobID(at: now, using: &generator), user: UserID(rawValue: 1), kind: kind, input: [:],
            bundle: hash ?? bundle.hash, cost: 1, deadline: now + .seconds(170), startingCredits: 10)
        job.maxAttempts = bundle.kinds[kind]?.retries.attempts ?? 1
        guard case .accepted(let accepted) = try await store.submit(job) else {
            throw BenchFailure(description: "the job was not accepted")
        }
        return accepted.id
    }

    func job(_ id: JobID) async throws -> Job { try #require(try await store.job(id, of: nil)) }

    /// Waits until the job is as the test wants it.
    @discardableResult
    func wait(for id: JobID, until isReached: (Job) -> Bool) async throws -> Job {
        for await _ in store.changes(.visible) {
            let job = try await job(id)
            if isReached(job) { return job }
        }
        throw BenchFailure(description: "the store was closed")
    }

    func end(of id: JobID) async throws -> Job { try await wait(for: id) { $0.status.isFinished } }

    func result(of id: JobID) async throws -> JSON? { try await store.jobWithResult(id, of: nil)?.result }

    /// `1 held, 0 used`
    func credits() async throws -> String {
        let balance = try await store.balance(of: UserID(rawValue: 1), startingCredits: 10)
        return "\(balance.held) held, \(balance.used) used"
    }

    // MARK: Workers

    /// A worker whose agent does what the script says, in short intervals.
    func worker(
        _ change: (inout WorkerConfiguration) -> Void = { _ in },
        script: @escaping @Sendable (JobContext) async throws(AgentError) -> JSON
    ) -> Worker {
        var configuration = WorkerConfiguration()
        configuration.concurrency = 8
        configuration.interactiveReserve = 2
        configuration.heartbeatInterval = .milliseconds(50)
        configuration.progressInterval = .milliseconds(10)
        configuration.leaseCheckInterval = .milliseconds(100)
        configuration.drainGrace = .seconds(20)
        change(&configuration)
        let number = Counter()
        return Worker(
            configuration: configuration, store: store, bundles: BundleCache(repository: store, rules: Self.rules),
            agents: [ScriptedAgent(script: script)], host: "here", processID: 1,
            makeID: { WorkerID(rawValue: "worker-\(number.increment())") }, logger: .silent)
    }

    /// Runs a worker for as long as the body takes; it has stopped when this returns.
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
        queue: background
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

struct BenchFailure: Error, CustomStringConvertible {
    let description: String
}
