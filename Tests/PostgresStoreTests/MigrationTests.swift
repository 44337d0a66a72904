import SQLSupport
import Foundation
import JobQueue
import PostgresTesting
import TestSupport
import Testing

@testable import PostgresStore

@Suite struct MigrationTests {
    /// With `DOSSIER_ACCEPT_SCHEMA` set, the tables that the migrations make become the golden ones.
    @Test func theMigrationsMakeTheReviewedSchema() async throws {
        let database = try await PostgresFixture.makeDatabase()
        let schema = try await database.schema()
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/PostgresStore/schema.sql")
        if ProcessInfo.processInfo.environment["DOSSIER_ACCEPT_SCHEMA"] != nil {
            try Data(schema.utf8).write(to: file)
        }
        // The expectation compares a Bool: two long texts would be compared letter by letter for minutes.
        let isReviewed = try String(contentsOf: file, encoding: .utf8) == schema
        #expect(isReviewed, "review the change, then run with DOSSIER_ACCEPT_SCHEMA=1")
        await database.remove()
    }

    @Test func tenProcessesThatStartAtOnceMigrateOnce() async throws {
        let database = try await PostgresCluster.shared().makeDatabase()
        let url = try PostgresURL(database.url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await (try await PostgresStore.open(url, options: PostgresFixture.options)).close()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.sql("SELECT name FROM migration ORDER BY version") == Migrator.all.map(\.name))
        #expect(
            try await database.sql("SELECT name FROM stored_function").sorted()
                == StoredFunction.all.map(\.name).sorted())
        await database.remove()
    }

    @Test func aMigratorThatWaitedForAnotherFindsItsTables() async throws {
        let database = try await PostgresCluster.shared().makeDatabase()
        let url = try PostgresURL(database.url)
        let holder = try PostgresConnection(url, limit: .seconds(60))
        _ = try holder.runScript("SELECT pg_advisory_lock(6042081519370)", limit: .seconds(60))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    await (try await PostgresStore.open(url, options: PostgresFixture.options)).close()
                }
            }
            let waiting = """
                SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """
            #expect(try await eventually { try await database.sql(waiting) == ["2"] })
            _ = try holder.runScript("SELECT pg_advisory_unlock(6042081519370)", limit: .seconds(60))
            try await group.waitForAll()
        }
        #expect(try await database.sql("SELECT name FROM migration ORDER BY version") == Migrator.all.map(\.name))
        await database.remove()
    }

    /// Statements queue behind a change of a table that waits for somebody's open transaction.
    @Test func aMigrationThatMeetsAnOpenReadHoldsUpOthersOnlyBriefly() async throws {
        let database = try await Self.makeDatabaseOfVersion1()
        let url = try PostgresURL(database.url)
        let reader = try PostgresConnection(url, limit: .seconds(60))
        _ = try reader.runScript("BEGIN; SELECT count(*)::text FROM job", limit: .seconds(60))
        async let store = PostgresStore.open(url, options: PostgresFixture.options)
        let waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'job'::regclass AND NOT granted"
        #expect(try await eventually { try await database.sql(waiting) != ["0"] })
        // The reader is still there: without a limit this one would wait for it.
        for _ in 0..<3 { #expect(try await database.sql("SELECT count(*) FROM job") == ["0"]) }
        #expect(try await database.sql("SELECT count(*) FROM migration") == ["1"])
        _ = try reader.runScript("COMMIT", limit: .seconds(60))
        await (try await store).close()
        #expect(try await database.sql("SELECT name FROM migration ORDER BY version") == Migrator.all.map(\.name))
        await database.remove()
    }

    @Test func aCommandThatReadsRefusesAnOlderDatabaseAndChangesNothing() async throws {
        let empty = try await PostgresCluster.shared().makeDatabase()
        let older = try await Self.makeDatabaseOfVersion1()
        for (database, reason) in [
            (empty, "it has no tables yet; run 'dossier migrate'"),
            (older, "it was made by an older version of Dossier; run 'dossier migrate'"),
        ] {
            let before = try await database.schema()
            let url = try PostgresURL(database.url)
            await #expect(throws: StoreError.unexpected(reason: reason)) {
                _ = try await PostgresStore.open(url, options: PostgresFixture.options, migrations: .refuse)
            }
            let isUnchanged = try await database.schema() == before
            #expect(isUnchanged)
            await (try await PostgresStore.open(url, options: PostgresFixture.options)).close()
            await (try await PostgresStore.open(url, options: PostgresFixture.options, migrations: .refuse)).close()
            await database.remove()
        }
    }

    private static func makeDatabaseOfVersion1() async throws -> PostgresDatabase {
        try await makeDatabase(upTo: 1, functions: [])
    }

    /// A database as an older program left it.
    private static func makeDatabase(upTo version: Int64, functions: [StoredFunction]) async throws -> PostgresDatabase
    {
        let database = try await PostgresCluster.shared().makeDatabase()
        try await database.sql(String(decoding: PackageResources.v0000_migrations_sql, as: UTF8.self))
        for migration in Migrator.all where migration.version <= version {
            try await database.sql(
                """
                \(migration.text);
                INSERT INTO migration VALUES (\(migration.version), '\(migration.name)', '\(migration.digest)', 0)
                """)
        }
        for function in functions {
            try await database.sql(
                """
                SET check_function_bodies = off; \(function.text)
                INSERT INTO stored_function (name, interface, digest)
                VALUES ('\(function.name)', '\(function.interface)', '\(function.digest)')
                """)
        }
        return database
    }

    /// A newer release has migrated, with further functions, and lets programs of this age in.
    @Test func aNewerDatabaseThatIsCompatibleIsServedAndLeftAsItIs() async throws {
        let database = try await PostgresFixture.makeDatabase()
        let later = Migrator.versions.newest + 1
        try await database.sql(
            """
            INSERT INTO migration VALUES (\(later), 'later', 'x', 0);
            UPDATE schema_compatibility SET oldest_program = \(Migrator.versions.newest);
            UPDATE stored_function SET digest = 'later' WHERE name = 'store_now';
            INSERT INTO stored_function VALUES ('later', 'x', 'x')
            """)
        let url = try PostgresURL(database.url)
        let before = try await database.schema()
        for policy in [MigrationPolicy.apply, .create, .refuse] {
            let store = try await PostgresStore.open(url, options: PostgresFixture.options, migrations: policy)
            #expect(store.schema == SchemaReport(applied: later, served: Migrator.versions.served, otherFunctions: 1))
            await store.close()
        }
        let isUnchanged = try await database.schema() == before
        #expect(isUnchanged)
        #expect(try await database.sql("SELECT digest FROM stored_function WHERE name = 'store_now'") == ["later"])
        try await database.sql("UPDATE stored_function SET interface = 'later' WHERE name = 'store_now'")
        await Self.expectRefusal(
            of: url,
            reason: "it was made by a newer version of Dossier: its function store_now is not the one of this version")
        try await database.sql("UPDATE schema_compatibility SET oldest_program = \(later)")
        await Self.expectRefusal(
            of: url,
            reason: "it was made by a newer version of Dossier, as of migration \(later), which this one does not "
                + "serve; run the newer program, or restore a backup from before its 'migrate'")
        await database.remove()
    }

    private static func expectRefusal(of url: PostgresURL, reason: String) async {
        for policy in [MigrationPolicy.create, .refuse] {
            await #expect(throws: StoreError.unexpected(reason: reason)) {
                _ = try await PostgresStore.open(url, options: PostgresFixture.options, migrations: policy)
            }
        }
    }

    /// A process that serves goes on with the tables and functions of the release before, and changes nothing in them.
    @Test func theOldestDatabaseThatIsServedIsLeftAsItIsUntilItIsMigrated() async throws {
        let database = try await Self.makeDatabase(upTo: Migrator.oldestSchema, functions: StoredFunction.all)
        let url = try PostgresURL(database.url)
        let before = try await database.schema()
        for policy in [MigrationPolicy.create, .refuse] {
            let store = try await PostgresStore.open(url, options: PostgresFixture.options, migrations: policy)
            #expect(store.schema.applied == Migrator.oldestSchema && store.schema.otherFunctions == 0)
            let ill = try await store.health().filter { !$0.isGood }.map(\.name)
            #expect(ill == ["fsync", "full_page_writes"], "the tests' server saves the time")
            await store.close()
        }
        let isUnchanged = try await database.schema() == before
        #expect(isUnchanged)
        let store = try await PostgresStore.open(url, options: PostgresFixture.options)
        #expect(store.schema.isCurrent)
        await store.close()
        await database.remove()
    }

    @Test func aFunctionThatTheDatabaseLacksIsAReasonToMigrate() async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql("DELETE FROM stored_function WHERE name = 'store_now'")
        let url = try PostgresURL(database.url)
        await Self.expectRefusal(of: url, reason: "it was made by another version of Dossier; run 'dossier migrate'")
        await database.remove()
    }

    @Test func anEmptyDatabaseGetsItsTablesByProcessesThatServe() async throws {
        let database = try await PostgresCluster.shared().makeDatabase()
        let url = try PostgresURL(database.url)
        let store = try await PostgresStore.open(url, options: PostgresFixture.options, migrations: .create)
        #expect(store.schema.isCurrent)
        await store.close()
        await database.remove()
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

    @Test func aDatabaseOfAnUnreleasedVersionIsRefusedAndLeftAlone() async throws {
        let database = try await PostgresCluster.shared().makeDatabase()
        try await database.sql(
            """
            CREATE TABLE migration (version bigint PRIMARY KEY, name text, digest text, applied_at bigint);
            INSERT INTO migration SELECT n, 'old', 'x', 0 FROM generate_series(1, 33) AS n
            """)
        let url = try PostgresURL(database.url)
        let reason = "it was made by an unreleased version of Dossier; create a new database instead"
        await #expect(throws: StoreError.unexpected(reason: reason)) {
            _ = try await PostgresStore.open(url, options: PostgresFixture.options)
        }
        #expect(try await database.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == ["migration"])
        await database.remove()
    }

    @Test func aMigrationWhoseTextChangedIsRefused() async throws {
        try await expectRefusal(
            after: "UPDATE migration SET digest = 'x' WHERE version = 1",
            reason: "its migration 1 is not the one of this version of Dossier")
    }

    @Test(arguments: [
        ("postgres://postgres:geheim@127.0.0.1:1/x", "postgres://127.0.0.1:1/x cannot be reached"),
        ("wrong password", "refuses the user or the password"), ("no database", "has no such database or user"),
    ])
    func connectionErrorsDoNotContainThePassword(_ what: String, _ reason: String) async throws {
        let cluster = try await PostgresCluster.shared()
        var text = what
        if what == "wrong password" { text = "postgres://postgres:falsch@127.0.0.1:\(cluster.port)/postgres" }
        if what == "no database" { text = cluster.url(of: "nowhere") }
        let url = try PostgresURL(text)
        let error = await #expect(throws: StoreError.self) { _ = try await PostgresStore.open(url) }
        let words = "\(error.map { "\($0)" } ?? "")"
        #expect(words.contains(reason) && !words.contains("geheim") && !words.contains("falsch"))
    }

    /// A process that serves waits for a database that is away, but not for an address that is wrong.
    @Test(arguments: [
        ("sslmode=prefered", "(sslmode)"), ("target_session_attrs=wrong", "(target_session_attrs)"),
        ("options=-cfoo%3Dbar", "(options)"), ("options=-cstatement_timeout%3Dabc", "(statement_timeout)"),
    ])
    func aWrongValueInTheAddressIsNamedAndNotWaitedFor(_ parameter: String, _ named: String) async throws {
        let cluster = try await PostgresCluster.shared()
        let url = try PostgresURL(cluster.url(of: "postgres") + "?" + parameter)
        let error = await #expect(throws: StoreError.self) { _ = try await PostgresStore.open(url) }
        guard case .unexpected(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(named), "\(reason)")
    }

    private func expectRefusal(after change: String, reason: String) async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql(change)
        let url = try PostgresURL(database.url)
        await #expect(throws: StoreError.unexpected(reason: reason)) {
            _ = try await PostgresStore.open(url, options: PostgresFixture.options)
        }
        await database.remove()
    }
}
