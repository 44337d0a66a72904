internal import JobQueue
public import Records

extension PostgresStore: ConversationRepository {
    public func turns(
        of conversation: String, user: Int64, last count: Int
    ) async throws(RecordsError) -> [ConversationTurn] {
        try Texts.refuseNUL(inRecord: [("conversation", conversation)])
        return try await ask(.conversationTurns) { parameters in
            parameters.add(user)
            parameters.add(conversation)
            parameters.add(Int64(count))
        } read: { rows in
            rows.map { ConversationTurn(&$0) }
        }
    }

    public func conversations(
        of user: Int64, offset: Int, count: Int
    ) async throws(RecordsError) -> [ConversationEntry] {
        try await ask(.conversationList) { parameters in
            parameters.add(user)
            parameters.add(Int64(count))
            parameters.add(Int64(offset))
        } read: { rows in
            rows.map { ConversationEntry(&$0) }
        }
    }

    public func conversationCount(of user: Int64) async throws(RecordsError) -> Int {
        try await ask(.conversationCount) { parameters in
            parameters.add(user)
        } read: { rows in
            rows.first { $0.int() } ?? 0
        }
    }
}
