import SQLSupport
internal import Basics
internal import JobQueue

/// Brings a database up to the schema that this version of Dossier knows. Forward only.
struct Migrator {
    struct Migration {
        var version: Int64
        var name: String
        var sql: [UInt8]
    }

    static let all = [
        Migration(version: 1, name: "jobs_and_credits", sql: PackageResources.v0001_jobs_and_credits_sql),
        Migration(
            version: 2, name: "limits_budgets_schedules",
            sql: PackageResources.v0002_limits_budgets_schedules_sql),
        Migration(version: 3, name: "journals_of_failed_jobs", sql: PackageResources.v0003_journals_of_failed_jobs_sql),
        Migration(version: 4, name: "documents", sql: PackageResources.v0004_documents_sql),
        Migration(version: 5, name: "news", sql: PackageResources.v0005_news_sql),
        Migration(version: 7, name: "shared_work", sql: PackageResources.v0007_shared_work_sql),
        Migration(version: 8, name: "explanations", sql: PackageResources.v0008_explanations_sql),
        Migration(version: 10, name: "feeds", sql: PackageResources.v0010_feeds_sql),
        Migration(version: 11, name: "conversations", sql: PackageResources.v0011_conversations_sql),
        Migration(version: 12, name: "article_search", sql: PackageResources.v0012_article_search_sql),
        Migration(version: 13, name: "stocks", sql: PackageResources.v0013_stocks_sql),
        Migration(version: 25, name: "deaths_of_the_fleet", sql: PackageResources.v0025_deaths_of_the_fleet_sql),
        Migration(version: 26, name: "clock", sql: PackageResources.v0026_clock_sql),
        Migration(version: 27, name: "passage_vectors", sql: PackageResources.v0027_passage_vectors_sql),
        Migration(
            version: 28, name: "interrupted_attempts", sql: PackageResources.v0028_interrupted_attempts_sql),
    ]

    /// Applies what is missing, in one transaction, so that of many processes that start at once one does it and the
    /// others find it done.
    ///
    /// - Throws: `unexpected` when the database was made by a newer version or by a text that differs from ours.
    static func migrate(_ database: SQLiteConnection, turns: inout LockBackoff, at now: Timestamp) throws {
        try turns.begin(database)
        do {
            try database.execute(String(decoding: PackageResources.v0000_migrations_sql, as: UTF8.self))
            let applied = try database.all(.migrationList) { row in (version: row.integer(), digest: row.text()) }
            try check(applied)
            for migration in all.dropFirst(applied.count) {
                try database.run(
                    .migrationInsert, .integer(migration.version), .text(migration.name),
                    .text(SHA256.hex(migration.sql)), .timestamp(now))
                try database.execute(String(decoding: migration.sql, as: UTF8.self))
            }
            try database.execute("COMMIT")
        } catch {
            if database.isInTransaction { try? database.execute("ROLLBACK") }
            throw error
        }
    }

    private static func check(_ applied: [(version: Int64, digest: String)]) throws(StoreError) {
        guard applied.count <= all.count else {
            throw .unexpected(reason: "it was made by a newer version of Dossier")
        }
        for (known, found) in zip(all, applied)
        where found.version != known.version || found.digest != SHA256.hex(known.sql) {
            throw .unexpected(reason: "its migration \(found.version) is not the one of this version of Dossier")
        }
    }
}
