internal import JobQueue
public import Records

extension SQLiteStore: ConversationRepository {
    public func turns(
        of conversation: String, user: Int64, last count: Int
    ) async throws(RecordsError) -> [ConversationTurn] {
        try Texts.refuseNUL(inRecord: [("conversation", conversation)])
        return try await ask { database in
            try database.all(.conversationTurns, .integer(user), .text(conversation), .integer(count)) {
                ConversationTurn(&$0)
            }
        }
    }

    public func conversations(
        of user: Int64, offset: Int, count: Int
    ) async throws(RecordsError) -> [ConversationEntry] {
        try await ask { database in
            try database.all(.conversationList, .integer(user), .integer(count), .integer(offset)) {
                ConversationEntry(&$0)
            }
        }
    }

    public func conversationCount(of user: Int64) async throws(RecordsError) -> Int {
        try await ask { try $0.first(.conversationCount, .integer(user)) { $0.int() } ?? 0 }
    }
}

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
            try transaction.database.run(.passageDeleteCommon, .text(kind.rawValue))
            for passage in passages { try transaction.database.apply(.passage(passage)) }
        }
    }
}
