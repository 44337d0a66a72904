import JSON
import JobQueue
import SQLiteStore
import TestSupport
import Testing

/// A worker that a test controls.
struct FakeWorker: Sendable {
    let store: SQLiteStore
    let id: WorkerID

    init(_ service: TestService, _ name: String = "w1") async throws {
        store = service.store
        id = WorkerID(rawValue: name)
        try await store.register(WorkerRegistration(id: id, host: "here", processID: 1, concurrency: 10))
    }

    /// Claims a job, which must be the next one.
    @discardableResult
    func claim(_ job: JobID, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Lease {
        let claim = try await store.claim(for: id, upTo: [.background: 1, .interactive: 1])
        let claimed = try #require(
            claim.jobs.first { $0.lease.job == job }, "the job cannot be claimed", sourceLocation: sourceLocation)
        return claimed.lease
    }

    func report(_ lease: Lease, _ progress: Int, _ step: String = "Writing") async throws {
        try await store.report([ProgressReport(lease: lease, progress: progress, currentStep: step)])
    }

    func complete(_ lease: Lease, with result: JSON = ["report": ["summary": "Calm."]]) async throws {
        try await store.complete(lease, with: result, effects: [])
    }

    static let error = JobError(code: "BIZ_2003", message: "The model refused.", userMessage: "Please try again.")

    func fail(_ lease: Lease, next: JobFailure.Next = .giveUp) async throws {
        try await store.fail(lease, with: JobFailure(error: Self.error, next: next))
    }

    /// Claims and completes a job.
    func finish(_ job: JobID, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await complete(try await claim(job, sourceLocation: sourceLocation))
    }
}
