import SQLSupport
import JSON
import JobQueue
import PostgresTesting
import TestSupport
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// The role `dossier_reader`, for direct access on a user's behalf.
@Suite struct RowSecurityTests {
    private static let tables = [
        "job", "job_record", "step", "ledger", "balance", "model_call", "preferences", "holding", "watchlist",
        "recall_card",
    ]

    @Test func aReaderSeesOnlyTheRowsOfTheUser() async throws {
        let fixture = try await PostgresFixture()
        try await fill(fixture)
        for user in 1...2 {
            for table in Self.tables {
                let query =
                    table == "step"
                    ? "SELECT count(*) FROM step" : "SELECT count(*), min(user_id), max(user_id) FROM \(table)"
                let rows = try await read(query, as: user, fixture)
                let count = rows.first?.split(separator: "|").first.flatMap { Int($0) } ?? 0
                #expect(count > 0, "\(table)")
                if table != "step" { #expect(rows.first?.hasSuffix("|\(user)|\(user)") == true, "\(table): \(rows)") }
            }
        }
        await fixture.remove()
    }

    @Test func aReaderWithoutAUserSeesNoRows() async throws {
        let fixture = try await PostgresFixture()
        try await fill(fixture)
        for table in Self.tables {
            #expect(
                try await fixture.database.sql("SET ROLE dossier_reader; SELECT count(*) FROM \(table)") == ["0"])
        }
        await fixture.remove()
    }

    @Test func aReaderSeesTheTurnsAndPassagesOfTheUserAndCommonPassages() async throws {
        let fixture = try await PostgresFixture()
        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        for user in [1, 2] as [UserID] {
            let lease = try await harness.running()
            let turn = ConversationTurn(
                job: lease.job.description, conversation: "c", user: user, subject: "education", question: "?",
                answer: "Of \(user.rawValue).", citations: "[]", askedAt: 0, answeredAt: 0)
            let report = Passage(
                kind: .report, source: "r\(user.rawValue)", part: 0, owner: user, title: "T", text: "x", terms: "x",
                writtenAt: 0
            )
            try await store.complete(lease, with: 1, effects: [.record(.turn(turn)), .record(.passage(report))])
        }
        try await store.replaceCommonPassages(
            of: .document,
            with: [Passage(kind: .document, source: "d", part: 0, title: "T", text: "x", terms: "x", writtenAt: 0)])
        #expect(try await read("SELECT answer FROM conversation_turn", as: 2, fixture) == ["Of 2."])
        #expect(try await read("SELECT source FROM passage ORDER BY source", as: 2, fixture) == ["d", "r2"])
        await #expect(throws: TestingFailure.self) { try await read("DELETE FROM passage", as: 2, fixture) }
        await fixture.remove()
    }

    @Test(arguments: [
        "UPDATE balance SET granted = 1000", "DELETE FROM job", "UPDATE job SET user_id = 1",
        "INSERT INTO ledger (user_id, kind, amount, created_at) VALUES (1, 'grant', 5, 0)", "TRUNCATE job CASCADE",
        "UPDATE preferences SET focus_profile = 'broad'", "DELETE FROM holding", "SELECT * FROM ready",
        "SELECT * FROM worker", "SELECT * FROM bundle",
        "SELECT * FROM passage_vector", "SELECT * FROM rate_count", "DELETE FROM watchlist",
        "UPDATE recall_card SET due_at = 0",
        "SELECT cancel_jobs(NULL, ARRAY[]::uuid[], ARRAY[1], 9, '{}', '{}')",
        "SELECT grant_credits(NULL, gen_random_uuid(), 1, 100, '', 10)", "ALTER TABLE job DISABLE ROW LEVEL SECURITY",
        "CREATE TABLE mine (x integer)", "SELECT nextval('notice_ready')",
    ])
    func aReaderCannotWriteOrReadOtherTables(_ statement: String) async throws {
        let fixture = try await PostgresFixture()
        try await fill(fixture)
        await #expect(throws: TestingFailure.self) { try await read(statement, as: 1, fixture) }
        await fixture.remove()
    }

    private func fill(_ fixture: PostgresFixture) async throws {
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let worker = try await harness.worker()
        for user in 1...2 {
            try await harness.submit(Int64(user), cost: 1)
            let lease = try await harness.claimOne(worker).lease
            _ = try await harness.store.append(
                StoreHarness.step("a"), replacingFrom: nil, effects: [.recordModelCall(.of(Int64(user)))], under: lease)
            try await harness.store.complete(lease, with: 1, effects: [])
            _ = try await harness.store.watch("AAPL", name: nil, by: UserID(rawValue: Int64(user)), limit: 9)
            let card = RecallCard(
                user: UserID(rawValue: Int64(user)), id: "a", concept: "", source: "", content: "{}", schedule: "{}",
                dueAt: 0, createdAt: 0)
            _ = try await harness.store.store([card])
            try await harness.store.change(
                preferencesOf: UserID(rawValue: Int64(user)), .init(holdings: [Holding(ticker: "T\(user)")]))
        }
    }

    @discardableResult
    private func read(_ statement: String, as user: Int, _ fixture: PostgresFixture) async throws -> [String] {
        try await fixture.database.sql("SET ROLE dossier_reader; SET dossier.user_id = '\(user)'; \(statement)")
    }
}
