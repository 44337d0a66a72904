import SQLSupport
package import JobQueue

extension PostgresStore: DocumentRepository {
    package func documents(_ keys: [String]) async throws(StoreError) -> [CachedDocument] {
        try Texts.rejectNUL(keys.map { ("document.key", $0) })
        return try await ask(.documentGet) { parameters in
            parameters.add(texts: keys)
        } read: { rows in
            rows.map { CachedDocument(&$0) }
        }
    }

    package func store(_ document: CachedDocument) async throws(StoreError) {
        try Texts.rejectNUL(document.texts)
        try await tell(.documentStore) { parameters in
            parameters.add(document.body)
            parameters.add(now?().milliseconds)
        } read: { _ in
        }
    }

    package func deleteDocuments(keptUntilBefore timestamp: Int64, limit: Int) async throws(StoreError) -> Int {
        try await tell(.documentDelete) { parameters in
            parameters.add(timestamp)
            parameters.add(Int64(limit))
        } read: { rows in
            rows.first { $0.int() } ?? 0
        }
    }
}
