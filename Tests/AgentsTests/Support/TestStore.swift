import Foundation
import JSON
import JobQueue
import SQLiteStore
import Testing

/// A real database in a folder of its own, with a worker's moves.
struct TestStore: Sendable {
    let store: SQLiteStore

    static func run(_ body: (TestStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-agents-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteStore.open(path: folder.appending(path: "dossier.db").path)
        do {
            try await body(TestStore(store: store))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    @discardableResult
    func submit(_ input: JSON = ["ticker": "AAPL", "persona": "buffett"], bundle: String = "b") async throws -> JobID {
        let now = try await store.now()
        var generator = SystemRandomNumberGenerator()
        let id = JobID(at: now, using: &generator)
        let job = NewJob(
            id: id, user: UserID(rawValue: 1), kind: "research", input: input, bundle: bundle, cost: 1,
            deadline: now + .seconds(600), startingCredits: 10)
        guard case .accepted = try await store.submit(job) else { throw Unexpected() }
        return id
    }

    /// Registers a worker and claims the one ready job with it.
    func claim(by name: String = "w1") async throws -> ClaimedJob {
        let worker = WorkerID(rawValue: name)
        try await store.register(WorkerRegistration(id: worker, host: "here", processID: 7, concurrency: 4))
        let jobs = try await store.claim(for: worker, upTo: [.background: 1]).jobs
        return try #require(jobs.first)
    }

    /// What happens after a worker has died: its jobs go back.
    func rescue(_ name: String = "w1") async throws {
        let beats = try await store.heartbeats()
        let beat = try #require(beats.first { $0.worker.rawValue == name })
        _ = try await store.rescue(beat)
    }

    /// The names of the journalled steps.
    func steps(of job: JobID) async throws -> [String] { try await store.journal(of: job).map(\.name) }

    func spent() async throws -> Int64 {
        try await store.modelSpend(of: UserID(rawValue: 1), since: Timestamp(milliseconds: 0))
    }

    private struct Unexpected: Error {}
}
