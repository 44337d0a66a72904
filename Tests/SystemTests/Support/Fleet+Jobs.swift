import Basics
import DossierAPI
import DossierClient
import Foundation
import JSON
import JobQueue
import Simulator
import Testing

extension Fleet {
    static let order = ["ticker": "AAPL", "persona": "buffett"]

    /// Submits a research job.
    func submit(user: Int = 1, key: String? = nil) async throws -> JobResource {
        try await client(user).submit(kind: "research", input: Self.order, idempotencyKey: key)
    }

    /// Waits until a job has ended, however often the wait is cut short.
    func end(of id: String, user: Int = 1) async throws -> JobResource {
        while true {
            let job = try await client(user).job(id, wait: 60)
            if job.isFinished { return job }
        }
    }

    /// Waits until the job's state satisfies the condition, by its event stream.
    @discardableResult
    func state(of id: String, user: Int = 1, _ condition: (JobResource) -> Bool) async throws -> JobResource {
        var last: JobResource?
        for try await job in client(user).updates(of: id) {
            if condition(job) { return job }
            last = job
        }
        throw SystemFailure("the job never got there; it ended as \(last?.status ?? "nothing")")
    }

    /// The data of a completed job's result.
    func result(of id: String, user: Int = 1) async throws -> JSON {
        let data = try await client(user).result(of: id)
        return try #require(JSON(parsing: Array(data))["data"])
    }

    func credits(user: Int = 1) async throws -> CreditsResource { try await client(user).credits() }

    /// Holds the books against each other: the ledger, the balances, and what a user should have left.
    func expectBalance(
        user: Int = 1, used: Int, held: Int = 0, granted: Int = 10,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let credits = try await credits(user: user)
        let found = "\(credits.granted) granted, \(credits.remaining) left, \(credits.held) held, \(credits.used) used"
        let left = granted - used - held
        #expect(
            found == "\(granted) granted, \(left) left, \(held) held, \(used) used", sourceLocation: sourceLocation)
    }

    func expectCleanAudit(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let audit = try await run("credits", "audit")
        #expect(audit.exit == .code(0), "\(audit.output) \(audit.errors)", sourceLocation: sourceLocation)
    }

    // MARK: What the simulated models saw

    /// What a user is called towards providers; it stands in every request made for them.
    static func label(of user: Int) -> String { SHA256.hex("dossier user \(user)") }

    /// The model calls that were made for a user, in order.
    func calls(of user: Int = 1, to service: SimulatedService = .claude) -> [RecordedCall] {
        simulator.calls(to: service).filter { $0.body?["metadata"]?["user_id"]?.string == Self.label(of: user) }
    }

    /// A fault for the model calls of one user.
    func fail(
        _ action: FaultAction, user: Int, service: SimulatedService = .claude, skip: Int = 0, times: Int? = nil
    ) {
        simulator.faults.add(
            FaultRule(action, service: service, contains: Self.label(of: user), skip: skip, times: times))
    }
}

/// Looks again and again until the condition holds: only for the simulator's record, which gives no signal.
func eventually(
    within limit: Duration = .seconds(300), _ what: String, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw SystemFailure("within \(limit) \(what) did not happen") }
        try await Task.sleep(for: .milliseconds(5))
    }
}
