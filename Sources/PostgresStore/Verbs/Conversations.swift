import SQLSupport
package import JobQueue

extension PostgresStore: ConversationRepository {
    package func turns(
        of conversation: String, user: Int64, last count: Int
    ) async throws(StoreError) -> [ConversationTurn] {
        try Texts.rejectNUL([("conversation", conversation)])
        return try await ask(.conversationTurns) { parameters in
            parameters.add(user)
            parameters.add(conversation)
            parameters.add(Int64(count))
        } read: { rows in
            rows.map { ConversationTurn(&$0) }
        }
    }

    package func conversations(
        of user: Int64, offset: Int, count: Int
    ) async throws(StoreError) -> [ConversationEntry] {
        try await ask(.conversationList) { parameters in
            parameters.add(user)
            parameters.add(Int64(count))
            parameters.add(Int64(offset))
        } read: { rows in
            rows.map { ConversationEntry(&$0) }
        }
    }

    package func conversationCount(of user: Int64) async throws(StoreError) -> Int {
        try await ask(.conversationCount) { parameters in
            parameters.add(user)
        } read: { rows in
            rows.first { $0.int() } ?? 0
        }
    }
}
