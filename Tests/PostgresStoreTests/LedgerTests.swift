import JobQueue
import PostgresTesting
import TestSupport
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// The ledger as it was written by earlier versions.
@Suite struct LedgerTests {
    /// They gave the hold of a user's first submit a lower number than the starting credits, which count first all the same.
    @Test func whatAUserHadIsRightWhereTheStartingCreditsHaveALaterNumber() async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        try await fixture.database.sql(
            """
            INSERT INTO account_owner (user_id) VALUES (7);
            INSERT INTO ledger (entry, user_id, kind, amount, job, note, source, hold, created_at) VALUES
                (101, 7, 'hold', 3, gen_random_uuid(), NULL, NULL, NULL, 5),
                (102, 7, 'grant', 10, NULL, 'starting credits', 'start', NULL, 5),
                (103, 7, 'settle', 3, gen_random_uuid(), NULL, NULL, 101, 6),
                (104, 7, 'grant', 4, NULL, NULL, 'gift', NULL, 7);
            INSERT INTO balance (user_id, granted, held, used) VALUES (7, 14, 0, 3)
            """)
        let entries = try await harness.store.ledger(of: 7, LedgerFilter(), before: nil, limit: 9)
        #expect(entries.map(\.number) == [104, 103, 102, 101])
        #expect(entries.map(\.after.remaining) == [11, 7, 10, 7])
        #expect(entries.map(\.after.held) == [0, 0, 0, 3] && entries.map(\.after.used) == [3, 3, 0, 0])
        let older = try await harness.store.ledger(of: 7, LedgerFilter(), before: 103, limit: 9)
        #expect(older == Array(entries[2...]))
        await fixture.remove()
    }

    /// New users get their starting credits first in the ledger, by either way of submitting.
    @Test(arguments: [1, 3]) func startingCreditsComeFirst(_ jobs: Int) async throws {
        let fixture = try await PostgresFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        try await withThrowingTaskGroup { group in
            for user in 1...4 as ClosedRange<Int64> {
                for _ in 1...jobs { group.addTask { _ = try await harness.submit(user, cost: 1) } }
            }
            try await group.waitForAll()
        }
        for user in 1...4 as ClosedRange<Int64> {
            let user = UserID(rawValue: user)
            let entries = try await harness.store.ledger(of: user, LedgerFilter(), before: nil, limit: 9)
            #expect(entries.map(\.after.remaining) == Array((10 - jobs)...10))
            #expect(entries.map(\.movement) == Array(repeating: .hold, count: jobs) + [.grant])
        }
        await fixture.remove()
    }
}
