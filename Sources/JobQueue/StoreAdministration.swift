/// What operators and whoever opens a store ask of it, beside the queue itself.
package protocol StoreAdministration: Sendable {
    /// The migrations of this database, oldest first; opening a store has applied all that were missing.
    func migrations() async throws(StoreError) -> [AppliedMigration]

    /// The journal of any job, also of one that has ended; empty when there is none. It is not fenced.
    func journal(of job: JobID) async throws(StoreError) -> [Step]

    /// Finishes what is queued, ends the streams of changes and lets the database go. Calls after it throw
    /// `unavailable`.
    func close() async
}

/// A change of the schema that a database has seen.
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
