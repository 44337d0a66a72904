import SQLSupport
package import JobQueue

extension SQLiteStore: StoreTallies {
    package func tally(submittedSince timestamp: Timestamp) async throws(StoreError) -> [JobTally] {
        // An id begins with the milliseconds at which its job was submitted.
        let first = UInt64(clamping: timestamp.milliseconds) << 16
        return try await readers.perform { database in
            try database.all(.jobCounts, .uuid(first, 0)) { try JobTally(&$0) }
        }
    }
}
