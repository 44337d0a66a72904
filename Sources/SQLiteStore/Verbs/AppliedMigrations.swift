import SQLSupport
package import JobQueue

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
