internal import JobQueue
public import Records

extension SQLiteStore: ExplanationRepository {
    public func explanations(_ keys: [ExplanationKey]) async throws(RecordsError) -> [StoryExplanation] {
        try Texts.refuseNUL(inRecord: keys.flatMap(\.texts))
        return try await ask { database in
            try Set(keys).compactMap { key in
                try database.first(.explanationGet, .text(key.story), .text(key.holdingsText), .text(key.version)) {
                    StoryExplanation(&$0)
                }
            }
        }
    }

    public func deleteExplanations(createdBefore moment: Int64, limit: Int) async throws(RecordsError) -> Int {
        try await tell { transaction in
            let database = transaction.database
            try database.run(.explanationDelete, .integer(moment), .integer(limit))
            let deleted = database.changes
            try database.run(.passageDeleteStories, .integer(moment))
            if database.changes > 0 { try database.run(.passageVectorForget) }
            return deleted
        }
    }
}
