internal import JobQueue
public import Records

extension PostgresStore: DocumentRepository {
    public func documents(_ keys: [String]) async throws(RecordsError) -> [CachedDocument] {
        try Texts.refuseNUL(inRecord: keys.map { ("document.key", $0) })
        return try await ask(.documentGet) { parameters in
            parameters.add(texts: keys)
        } read: { rows in
            rows.map { CachedDocument(&$0) }
        }
    }

    public func store(_ document: CachedDocument) async throws(RecordsError) {
        try Texts.refuseNUL(inRecord: document.texts)
        try await tell(.documentStore) { parameters in
            parameters.add(document.body)
            parameters.add(now?().milliseconds)
        } read: { _ in
        }
    }

    public func deleteDocuments(keptUntilBefore moment: Int64, limit: Int) async throws(RecordsError) -> Int {
        try await tell(.documentDelete) { parameters in
            parameters.add(moment)
            parameters.add(Int64(limit))
        } read: { rows in
            rows.first { $0.int() } ?? 0
        }
    }
}
