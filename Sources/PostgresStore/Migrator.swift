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
        Migration(version: 20, name: "compatibility", files: [PackageResources.v0020_compatibility_sql]),
        Migration(version: 21, name: "operators", files: [PackageResources.v0021_operators_sql]),
        Migration(version: 22, name: "workers", files: [PackageResources.v0022_workers_sql]),
    ]

    /// The oldest database that this program serves. A release whose statements need a migration, or another text of a
    /// function, raises it to that.
    static let oldestSchema: Int64 = 18
    /// The newest migration that a program must know to use a database that this one migrated. A release whose
    /// migrations or functions remove or change what older programs use raises it.
    static let oldestProgram: Int64 = 20

    static let versions = SchemaVersions(
        known: all.map { SchemaVersions.Migration(version: $0.version, digest: $0.digest) },
        oldestSchema: oldestSchema)

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

    /// Applies missing migrations, and functions that are new or have changed.
    ///
    /// All of it is one transaction under a lock: of many processes that start at once, one does the work, and the
    /// others find it done. A database of a newer version that this program can serve stays as it is.
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

    /// Brings a database up to date, or refuses one that this program cannot serve.
    static func prepare(
        _ url: PostgresURL, options: PostgresStore.Options, policy: MigrationPolicy,
        functions: [StoredFunction] = StoredFunction.all
    ) throws(StoreError) -> SchemaReport {
        try connected(url, options: options, functions: functions) { migrator throws(PostgresFailure) in
            switch policy {
            case .apply: try migrator.migrate()
            case .create: if try !migrator.hasTables() { try migrator.migrate() }
            case .refuse: break
            }
            return try migrator.check()
        }
    }

    private static func connected<Value>(
        _ url: PostgresURL, options: PostgresStore.Options, functions: [StoredFunction],
        _ body: (Migrator) throws(PostgresFailure) -> Value
    ) throws(StoreError) -> Value {
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(url, limit: options.connectLimit)
            return try body(Migrator(connection: connection, functions: functions, answerLimit: options.answerLimit))
        } catch {
            if error.isMisconfigured, case .unreachable(let reason) = error { throw .unexpected(reason: reason) }
            throw error.storeError
        }
    }

    /// Refuses a database that this program cannot serve.
    private func check() throws(PostgresFailure) -> SchemaReport {
        guard try hasTables() else {
            throw .refused(state: "", message: "it has no tables yet; run 'dossier migrate'")
        }
        let state = try state()
        if let refusal = state.refusal { throw .refused(state: "", message: refusal) }
        let installed = InstalledFunctions(try run(InstalledFunctions.query))
        if let missing = installed.firstWithoutInterface(among: functions) {
            let isNewer = if case .newer = state { true } else { false }
            throw .refused(
                state: "",
                message: isNewer
                    ? "it was made by a newer version of Dossier: its function \(missing) is not the one of this version"
                    : "it was made by another version of Dossier; run 'dossier migrate'")
        }
        return SchemaReport(
            applied: state.newest(known: Self.versions.newest), served: Self.versions.served,
            otherFunctions: installed.countOfOthers(than: functions))
    }

    private func migrate() throws(PostgresFailure) {
        if try hasTables() {
            switch try state() {
            case .newer: return
            case .current where try functionChanges().isEmpty: return
            case .current, .older: break
            }
        }
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
        let applied = try applied()
        // A newer version may have migrated since the first look.
        if case .newer = try state() {
            _ = try run("ROLLBACK")
            return
        }
        for migration in Self.all.dropFirst(applied.count) {
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
        _ = try run(
            "UPDATE schema_compatibility SET oldest_program = greatest(oldest_program, \(Self.oldestProgram))")
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

    private func applied() throws(PostgresFailure) -> [SchemaVersions.Migration] {
        // Rows of version, name, time and digest.
        try run(QueryText(named: Query.migrationList.rawValue).text).map { row in
            SchemaVersions.Migration(version: Int64(row[0]) ?? 0, digest: row[3])
        }
    }

    /// Compares the database with this program.
    ///
    /// - Throws: `refused` when a migration is another one, or a newer version lets this one not in.
    private func state() throws(PostgresFailure) -> SchemaVersions.State {
        let compared = try Self.versions.compare(try applied()) { () throws(PostgresFailure) in
            let isThere = try run("SELECT 1 FROM pg_class WHERE relname = 'schema_compatibility'")
            guard !isThere.isEmpty else { return nil }
            return try run("SELECT oldest_program FROM schema_compatibility").first.flatMap { Int64($0[0]) }
        }
        switch compared {
        case .success(let state):
            if case .newer(_, isServed: false) = state, let reason = state.refusal {
                throw .refused(state: "", message: reason)
            }
            return state
        case .failure(let other): throw .refused(state: "", message: other.reason)
        }
    }

    /// The statements that bring the functions up to date.
    private func functionChanges() throws(PostgresFailure) -> [String] {
        InstalledFunctions(try run(InstalledFunctions.query))
            .changes(to: functions, by: Self.versions.newest, oldestProgram: Self.oldestProgram)
    }

    private func run(_ script: String) throws(PostgresFailure) -> [[String]] {
        try connection.runScript(script, limit: answerLimit)
    }
}
