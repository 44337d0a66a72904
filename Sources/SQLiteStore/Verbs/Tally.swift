import SQLSupport
package import JobQueue

extension SQLiteStore: JobCounting {
    package func jobCounts(submittedSince timestamp: Timestamp) async throws(StoreError) -> [JobCount] {
        // An id begins with the milliseconds at which its job was submitted.
        let first = UInt64(clamping: timestamp.milliseconds) << 16
        return try await readers.perform { database in
            try database.all(.jobCounts, .uuid(first, 0)) { try JobCount(&$0) }
        }
    }
}
