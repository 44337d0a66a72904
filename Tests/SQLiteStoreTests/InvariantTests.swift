import SQLSupport
import JSON
import JobQueue
import Testing

@testable import SQLiteStore
@testable import StoreConformance

/// Invariants that the tables enforce by themselves.
@Suite struct InvariantTests {
    @Test(arguments: [
        "UPDATE ledger SET amount = 1000", "DELETE FROM ledger",
        "INSERT INTO ledger (user, kind, amount, job, hold, created_at) SELECT user, 'release', amount, job, hold, 0 "
            + "FROM ledger WHERE kind = 'settle'",
        "UPDATE balance SET used = -1", "UPDATE balance SET held = granted + 1",
        "UPDATE job SET completed_at = NULL WHERE status = 'completed'",
        "UPDATE job SET status = 'completed', completed_at = 1, progress = 100 WHERE status = 'pending'",
        "UPDATE job SET status = 'processing' WHERE status = 'pending'",
        "UPDATE job SET status = 'failed', completed_at = 1 WHERE status = 'pending'",
        "UPDATE job SET progress = 101", "UPDATE job SET hold = NULL", "UPDATE job SET id = x'00'",
        "UPDATE job SET epoch = 'x'",
    ])
    func theTablesRefuse(_ statement: String) async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        try await harness.submit(cost: 1)
        let lease = try await harness.claimOne(try await harness.worker()).lease
        try await store.complete(lease, with: 1, effects: [])
        try await harness.submit(cost: 1)
        let database = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
        #expect(throws: SQLiteError.self) { try database.execute(statement) }
        #expect(try await store.auditCredits() == [])
        await fixture.remove()
    }

    @Test func theAuditFindsAHoldThatWasNotClosed() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        let job = try await harness.submit(cost: 1)
        let database = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
        try database.execute(
            "UPDATE job SET status = 'cancelled', completed_at = 1; UPDATE balance SET held = 0, granted = granted")
        let found = try await store.auditCredits()
        #expect(found.map(\.user) == [job.user])
        #expect(found.first?.remarks == ["job \(job.id) is cancelled, but its hold is open or of another amount"])
        await fixture.remove()
    }
}
