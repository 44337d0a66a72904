import SQLSupport
internal import Basics
internal import JobQueue

/// Migrates a database to the tables and functions of this version of Dossier, forward only.
struct Migrator {
    /// A change of the tables, which is applied once.
    struct Migration {
        var version: Int64
        var name: String
        /// The text, one file for each topic.
        var files: [[UInt8]]

        var text: String { files.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") }
        var digest: String { SHA256.hex(Array(text.utf8)) }
    }

    static let all = [
        Migration(
            version: 1, name: "tables",
            files: [
                PackageResources.v0001_jobs_sql, PackageResources.v0001_credits_sql, PackageResources.v0001_limits_sql,
                PackageResources.v0001_news_sql, PackageResources.v0001_users_sql,
                PackageResources.v0001_row_security_sql,
            ]),
        Migration(
            version: 2, name: "safety",
            files: [
                PackageResources.v0002_queue_sql, PackageResources.v0002_spend_sql,
                PackageResources.v0002_history_sql, PackageResources.v0002_bounds_sql,
                PackageResources.v0002_batches_sql, PackageResources.v0002_monitoring_sql,
            ]),
        Migration(
            version: 3, name: "apps",
            files: [
                PackageResources.v0003_news_sql, PackageResources.v0003_learning_sql,
                PackageResources.v0003_readers_sql,
            ]),
        Migration(version: 4, name: "accounts", files: [PackageResources.v0004_accounts_sql]),
        Migration(version: 5, name: "impact", files: [PackageResources.v0005_impact_sql]),
        Migration(
            version: 6, name: "service",
            files: [PackageResources.v0006_access_sql, PackageResources.v0006_credits_sql]),
        Migration(
            version: 7, name: "operators",
            files: [PackageResources.v0007_webhooks_sql, PackageResources.v0007_workers_sql]),
        Migration(version: 8, name: "plans", files: [PackageResources.v0008_plans_sql]),
        Migration(version: 9, name: "operator_jobs", files: [PackageResources.v0009_operators_sql]),
        Migration(version: 10, name: "privacy", files: [PackageResources.v0010_privacy_sql]),
        Migration(version: 11, name: "attempts", files: [PackageResources.v0011_attempts_sql]),
        Migration(version: 13, name: "bars", files: [PackageResources.v0013_bars_sql]),
        Migration(version: 14, name: "subject", files: [PackageResources.v0014_subject_sql]),
        Migration(
            version: 15, name: "exports",
            files: [PackageResources.v0015_exports_sql, PackageResources.v0015_workers_sql]),
        Migration(version: 16, name: "pauses", files: [PackageResources.v0016_pauses_sql]),
        Migration(version: 17, name: "operations", files: [PackageResources.v0017_operations_sql]),
        Migration(version: 18, name: "ended_pauses", files: [PackageResources.v0018_ended_pauses_sql]),
    ]

    private let connection: PostgresConnection
    private let functions: [StoredFunction]
    private let answerLimit: Duration

    /// The longest time to wait for the migrations of another process, and for a moment without locks of others.
    private static let limit: Duration = .seconds(300)
    /// The longest time to wait for a lock: statements of all other processes queue behind a change of a table that
    /// waits for an open transaction.
    private static let lockTimeout: Duration = .seconds(1)
    /// The pauses between two tries.
    private static let pauses: ClosedRange<UInt32> = 500_000...2_000_000

    /// Applies missing migrations, and functions that are new or have changed, and drops functions that no longer
    /// exist.
    ///
    /// All of it is one transaction under a lock: of many processes that start at once, one does the work, and the
    /// others find it done.
    ///
    /// - Throws: `unexpected` when the database was made by a newer version, by an unreleased one, or by a text that
    ///   differs from that of this version.
    static func migrate(
        _ url: PostgresURL, options: PostgresStore.Options, functions: [StoredFunction] = StoredFunction.all
    ) throws(StoreError) {
        try connected(url, options: options, functions: functions) { migrator throws(PostgresFailure) in
            try migrator.migrate()
        }
    }

    /// Brings a database up to date, or refuses one that is not.
    static func prepare(
        _ url: PostgresURL, options: PostgresStore.Options, policy: MigrationPolicy
    ) throws(StoreError) {
        switch policy {
        case .apply: try migrate(url, options: options)
        case .refuse:
            try connected(url, options: options, functions: StoredFunction.all) { migrator throws(PostgresFailure) in
                try migrator.check()
            }
        }
    }

    private static func connected(
        _ url: PostgresURL, options: PostgresStore.Options, functions: [StoredFunction],
        _ body: (Migrator) throws(PostgresFailure) -> Void
    ) throws(StoreError) {
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(url, limit: options.connectLimit)
            try body(Migrator(connection: connection, functions: functions, answerLimit: options.answerLimit))
        } catch {
            if error.isMisconfigured, case .unreachable(let reason) = error { throw .unexpected(reason: reason) }
            throw error.storeError
        }
    }

    /// Refuses a database that lacks migrations or functions.
    private func check() throws(PostgresFailure) {
        guard try hasTables() else {
            throw .refused(state: "", message: "it has no tables yet; run 'dossier migrate'")
        }
        guard try missing().isEmpty, try functionChanges().isEmpty else {
            throw .refused(state: "", message: "it was made by an older version of Dossier; run 'dossier migrate'")
        }
    }

    private func migrate() throws(PostgresFailure) {
        if try hasTables(), try missing().isEmpty, try functionChanges().isEmpty { return }
        let end = ContinuousClock.now + Self.limit
        while true {
            do throws(PostgresFailure) {
                return try apply()
            } catch {
                guard error == .locked || error == .conflict, .now < end else { throw error }
                _ = try run("ROLLBACK")
                Thread.sleep(microseconds: .random(in: Self.pauses))
            }
        }
    }

    /// Applies what is missing in one transaction. Waiting for another process's migrations has no limit of its own.
    private func apply() throws(PostgresFailure) {
        _ = try connection.runScript("BEGIN; SELECT pg_advisory_xact_lock(6042081519370)", limit: Self.limit)
        // The body of a function may call functions that come after it.
        _ = try run(
            "SET LOCAL lock_timeout = \(Self.lockTimeout.wholeMilliseconds); SET LOCAL check_function_bodies = off")
        if try !hasTables() {
            _ = try run(String(decoding: PackageResources.v0000_migrations_sql, as: UTF8.self))
        }
        for migration in try missing() {
            _ = try connection.runScript(migration.text, limit: Self.limit)
            _ = try run(
                """
                INSERT INTO migration (version, name, digest, applied_at)
                VALUES (
                    \(migration.version), '\(migration.name)', '\(migration.digest)',
                    floor(extract(EPOCH FROM clock_timestamp()) * 1000))
                """)
        }
        let changes = try functionChanges()
        if !changes.isEmpty {
            _ = try connection.runScript(changes.joined(separator: "\n;\n"), limit: Self.limit)
        }
        _ = try connection.runScript("COMMIT", limit: Self.limit)
    }

    /// Whether the tables of migrations and functions exist.
    ///
    /// Reads the catalogue as a table: `to_regclass` may answer from a cache of before the lock was taken, and then miss
    /// the tables that another process has just made.
    private func hasTables() throws(PostgresFailure) -> Bool {
        let found = try run(
            """
            SELECT coalesce(bool_or(relname = 'migration'), FALSE), coalesce(bool_or(relname = 'stored_function'), FALSE)
            FROM pg_class WHERE relname IN ('migration', 'stored_function') AND pg_table_is_visible(oid)
            """)
        if found == [["t", "f"]] {
            throw .refused(
                state: "", message: "it was made by an unreleased version of Dossier; create a new database instead")
        }
        return found == [["t", "t"]]
    }

    /// The migrations that are still to be applied.
    private func missing() throws(PostgresFailure) -> [Migration] {
        let applied = try run(QueryText(named: Query.migrationList.rawValue).text)
        guard applied.count <= Self.all.count else {
            throw .refused(state: "", message: "it was made by a newer version of Dossier")
        }
        // Rows of version, name, time and digest.
        for (known, found) in zip(Self.all, applied) where found[0] != "\(known.version)" || found[3] != known.digest {
            throw .refused(
                state: "", message: "its migration \(found[0]) is not the one of this version of Dossier")
        }
        return Array(Self.all.dropFirst(applied.count))
    }

    /// The statements that bring the functions up to date.
    private func functionChanges() throws(PostgresFailure) -> [String] {
        let rows = try run("SELECT name, interface, digest FROM stored_function")
        var known: [String: (interface: String, digest: String)] = [:]
        for row in rows { known[row[0]] = (row[1], row[2]) }
        var statements: [String] = []
        for function in functions {
            let found = known.removeValue(forKey: function.name)
            if let found, found.digest == function.digest { continue }
            if let found, found.interface != function.interface {
                statements.append("DROP FUNCTION IF EXISTS \(function.name)")
            }
            statements.append(function.text)
            statements.append(
                """
                INSERT INTO stored_function (name, interface, digest)
                VALUES ('\(function.name)', '\(function.interface)', '\(function.digest)')
                ON CONFLICT (name) DO UPDATE SET interface = excluded.interface, digest = excluded.digest
                """)
        }
        for name in known.keys.sorted() {
            statements.append("DROP FUNCTION IF EXISTS \(name)")
            statements.append("DELETE FROM stored_function WHERE name = '\(name)'")
        }
        return statements
    }

    private func run(_ script: String) throws(PostgresFailure) -> [[String]] {
        try connection.runScript(script, limit: answerLimit)
    }
}
