internal import JobQueue
public import Records

extension SQLiteStore: PassageRepository {
    public func passages(
        holding terms: [String], for user: Int64, limit: Int
    ) async throws(RecordsError) -> [Passage] {
        let usable = SearchTerms.usable(terms)
        if usable.isEmpty { return [] }
        let question = usable.map { "\"\($0)\"" }.joined(separator: " OR ")
        return try await ask { database in
            try database.all(.passageSearch, .text(question), .integer(user), .integer(limit)) { try Passage(&$0) }
        }
    }

    public func replaceCommonPassages(
        of kind: Passage.Kind, with passages: [Passage]
    ) async throws(RecordsError) {
        for passage in passages { try Texts.refuseNUL(inRecord: passage.texts) }
        try await tell { transaction in
            let database = transaction.database
            try database.run(
                .passageDeleteCommon, .text(kind.rawValue), .list(passages.map { "\($0.source)/\($0.part)" }))
            for passage in passages { try database.apply(.passage(passage)) }
            try database.run(.passageVectorForget)
        }
    }
}
