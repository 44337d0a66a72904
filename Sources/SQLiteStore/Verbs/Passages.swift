import SQLSupport
package import JobQueue

extension SQLiteStore: PassageRepository {
    package func passages(
        holding terms: [String], for user: Int64, limit: Int
    ) async throws(StoreError) -> [Passage] {
        let usable = SearchTerms.usable(terms)
        if usable.isEmpty { return [] }
        let question = usable.map { "\"\($0)\"" }.joined(separator: " OR ")
        return try await ask { database in
            try database.all(.passageSearch, .text(question), .integer(user), .integer(limit)) { try Passage(&$0) }
        }
    }

    package func replaceCommonPassages(
        of kind: Passage.Kind, with passages: [Passage]
    ) async throws(StoreError) {
        for passage in passages { try Texts.rejectNUL(passage.texts) }
        try await tell { transaction in
            let database = transaction.database
            try database.run(
                .passageDeleteCommon, .text(kind.rawValue), .list(passages.map { "\($0.source)/\($0.part)" }))
            for passage in passages { try database.apply(.passage(passage)) }
            try database.run(.passageVectorForget)
        }
    }
}
