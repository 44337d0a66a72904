internal import JobQueue
public import Records

extension SQLiteStore: DocumentRepository {
    public func documents(_ keys: [String]) async throws(RecordsError) -> [CachedDocument] {
        try Texts.refuseNUL(inRecord: keys.map { ("document.key", $0) })
        return try await ask { database in
            try Set(keys).compactMap { key in
                try database.first(.documentGet, .text(key)) { CachedDocument(&$0) }
            }
        }
    }

    public func store(_ document: CachedDocument) async throws(RecordsError) {
        try Texts.refuseNUL(inRecord: document.texts)
        try await tell { try $0.database.apply(.document(document)) }
    }

    public func deleteDocuments(keptUntilBefore moment: Int64, limit: Int) async throws(RecordsError) -> Int {
        try await tell { transaction in
            try transaction.database.run(.documentDelete, .integer(moment), .integer(limit))
            return transaction.database.changes
        }
    }
}
