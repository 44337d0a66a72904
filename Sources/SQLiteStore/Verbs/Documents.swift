import SQLSupport
package import JobQueue

extension SQLiteStore: DocumentRepository {
    package func documents(_ keys: [String]) async throws(StoreError) -> [CachedDocument] {
        try Texts.rejectNUL(keys.map { ("document.key", $0) })
        return try await ask { database in
            try Set(keys).compactMap { key in
                try database.first(.documentGet, .text(key)) { CachedDocument(&$0) }
            }
        }
    }

    package func store(_ document: CachedDocument) async throws(StoreError) {
        try Texts.rejectNUL(document.texts)
        try await tell { try $0.database.apply(.document(document)) }
    }

    package func deleteDocuments(keptUntilBefore timestamp: Int64, limit: Int) async throws(StoreError) -> Int {
        try await tell { transaction in
            try transaction.database.run(.documentDelete, .integer(timestamp), .integer(limit))
            return transaction.database.changes
        }
    }
}
