package import JobQueue
internal import SQLSupport

extension SQLiteStore {
    /// The pages that one step writes to the text index.
    private static let mergedPages = 500
    private static let pause: Duration = .milliseconds(10)

    /// Deleted words stay in the parts of the text index until these become one part, and deleted bytes in the log until
    /// it is emptied. In the file itself SQLite overwrites what is deleted (`secure_delete`).
    package func scrub() async throws(StoreError) -> Bool {
        // A negative number asks for all parts; the positive ones go on with it.
        var pages = -Self.mergedPages
        while true {
            let step = pages
            let isMerged = try await writer.perform { transaction in
                let before = transaction.database.totalChanges
                try transaction.database.run(.passageIndexMerge, .integer(step))
                // One change is the command itself.
                return transaction.database.totalChanges - before < 2
            }
            if isMerged { break }
            pages = Self.mergedPages
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return false }
        }
        try await writer.perform { $0.wishEmptyLog() }
        return try await writer.perform { $0.hasEmptiedLog }
    }
}
