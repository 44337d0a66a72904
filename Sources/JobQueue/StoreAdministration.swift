/// A store's operations for operators, beside the queue itself.
package protocol StoreAdministration: Sendable {
    /// Reads the migrations of this database, oldest first.
    func migrations() async throws(StoreError) -> [AppliedMigration]

    /// The tables of the database as this program found them when it opened it.
    var schema: SchemaReport { get }

    /// Reads the journal of any job without a lease, finished jobs included; empty when the job is unknown.
    func journal(of job: JobID) async throws(StoreError) -> [Step]

    /// Finishes queued operations, ends the streams of changes and closes the database. Later calls throw
    /// `unavailable`.
    func close() async
}

/// A migration that a database has seen.
package struct AppliedMigration: Sendable, Hashable {
    package let version: Int64
    package let name: String
    package let appliedAt: Timestamp

    package init(version: Int64, name: String, appliedAt: Timestamp) {
        self.version = version
        self.name = name
        self.appliedAt = appliedAt
    }
}

/// A store that reports on the state of its database.
package protocol StoreHealth: Sendable {
    /// Checks files and indexes, sizes, overdue maintenance, the state of jobs and counts that must agree.
    ///
    /// It changes nothing and may take minutes on a large database. Rows older than the retention count as overdue.
    func health(keeping retention: Retention) async throws(StoreError) -> [HealthReading]
}

extension StoreHealth {
    package func health() async throws(StoreError) -> [HealthReading] { try await health(keeping: Retention()) }
}

/// One result of `StoreHealth.health`.
package struct HealthReading: Hashable, Sendable {
    /// In lower case with underscores: `write_ahead_log_bytes`.
    package var name: String
    /// The number that was read, where there is one.
    package var value: Int64?
    /// The meaning in one sentence, without secrets.
    package var text: String
    /// Whether the operator need not act.
    package var isGood: Bool

    package init(name: String, value: Int64?, text: String, isGood: Bool) {
        self.name = name
        self.value = value
        self.text = text
        self.isGood = isGood
    }

    /// The reading of jobs that a worker has held for five seconds without running them.
    package static func idleLeases(_ count: Int64) -> HealthReading {
        HealthReading(
            name: "leases_idle", value: count,
            text: count == 0
                ? "every worker runs the jobs that it holds"
                : "workers hold \(count) jobs that they do not run; a worker hands such jobs back within seconds",
            isGood: count == 0)
    }

    /// The reading of ready jobs that no registered worker can run.
    package static func unservedJobs(_ count: Int64) -> HealthReading {
        HealthReading(
            name: "jobs_unserved", value: count,
            text: count == 0
                ? "a worker can run every ready job"
                : "no worker can run \(count) ready jobs: start one, or give one the keys that it lacks",
            isGood: count == 0)
    }
}

/// A store that counts jobs for metrics.
package protocol JobCounting: Sendable {
    /// Counts the jobs submitted since a time by kind and status, and all unfinished jobs by kind and state.
    ///
    /// The cost grows with the counted jobs, not with all stored ones.
    func jobCounts(submittedSince timestamp: Timestamp) async throws(StoreError) -> [JobCount]

    /// The times from start to result of the jobs that ended last, those that may wait for a batch left out.
    ///
    /// The cost grows with `limit`, the number of ended jobs of all kinds that are looked at.
    func jobTimes(limit: Int) async throws(StoreError) -> [JobTime]
}

/// The time that a completed job took.
package struct JobTime: Hashable, Sendable {
    package var kind: String
    package var duration: Duration

    package init(kind: String, duration: Duration) { (self.kind, self.duration) = (kind, duration) }
}

/// The number of jobs of one kind and status in one category that wait for the same reason.
package struct JobCount: Hashable, Sendable {
    package enum Category: String, Sendable, Hashable {
        /// Submitted since the given time, in any state.
        case recent = "job"
        /// Unfinished and claimable.
        case ready
        /// Unfinished with a start time in the future.
        case scheduled
        /// Unfinished and waiting for a permit of the kind.
        case waiting
        /// Unfinished and blocked by another job of the concurrency key.
        case blocked
        /// Unfinished and leased by a worker.
        case running
        /// Ready, and no registered worker can run it; counted among the ready ones too.
        case unserved
        /// Held by a worker for five seconds without running; counted among the running ones too, and without a kind.
        case idle

        /// Whether each unfinished job is in exactly one such category.
        package var isPlace: Bool { ![.recent, .unserved, .idle].contains(self) }
    }

    package var category: Category
    package var kind: String
    package var status: JobStatus
    package var count: Int
    /// What jobs wait for that are scheduled or blocked.
    package var reason: WhyCode?

    package init(category: Category, kind: String, status: JobStatus, count: Int, reason: WhyCode? = nil) {
        self.reason = reason
        self.category = category
        self.kind = kind
        self.status = status
        self.count = count
    }
}

/// What opening a store does to a database that lacks migrations.
package enum MigrationPolicy: Sendable {
    /// Brings it up to date: for the command that migrates.
    case apply
    /// Makes the tables of an empty database, and otherwise does as `refuse`: for processes that serve.
    case create
    /// Changes nothing, and refuses a database that this program cannot serve: for commands that read it or change rows.
    case refuse
}
