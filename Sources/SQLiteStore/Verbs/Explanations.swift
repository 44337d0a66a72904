import SQLSupport
package import JobQueue

extension SQLiteStore: ExplanationRepository {
    package func explanations(_ keys: [ExplanationKey]) async throws(StoreError) -> [StoryExplanation] {
        try Texts.rejectNUL(keys.flatMap(\.texts))
        return try await ask { database in
            try Set(keys).compactMap { key in
                try database.first(.explanationGet, .text(key.story), .text(key.holdingsText), .text(key.version)) {
                    StoryExplanation(&$0)
                }
            }
        }
    }

    package func deleteExplanations(createdBefore timestamp: Int64, limit: Int) async throws(StoreError) -> Int {
        try await tell { transaction in
            let database = transaction.database
            try database.run(.explanationDelete, .integer(timestamp), .integer(limit))
            let deleted = database.changes
            try database.run(.passageDeleteStories, .integer(timestamp))
            if database.changes > 0 { try database.run(.passageVectorForget) }
            return deleted
        }
    }
}
