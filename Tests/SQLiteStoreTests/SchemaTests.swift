import SQLSupport
import Foundation
import JobQueue
import Testing

@testable import SQLiteStore

@Suite struct SchemaTests {
    @Test func everyQueryIsOneStatementThatAFreshDatabaseCanPrepare() async throws {
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let database = try DatabaseFile.openForReading(fixture.path)
        for query in Query.allCases {
            #expect(throws: Never.self, "\(query)") { try database.statement(query) }
        }
        await fixture.remove()
    }

    @Test(arguments: [
        Query.modelCallSums, .modelDurations, .modelLatencies, .markedCalls, .batchCounts, .batchDurations,
    ])
    func whatOperatorsReadIsFoundByAnIndex(_ query: Query) async throws {
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let database = try DatabaseFile.openForReading(fixture.path)
        var plan: [String] = []
        try database.oneOff("EXPLAIN QUERY PLAN " + query.sql) { row in
            for _ in 0..<3 { row.skip() }
            plan.append(row.text())
        }
        #expect(
            plan.contains { $0.contains("INDEX model_call_created") || $0.contains("INDEX model_batch_") }, "\(plan)")
        #expect(!plan.contains { ["SCAN m", "SCAN model_call", "SCAN model_batch"].contains($0) }, "\(plan)")
        await fixture.remove()
    }

    @Test func theNamesOfTheQueriesAreThoseOfTheSQLFiles() {
        #expect(Query.files.repeated == [])
        #expect(Query.files.texts.keys.sorted() == Query.allCases.map(\.rawValue).sorted())
    }

    @Test func everyQueryOfRecordsHasStatementsThatAFreshDatabaseCanPrepare() async throws {
        #expect(RecordScript.files.repeated == [])
        let missing = RecordQuery.allCases.map(\.rawValue).filter { RecordScript.files.texts[$0] == nil }
        #expect(missing == [])
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let database = try DatabaseFile.openForReading(fixture.path)
        for name in RecordScript.files.texts.keys.sorted() {
            #expect(throws: Never.self, "\(name)") { try database.script(name) }
        }
        await fixture.remove()
    }

    @Test func theIndexOfAQueryIsItsPositionAmongTheCases() {
        #expect(Query.allCases.map(\.index) == Array(Query.allCases.indices))
    }

    /// `schema.sql` shows the whole schema after all migrations. `DOSSIER_ACCEPT_SCHEMA=1` accepts a change.
    @Test func aFreshDatabaseHasTheSchemaOfTheDump() async throws {
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let database = try DatabaseFile.openForReading(fixture.path)
        let statements = try database.words(
            """
            SELECT sql FROM sqlite_schema
            WHERE sql IS NOT NULL AND name NOT GLOB '*_index_*' AND name NOT GLOB 'sqlite_*'
            ORDER BY tbl_name, type DESC, name
            """)
        #expect(statements.count > 80)
        let dump = statements.map { $0 + ";\n" }.joined(separator: "\n")
        let file = Self.sources.appending(path: "schema.sql")
        if ProcessInfo.processInfo.environment["DOSSIER_ACCEPT_SCHEMA"] != nil {
            try dump.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == dump)
        await fixture.remove()
    }

    @Test func processesThatStartTogetherMigrateOnce() async throws {
        let fixture = SQLiteFixture()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { _ = try await fixture.openStore() } }
            try await group.waitForAll()
        }
        let database = try DatabaseFile.openForReading(fixture.path)
        #expect(try database.words("SELECT name FROM migration") == Migrator.all.map(\.name))
        await fixture.remove()
    }

    @Test func aDatabaseOfANewerVersionIsRefused() async throws {
        try await expectRefusal(
            after: """
                INSERT INTO migration VALUES (\(Migrator.versions.newest + 1), 'later', 'x', 0);
                UPDATE schema_compatibility SET oldest_program = \(Migrator.versions.newest + 1)
                """,
            reason: "it was made by a newer version of Dossier, as of migration \(Migrator.versions.newest + 1), "
                + "which this one does not serve; run the newer program, or restore a backup from before "
                + "its 'migrate'")
    }

    /// A newer release has migrated, and lets programs of this age in.
    @Test func aNewerDatabaseThatIsCompatibleIsServedAndLeftAsItIs() async throws {
        let fixture = SQLiteFixture()
        await (try await fixture.openStore()).close()
        let later = Migrator.versions.newest + 1
        try await fixture.run(
            """
            INSERT INTO migration VALUES (\(later), 'later', 'x', 0);
            CREATE TABLE later (id INTEGER);
            UPDATE schema_compatibility SET oldest_program = \(Migrator.versions.newest)
            """)
        for policy in [MigrationPolicy.apply, .create, .refuse] {
            let store = try await SQLiteStore.open(path: fixture.path, migrations: policy)
            #expect(store.schema.applied == later && !store.schema.isCurrent)
            #expect(try await store.migrations().count == Migrator.all.count + 1)
            await store.close()
        }
        try await fixture.run("UPDATE schema_compatibility SET oldest_program = \(later)")
        for policy in [MigrationPolicy.apply, .create, .refuse] {
            let reason =
                "it was made by a newer version of Dossier, as of migration \(later), which this one does not "
                + "serve; run the newer program, or restore a backup from before its 'migrate'"
            await #expect(throws: StoreError.unexpected(reason: reason)) {
                _ = try await SQLiteStore.open(path: fixture.path, migrations: policy)
            }
        }
        await fixture.remove()
    }

    /// A process that serves goes on with the tables of the release before, and changes nothing in them.
    @Test func theOldestDatabaseThatIsServedIsLeftAsItIsUntilItIsMigrated() async throws {
        let fixture = try await Self.fixture(upTo: Migrator.oldestSchema)
        for policy in [MigrationPolicy.create, .refuse] {
            let store = try await SQLiteStore.open(path: fixture.path, migrations: policy)
            #expect(store.schema.applied == Migrator.oldestSchema)
            #expect(try await store.health().allSatisfy(\.isGood))
            await store.close()
        }
        let store = try await SQLiteStore.open(path: fixture.path, migrations: .apply)
        #expect(store.schema.isCurrent)
        await store.close()
        await fixture.remove()
    }

    @Test func everyQueryWorksOnTheOldestDatabaseThatIsServed() async throws {
        let fixture = try await Self.fixture(upTo: Migrator.oldestSchema)
        let database = try DatabaseFile.openForReading(fixture.path)
        for query in Query.allCases {
            #expect(throws: Never.self, "\(query)") { try database.statement(query) }
        }
        for name in RecordScript.files.texts.keys.sorted() {
            #expect(throws: Never.self, "\(name)") { try database.script(name) }
        }
        await fixture.remove()
    }

    @Test func aDatabaseOlderThanTheOldestIsRefusedByProcessesThatServe() async throws {
        let fixture = try await Self.fixture(upTo: Migrator.oldestSchema - 1)
        for policy in [MigrationPolicy.create, .refuse] {
            let reason = "it was made by an older version of Dossier; run 'dossier migrate'"
            await #expect(throws: StoreError.unexpected(reason: reason)) {
                _ = try await SQLiteStore.open(path: fixture.path, migrations: policy)
            }
        }
        await fixture.remove()
    }

    @Test func anEmptyDatabaseGetsItsTablesByProcessesThatServeAndNotByOthers() async throws {
        let fixture = SQLiteFixture()
        let store = try await SQLiteStore.open(path: fixture.path, migrations: .create)
        #expect(store.schema.isCurrent)
        await store.close()
        let empty = fixture.folder.appending(path: "empty.db").path
        try Data().write(to: URL(filePath: empty))
        await #expect(throws: StoreError.unexpected(reason: "it has no tables yet; run 'dossier migrate'")) {
            _ = try await SQLiteStore.open(path: empty, migrations: .refuse)
        }
        await fixture.remove()
    }

    /// A database as an older program left it.
    private static func fixture(upTo version: Int64) async throws -> SQLiteFixture {
        let fixture = SQLiteFixture()
        try DatabaseFile.create(fixture.path)
        let database = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
        try database.execute("PRAGMA journal_mode = WAL")
        try database.run(.migrationCreateTable)
        for migration in Migrator.all where migration.version <= version {
            try database.execute(migration.text)
            try database.execute(
                "INSERT INTO migration VALUES (\(migration.version), '\(migration.name)', '\(migration.digest)', 0)")
        }
        return fixture
    }

    @Test func aDatabaseFromBeforeTheFirstReleaseIsRefused() async throws {
        try await expectRefusal(
            after: "UPDATE migration SET name = 'jobs_and_credits', digest = 'x'",
            reason: "it was made by an unreleased version of Dossier; create a new database instead")
    }

    @Test func aMigrationWhoseTextChangedIsRefused() async throws {
        try await expectRefusal(
            after: "UPDATE migration SET digest = 'x' WHERE version = 1",
            reason: "its migration 1 is not the one of this version of Dossier")
    }

    @Test func aFileThatIsNoDatabaseIsRefusedAndNotChanged() async throws {
        let fixture = SQLiteFixture()
        try FileManager.default.createDirectory(at: fixture.folder, withIntermediateDirectories: true)
        let text = Data(String(repeating: "no database ", count: 500).utf8)
        try text.write(to: URL(filePath: fixture.path))
        await #expect(throws: StoreError.damaged(reason: "file is not a database")) {
            _ = try await fixture.openStore()
        }
        #expect(try Data(contentsOf: URL(filePath: fixture.path)) == text)
        await fixture.remove()
    }

    @Test func onlyTheOwnerCanReadTheFile() async throws {
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        for name in ["dossier.db", "dossier.db-wal"] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: fixture.folder.appending(path: name).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        await fixture.remove()
    }

    @Test func aFolderThatCannotBeCreatedIsReported() async throws {
        await #expect(throws: StoreError.unavailable(reason: "its file cannot be opened: Not a directory")) {
            _ = try await SQLiteStore.open(path: "/dev/null/dossier.db")
        }
    }

    private func expectRefusal(after change: String, reason: String) async throws {
        let fixture = SQLiteFixture()
        await (try await fixture.openStore()).close()
        let database = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
        try database.execute(change)
        await #expect(throws: StoreError.unexpected(reason: reason)) { _ = try await fixture.openStore() }
        await fixture.remove()
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/SQLiteStore")
}
