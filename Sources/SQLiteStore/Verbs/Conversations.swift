import SQLSupport
package import JobQueue

extension SQLiteStore: ConversationRepository {
    package func turns(
        of conversation: String, user: Int64, last count: Int
    ) async throws(StoreError) -> [ConversationTurn] {
        try Texts.rejectNUL([("conversation", conversation)])
        return try await ask { database in
            try database.all(.conversationTurns, .integer(user), .text(conversation), .integer(count)) {
                ConversationTurn(&$0)
            }
        }
    }

    package func conversations(
        of user: Int64, offset: Int, count: Int
    ) async throws(StoreError) -> [ConversationEntry] {
        try await ask { database in
            try database.all(.conversationList, .integer(user), .integer(count), .integer(offset)) {
                ConversationEntry(&$0)
            }
        }
    }

    package func conversationCount(of user: Int64) async throws(StoreError) -> Int {
        try await ask { try $0.first(.conversationCount, .integer(user)) { $0.int() } ?? 0 }
    }
}
