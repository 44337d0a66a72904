package import JobQueue
import SQLSupport

extension SQLiteStore: StoreHealth {
    package func health(keeping retention: Retention) async throws(StoreError) -> [HealthReading] {
        let now = clock()
        let path = path
        let durability = try await writer.perform { try $0.database.durability() }
        return try await [schema.reading] + durability
            + readers.perform { database in
                try [database.integrity()] + database.sizes(logPath: path + "-wal")
                    + database.jobs(at: now, keeping: retention)
                    + database.fleet(at: now) + [database.misplacedJobs(), database.permitCounts()]
            }
    }
}

/// The limits of normal readings.
private enum Threshold {
    /// The time after its deadline from which an unfinished job means that no worker runs.
    static let overdue: Duration = .seconds(60)
    /// Retention deletes jobs every minute, so a day of delay means that no worker runs.
    static let retentionDelay: Duration = .seconds(86_400)
    static let idempotencyWindow: Duration = .seconds(86_400)
}

extension SQLiteConnection {
    /// The settings on which the promise rests that an acknowledged write survives a loss of power.
    fileprivate func durability() throws -> [HealthReading] {
        var readings: [HealthReading] = []
        for (name, expected, meaning) in [
            ("journal_mode", "wal", "'wal'"), ("synchronous", "2", "FULL: each commit is written to the disk"),
        ] {
            var found = ""
            try oneOff("SELECT CAST(\(name) AS TEXT) FROM pragma_\(name)") { found = $0.text() }
            let isGood = found == expected
            readings.append(
                HealthReading(
                    name: name, value: nil,
                    text: isGood
                        ? "\(name) is \(meaning)"
                        : "\(name) is '\(found)'; Dossier needs \(meaning). Is the file on a local disk?",
                    isGood: isGood))
        }
        return readings
    }

    fileprivate func integrity() throws -> HealthReading {
        let problems = try all(.healthIntegrity) { $0.text() }.filter { $0 != "ok" }
        return HealthReading(
            name: "integrity", value: Int64(problems.count),
            text: problems.isEmpty
                ? "the database file is sound" : "the database file is damaged; restore it from a backup",
            isGood: problems.isEmpty)
    }

    fileprivate func sizes(logPath: String) throws -> [HealthReading] {
        let pages = try first(.healthPages) { row in (all: row.integer(), free: row.integer(), size: row.integer()) }
        guard let pages else { return [] }
        let log = LogSize.bytes(at: logPath)
        let free = pages.free * pages.size
        return [
            HealthReading(
                name: "database_bytes", value: pages.all * pages.size,
                text: "the database has \(pages.all * pages.size) bytes", isGood: true),
            HealthReading(
                name: "free_bytes", value: free, text: "\(free) bytes of them are free for new rows", isGood: true),
            HealthReading(
                name: "write_ahead_log_bytes", value: log,
                text: log < LogSize.warning
                    ? "the write-ahead log has \(log) bytes"
                    : "the write-ahead log has \(log) bytes; a read transaction has been open for long",
                isGood: log < LogSize.warning),
        ]
    }

    fileprivate func jobs(at now: Timestamp, keeping retention: Retention) throws -> [HealthReading] {
        let counts = try first(
            .healthJobs, .timestamp(now - Threshold.overdue),
            .timestamp(now - retention.jobs - Threshold.retentionDelay),
            .timestamp(now - Threshold.idempotencyWindow)
        ) { row in
            (
                ready: row.integer(), scheduled: row.integer(), waiting: row.integer(), blocked: row.integer(),
                subscribed: row.integer(), leases: row.integer(), oldest: row.timestampIfAny(),
                overdue: row.integer(), retired: row.integer()
            )
        }
        guard let counts else { return [] }
        let age = counts.oldest.map { max(0, (now - $0).components.seconds) }
        return [
            HealthReading(
                name: "jobs_ready", value: counts.ready, text: "\(counts.ready) jobs are ready", isGood: true),
            HealthReading(
                name: "jobs_scheduled", value: counts.scheduled, text: "\(counts.scheduled) jobs wait for their time",
                isGood: true),
            HealthReading(
                name: "jobs_waiting", value: counts.waiting,
                text: "\(counts.waiting) jobs wait for a permit of their kind",
                isGood: true),
            HealthReading(
                name: "jobs_blocked", value: counts.blocked,
                text: "\(counts.blocked) jobs wait behind another of their concurrency key", isGood: true),
            HealthReading(
                name: "jobs_following", value: counts.subscribed,
                text: "\(counts.subscribed) jobs wait for a shared job", isGood: true),
            HealthReading(name: "leases", value: counts.leases, text: "\(counts.leases) jobs run", isGood: true),
            HealthReading(
                name: "oldest_unfinished_seconds", value: age,
                text: age.map { "the oldest unfinished job is \($0) s old" } ?? "no job is unfinished", isGood: true),
            HealthReading(
                name: "jobs_overdue", value: counts.overdue,
                text: counts.overdue == 0
                    ? "no job is past its deadline"
                    : "\(counts.overdue) jobs are past their deadline; is a worker running?",
                isGood: counts.overdue == 0),
            HealthReading(
                name: "jobs_to_delete", value: counts.retired,
                text: counts.retired == 0
                    ? "no old job is left over"
                    : "\(counts.retired) old jobs should have been deleted; is a worker running?",
                isGood: counts.retired == 0),
        ]
    }

    fileprivate func fleet(at now: Timestamp) throws -> [HealthReading] {
        let counts = try first(.healthFleet, .timestamp(now)) { row in (idle: row.integer(), unserved: row.integer()) }
        guard let counts else { return [] }
        return [.idleLeases(counts.idle), .unservedJobs(counts.unserved)]
    }

    fileprivate func misplacedJobs() throws -> HealthReading {
        let lost = try first(.healthMisplacedJobs) { $0.integer() } ?? 0
        return HealthReading(
            name: "jobs_lost", value: lost,
            text: lost == 0
                ? "every unfinished job is in the place of its state" : "\(lost) unfinished jobs are in no place",
            isGood: lost == 0)
    }

    fileprivate func permitCounts() throws -> HealthReading {
        let wrong = try first(.healthWrongPermitCounts) { $0.integer() } ?? 0
        return HealthReading(
            name: "slots_wrong", value: wrong,
            text: wrong == 0
                ? "every count of permits agrees with the jobs" : "\(wrong) counts of permits contradict the jobs",
            isGood: wrong == 0)
    }
}

extension SQLiteStore: JobCounting {
    package func jobCounts(submittedSince timestamp: Timestamp) async throws(StoreError) -> [JobCount] {
        // An id begins with the milliseconds at which its job was submitted.
        let first = UInt64(clamping: timestamp.milliseconds) << 16
        let now = clock()
        return try await readers.perform { database in
            try database.all(.jobCounts, .uuid(first, 0), .timestamp(now), .timestamp(timestamp)) { try JobCount(&$0) }
        }
    }

    package func jobTimes(limit: Int) async throws(StoreError) -> [JobTime] {
        try await readers.perform { database in
            try database.all(.jobTimes, .integer(limit)) {
                JobTime(kind: $0.text(), duration: .milliseconds($0.integer()))
            }
        }
    }
}

extension SQLiteStore {
    package func migrations() async throws(StoreError) -> [AppliedMigration] {
        try await readers.perform { database in
            try database.all(.migrationList) { row in
                let version = row.integer()
                _ = row.text()
                return AppliedMigration(
                    version: version, name: row.text(), appliedAt: Timestamp(milliseconds: row.integer()))
            }
        }
    }
}
