import SQLSupport
internal import Basics
internal import JobQueue

/// Brings a database up to the schema that this version of Dossier knows. Forward only.
struct Migrator {
    struct Migration {
        var version: Int64
        var name: String
        var sql: [UInt8]

        fileprivate var digest: String { SHA256.hex(sql) }
    }

    static let all = [
        Migration(version: 1, name: "tables", sql: PackageResources.v0001_tables_sql),
        Migration(version: 2, name: "row_security", sql: PackageResources.v0002_row_security_sql),
        Migration(version: 3, name: "submit", sql: PackageResources.v0003_submit_sql),
        Migration(version: 4, name: "places", sql: PackageResources.v0004_places_sql),
        Migration(version: 5, name: "claim", sql: PackageResources.v0005_claim_sql),
        Migration(version: 6, name: "running", sql: PackageResources.v0006_running_sql),
        Migration(version: 7, name: "ending", sql: PackageResources.v0007_ending_sql),
        Migration(version: 8, name: "workers", sql: PackageResources.v0008_workers_sql),
        Migration(version: 9, name: "slots", sql: PackageResources.v0009_slots_sql),
        Migration(version: 10, name: "records", sql: PackageResources.v0010_records_sql),
        Migration(version: 11, name: "news", sql: PackageResources.v0011_news_sql),
        Migration(version: 12, name: "news_records", sql: PackageResources.v0012_news_records_sql),
        Migration(version: 13, name: "shared_work", sql: PackageResources.v0013_shared_work_sql),
        Migration(version: 14, name: "shared_endings", sql: PackageResources.v0014_shared_endings_sql),
        Migration(version: 15, name: "explanations", sql: PackageResources.v0015_explanations_sql),
        Migration(version: 16, name: "feeds", sql: PackageResources.v0016_feeds_sql),
        Migration(version: 17, name: "conversations", sql: PackageResources.v0017_conversations_sql),
        Migration(version: 18, name: "article_search", sql: PackageResources.v0018_article_search_sql),
        Migration(version: 19, name: "stocks", sql: PackageResources.v0019_stocks_sql),
        Migration(version: 20, name: "fewer_statements", sql: PackageResources.v0020_fewer_statements_sql),
        Migration(version: 25, name: "deaths_of_the_fleet", sql: PackageResources.v0025_deaths_of_the_fleet_sql),
        Migration(version: 26, name: "first_limits", sql: PackageResources.v0026_first_limits_sql),
        Migration(version: 27, name: "displaced_jobs", sql: PackageResources.v0027_displaced_jobs_sql),
        Migration(version: 28, name: "deadlines_of_late", sql: PackageResources.v0028_deadlines_of_late_sql),
        Migration(version: 29, name: "eras", sql: PackageResources.v0029_eras_sql),
        Migration(version: 30, name: "ticks", sql: PackageResources.v0030_ticks_sql),
        Migration(version: 31, name: "passage_vectors", sql: PackageResources.v0031_passage_vectors_sql),
        Migration(version: 32, name: "one_job_each", sql: PackageResources.v0032_one_job_each_sql),
        Migration(
            version: 33, name: "interrupted_attempts", sql: PackageResources.v0033_interrupted_attempts_sql),
    ]

    /// How long another process may take over its migrations.
    private static let limit: Duration = .seconds(300)

    /// Applies what is missing, in one transaction under a lock, so that of many processes that start at once one does
    /// it and the others find it done.
    ///
    /// - Throws: `unexpected` when the database was made by a newer version or by a text that differs from ours.
    static func migrate(_ url: PostgresURL, options: PostgresStore.Options) throws(StoreError) {
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(url, limit: options.connectLimit)
            let found = try connection.runScript(
                "SELECT to_regclass('migration') IS NOT NULL", limit: options.answerLimit)
            if found == [["t"]] {
                let applied = try connection.runScript(QueryText(named: Query.migrationList.rawValue).text, limit: options.answerLimit)
                if try missing(after: applied).isEmpty { return }
            }
            _ = try connection.runScript(
                "BEGIN; SELECT pg_advisory_xact_lock(6042081519370)", limit: limit)
            _ = try connection.runScript(text(PackageResources.v0000_migrations_sql), limit: options.answerLimit)
            let applied = try connection.runScript(QueryText(named: Query.migrationList.rawValue).text, limit: options.answerLimit)
            for migration in try missing(after: applied) {
                _ = try connection.runScript(text(migration.sql), limit: limit)
                _ = try connection.runScript(
                    """
                    INSERT INTO migration (version, name, digest, applied_at)
                    VALUES (
                        \(migration.version), '\(migration.name)', '\(migration.digest)',
                        floor(extract(EPOCH FROM clock_timestamp()) * 1000))
                    """, limit: options.answerLimit)
            }
            _ = try connection.runScript("COMMIT", limit: limit)
        } catch {
            throw error.storeError
        }
    }

    /// What is still to be applied, after rows of version, name, moment and digest.
    private static func missing(after applied: [[String]]) throws(PostgresFailure) -> [Migration] {
        guard applied.count <= all.count else {
            throw .refused(state: "", message: "it was made by a newer version of Dossier")
        }
        for (known, found) in zip(all, applied) where found[0] != "\(known.version)" || found[3] != known.digest {
            throw .refused(
                state: "", message: "its migration \(found[0]) is not the one of this version of Dossier")
        }
        return Array(all.dropFirst(applied.count))
    }

    private static func text(_ sql: [UInt8]) -> String { String(decoding: sql, as: UTF8.self) }
}
