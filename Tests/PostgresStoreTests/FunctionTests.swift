import Foundation
import JobQueue
import PostgresTesting
import SQLSupport
import Testing

@testable import PostgresStore

/// The functions of `Functions/`: their files, and their installation by the migrator.
@Suite struct FunctionTests {
    @Test func everyFunctionIsDeclaredOnceInAnEmbeddedFile() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/PostgresStore/Functions")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let texts = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        #expect(StoredFunction.functions(in: texts) == StoredFunction.all)
        let declarations = texts.reduce(0) { $0 + $1.matches(of: #/(?m)^\s*CREATE\b/#).count }
        #expect(
            declarations == StoredFunction.all.count, "each declaration begins a line with CREATE OR REPLACE FUNCTION")
        #expect(Set(StoredFunction.all.map(\.name)).count == StoredFunction.all.count, "an overload has no digest")
    }

    @Test func everyFunctionHasACaller() {
        let queries = QueryText.files.texts.values.joined(separator: "\n")
        for function in StoredFunction.all where !function.name.hasPrefix("record_") {
            let call = function.name + "("
            let isCalled =
                queries.contains(call)
                || StoredFunction.all.contains { $0.name != function.name && $0.text.contains(call) }
            #expect(isCalled, "\(function.name)")
        }
    }

    @Test func aFreshDatabaseHasTheFunctionsOfTheFiles() async throws {
        let database = try await PostgresFixture.makeDatabase()
        let schema = [
            "check_change_of_audit", "check_change_of_ledger", "current_user_id", "index_article", "index_article_text",
            "refuse_change", "refuse_change_of_audit", "reindex_article_text",
        ]
        #expect(
            try await database.sql("SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace").sorted()
                == (StoredFunction.all.map(\.name) + schema).sorted())
        await database.remove()
    }

    @Test func aFunctionWhoseTextChangedIsReplacedOnceByTenMigrators() async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql("CREATE VIEW uses_the_clock AS SELECT store_now()")
        let before = try await versions(in: database)
        let changed = StoredFunction.all.map { function in
            function.name == "store_now"
                ? StoredFunction(name: function.name, text: function.text.replacing("* 1000)", with: "* 1000 + 0)"))
                : function
        }
        try await migrateTenTimes(database, changed)
        let after = try await versions(in: database)
        #expect(after.filter { before[$0.key] != $0.value }.keys.sorted() == ["store_now"])
        #expect(try await body(of: "store_now", in: database).contains("+ 0"))
        try await migrateTenTimes(database, changed)
        #expect(try await versions(in: database) == after, "a text that is in force is not applied again")
        await database.remove()
    }

    @Test func aFunctionWithAnotherInterfaceReplacesTheFormerOne() async throws {
        let database = try await PostgresFixture.makeDatabase()
        let changed = StoredFunction.all.map { function in
            function.name == "queue_head"
                ? StoredFunction(
                    name: function.name,
                    text: function.text.replacing("(p_queue queue) RETURNS bigint", with: "(p_queue text) RETURNS text")
                )
                : function
        }
        try await migrateTenTimes(database, changed)
        let found = try await database.sql(
            """
            SELECT pg_get_function_identity_arguments(oid), prorettype::regtype FROM pg_proc WHERE proname = 'queue_head'
            """)
        #expect(found == ["p_queue text|text"])
        await database.remove()
    }

    /// Programs of the release before may call it until none of them is let in any more.
    @Test func aFunctionThatIsInNoFileAnyMoreIsDroppedWhenNoProgramMayCallIt() async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql("CREATE FUNCTION own() RETURNS integer LANGUAGE sql AS 'SELECT 1'")
        let fewer = StoredFunction.all.filter { $0.name != "watchlist_add" }
        let found = "SELECT proname FROM pg_proc WHERE proname = 'watchlist_add'"
        let retired = "SELECT coalesce(retired_by::text, 'in use') FROM stored_function WHERE name = 'watchlist_add'"
        try await migrateTenTimes(database, fewer)
        #expect(try await database.sql(found) == ["watchlist_add"])
        #expect(try await database.sql(retired) == ["\(Migrator.versions.newest)"])
        try await migrateTenTimes(database, StoredFunction.all)
        #expect(try await database.sql(retired) == ["in use"])
        try await migrateTenTimes(database, fewer)
        try await database.sql(
            "UPDATE stored_function SET retired_by = \(Migrator.oldestProgram - 1) WHERE name = 'watchlist_add'")
        try await migrateTenTimes(database, fewer)
        #expect(
            try await database.sql("SELECT proname FROM pg_proc WHERE proname IN ('watchlist_add', 'own')") == ["own"],
            "a function of the administrator stays")
        await database.remove()
    }

    @Test func aFunctionThatCannotBeCreatedLeavesTheDatabaseAsItWas() async throws {
        let database = try await PostgresFixture.makeDatabase()
        let before = try await versions(in: database)
        let broken = StoredFunction(
            name: "broken", text: "CREATE OR REPLACE FUNCTION broken() RETURNS nothing LANGUAGE sql AS $$ SELECT 1 $$;")
        let url = try PostgresURL(database.url)
        #expect(throws: StoreError.self) {
            try Migrator.migrate(url, options: PostgresFixture.options, functions: [broken])
        }
        #expect(try await versions(in: database) == before)
        await database.remove()
    }

    private func migrateTenTimes(_ database: PostgresDatabase, _ functions: [StoredFunction]) async throws {
        let url = try PostgresURL(database.url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { try Migrator.migrate(url, options: PostgresFixture.options, functions: functions) }
            }
            try await group.waitForAll()
        }
    }

    /// The transaction that last wrote each function.
    private func versions(in database: PostgresDatabase) async throws -> [String: String] {
        let rows = try await database.sql(
            "SELECT proname, xmin FROM pg_proc WHERE pronamespace = 'public'::regnamespace")
        return Dictionary(
            rows.map { row in
                let parts = row.split(separator: "|")
                return (String(parts[0]), String(parts[1]))
            }, uniquingKeysWith: { $1 })
    }

    private func body(of name: String, in database: PostgresDatabase) async throws -> String {
        try await database.sql("SELECT prosrc FROM pg_proc WHERE proname = '\(name)'").joined(separator: "\n")
    }
}
