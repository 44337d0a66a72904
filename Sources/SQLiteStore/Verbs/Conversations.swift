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
