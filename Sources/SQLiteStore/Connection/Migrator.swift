import SQLSupport
internal import Basics
internal import JobQueue

/// Migrates a database to the schema of this version of Dossier, forward only.
enum Migrator {
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

    /// The oldest database that this program serves. A release whose statements need a migration raises it to that.
    static let oldestSchema: Int64 = 18
    /// The newest migration that a program must know to use a database that this one migrated. A release whose
    /// migrations remove or change what older programs use raises it.
    static let oldestProgram: Int64 = 20

    static let versions = SchemaVersions(
        known: all.map { SchemaVersions.Migration(version: $0.version, digest: $0.digest) },
        oldestSchema: oldestSchema)

    /// Brings a database up to date, or refuses one that this program cannot serve.
    static func prepare(
        _ database: SQLiteConnection, _ policy: MigrationPolicy, backoff: inout LockBackoff, at now: Timestamp
    ) throws {
        switch policy {
        case .apply: try migrate(database, backoff: &backoff, at: now)
        case .create where try !hasTables(database): try migrate(database, backoff: &backoff, at: now)
        case .create, .refuse: _ = try check(database)
        }
    }

    /// Applies missing migrations in one transaction: of several processes that start at once, one does the work and
    /// the others find it done. A database of a newer version that this program can serve stays as it is.
    ///
    /// - Throws: `unexpected` when the database was made by a newer version, by an unreleased one, or by a text that
    ///   differs from that of this version.
    static func migrate(_ database: SQLiteConnection, backoff: inout LockBackoff, at now: Timestamp) throws {
        try backoff.begin(database)
        do {
            try database.run(.migrationCreateTable)
            let applied = try applied(in: database)
            switch try state(of: applied, in: database) {
            case .current, .newer: break
            case .older:
                for migration in all.dropFirst(applied.count) {
                    try database.run(
                        .migrationInsert, .integer(migration.version), .text(migration.name), .text(migration.digest),
                        .timestamp(now))
                    try database.execute(migration.text)
                }
                try database.execute(
                    "UPDATE schema_compatibility SET oldest_program = max(oldest_program, \(oldestProgram))")
            }
            try database.execute("COMMIT")
        } catch {
            if database.isInTransaction { try? database.execute("ROLLBACK") }
            throw error
        }
    }

    /// Refuses a database that this program cannot serve.
    ///
    /// - Throws: `unexpected`, as `migrate` does, and for a database of an older version.
    @discardableResult
    static func check(_ database: SQLiteConnection) throws -> SchemaReport {
        guard try hasTables(database) else {
            throw StoreError.unexpected(reason: "it has no tables yet; run 'dossier migrate'")
        }
        let state = try state(of: try applied(in: database), in: database)
        if let refusal = state.refusal { throw StoreError.unexpected(reason: refusal) }
        return SchemaReport(applied: state.newest(known: versions.newest), served: versions.served)
    }

    private static func hasTables(_ database: SQLiteConnection) throws -> Bool {
        try exists("migration", in: database)
    }

    private static func exists(_ table: String, in database: SQLiteConnection) throws -> Bool {
        var isThere = false
        try database.oneOff("SELECT 1 FROM sqlite_master WHERE name = '\(table)'") { _ in isThere = true }
        return isThere
    }

    private static func applied(in database: SQLiteConnection) throws -> [(Int64, digest: String, name: String)] {
        try database.all(.migrationList) { row in (row.integer(), digest: row.text(), name: row.text()) }
    }

    /// Compares a database with this program.
    ///
    /// - Throws: `unexpected` when it is none of Dossier's releases, or of a newer version that lets this one not in.
    private static func state(
        of applied: [(Int64, digest: String, name: String)], in database: SQLiteConnection
    ) throws -> SchemaVersions.State {
        // Versions before the first release began with migrations of other names.
        guard applied.first.map({ $0.name == all.first?.name }) ?? true else {
            throw StoreError.unexpected(
                reason: "it was made by an unreleased version of Dossier; create a new database instead")
        }
        let migrations = applied.map { SchemaVersions.Migration(version: $0.0, digest: $0.digest) }
        let compared = try versions.compare(migrations) {
            var oldest: Int64?
            if try exists("schema_compatibility", in: database) {
                try database.oneOff("SELECT oldest_program FROM schema_compatibility") { oldest = $0.integer() }
            }
            return oldest
        }
        switch compared {
        case .success(let state):
            if case .newer(_, isServed: false) = state, let reason = state.refusal {
                throw StoreError.unexpected(reason: reason)
            }
            return state
        case .failure(let other): throw StoreError.unexpected(reason: other.reason)
        }
    }
}
