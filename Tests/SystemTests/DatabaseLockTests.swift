import DossierAPI
import BrokerClient
import HTTP
import JSON
import Simulator
import Testing

@testable import SQLiteStore

extension SystemTests.Timing {
    @Suite(.serialized) struct DatabaseLockTests {
        /// Longer than a worker trusts its last heartbeat (7 s), shorter than it takes to be declared dead.
        private static let lock: Duration = .seconds(8)

        @Test(.timeLimit(.minutes(10)))
        func aLockedDatabaseDelaysJobsAndLosesNothing() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80)) { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                fleet.tempo.hold(after: 15)
                let id = try await fleet.submit().id
                try await fleet.state(of: id) { $0.progress > 31 }
                let answer = try await holdingTheDatabase(of: fleet) {
                    // Reads go on; a write waits or is refused with the right code.
                    #expect(try await fleet.client().job(id).status == "processing")
                    return try await fleet.send(
                        .post, "/api/v1/jobs", user: 2, headers: ["Idempotency-Key": "k"],
                        body: ["kind": "research", "input": ["ticker": "AAPL", "persona": "buffett"]])
                }
                #expect(answer.status == 202 || (answer.status == 503 && answer.code == "EXT_4003"), "\(answer)")
                let job = try await fleet.end(of: id)
                #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                #expect(fleet.calls().count == 1, "a paid answer was lost with the database")
                let second = try await fleet.submit(user: 2, key: "k").id
                #expect(try await fleet.end(of: second, user: 2).status == "completed")
                #expect(fleet.calls(of: 2).count == 1)
                try await fleet.expectBalance(used: 1)
                try await fleet.expectBalance(user: 2, used: 1)
                try await fleet.expectCleanAudit()
            }
        }

        /// Runs the body under the write lock, and releases the lock after it and after the time.
        private func holdingTheDatabase(
            of fleet: Fleet, _ body: () async throws -> Fleet.Answer
        ) async throws -> Fleet.Answer {
            let lock = try DatabaseLock(fleet.folder + "/dossier.db")
            fleet.tempo.release()
            async let released: Void = {
                try await Task.sleep(for: Self.lock)
                lock.release()
            }()
            let answer = try await body()
            try await released
            return answer
        }
    }
}

/// SQLite's write lock, held by the test. Unchecked: one task takes it and another one releases it afterwards.
private final class DatabaseLock: @unchecked Sendable {
    private let database: SQLiteConnection

    init(_ path: String) throws {
        database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
        try database.execute("BEGIN IMMEDIATE")
    }

    func release() { try? database.execute("ROLLBACK") }
}
