import JSON
import JobQueue
import PostgresTesting
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// What an error of the server means for the job whose operation it ended.
@Suite struct PostgresFailureTests {
    /// Only these states concern the values of an operation.
    @Test(arguments: ["22001", "22P05", "22021", "23502", "23503", "23514"])
    func aValueThatTheServerRefusesEndsTheJob(_ state: String) {
        guard case .invalidValue(state, _) = PostgresFailure(state: state, message: "m").storeError else {
            Issue.record("\(state)")
            return
        }
    }

    @Test(arguments: [
        "42883", "42P01", "42501", "XX000", "XX001", "XX002", "58030", "58P01", "54000", "54001", "55000", "55006",
        "55P03", "57014", "57P01", "57P03", "53100", "53200", "53300", "40001", "40P01", "23505", "08006", "25006",
        "25P02", "0A000", "26000", "28P01", "3D000", "P0001", "",
    ])
    func everyOtherRefusalMayPass(_ state: String) {
        switch PostgresFailure(state: state, message: "m").storeError {
        case .unavailable, .full, .damaged, .unexpected: break
        case let error: Issue.record("\(state): \(error)")
        }
    }

    @Test func damageIsToldApart() {
        for state in ["XX001", "XX002", "58030"] {
            guard case .damaged = PostgresFailure(state: state, message: "m").storeError else {
                Issue.record("\(state)")
                continue
            }
        }
    }

    /// Users may read the description of a refused value: it names neither functions nor tables.
    @Test func theDescriptionOfARefusedValueNamesNoTable() {
        let error = PostgresFailure(state: "23514", message: "violates check constraint \"job_check\"").storeError
        #expect(error.description == "the database refuses a value (23514)")
    }

    /// A newer version may change a function while this one runs: its jobs wait for a process that knows it.
    @Test func aCompletionThatTheServerDoesNotKnowIsRefusedForNowAndToldOnce() async throws {
        let fixture = try await PostgresFixture()
        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        let lease = try await harness.running(cost: 1)
        var events = store.events().makeAsyncIterator()
        try await fixture.database.sql("ALTER FUNCTION complete_jobs RENAME TO complete_jobs_later")
        for _ in 0..<3 {
            let error = await #expect(throws: StoreError.self) {
                try await store.complete(lease, with: 1, effects: [])
            }
            guard case .unexpected = error else { throw HarnessFailure("\(String(describing: error))") }
        }
        #expect(try await harness.job(lease.job).status == .processing)
        try await fixture.database.sql("ALTER FUNCTION complete_jobs_later RENAME TO complete_jobs")
        try await store.complete(lease, with: 1, effects: [])
        guard case .refused = await events.next() else { throw HarnessFailure("nobody told of the refusal") }
        await store.close()
        #expect(await events.next() == nil, "the same refusal was told again")
        await fixture.remove()
    }
}
