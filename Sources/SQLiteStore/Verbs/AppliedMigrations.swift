public import JobQueue

/// A change of the schema that a database has seen.
public struct AppliedMigration: Sendable, Hashable {
    public let version: Int64
    public let name: String
    public let appliedAt: Timestamp
}

extension SQLiteStore {
    /// The migrations of this database, oldest first; `open` has applied all that were missing.
    public func migrations() async throws(StoreError) -> [AppliedMigration] {
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
