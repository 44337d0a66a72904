package import JobQueue

extension RecordDatabase {
    package func deleteJob(_ id: JobID, of user: UserID) async throws(StoreError) -> RecordDeletion {
        let states = try await change(.jobDelete, .job(id), .user(user), .text(id.description, of: "job"), .now) {
            $0.text()
        }
        switch states.first {
        case "deleted": return .deleted
        case "unfinished": return .unfinished
        default: return .unknown
        }
    }

    package func deleteConversation(
        _ id: JobID, of user: UserID
    ) async throws(StoreError) -> (outcome: RecordDeletion, turns: Int) {
        let rows = try await change(.conversationDelete, .user(user), .text(id.description, of: "conversation")) {
            row in
            (isAnswering: row.flag(), turns: row.int())
        }
        guard let row = rows.first, row.turns > 0 else { return (.unknown, 0) }
        return row.isAnswering ? (.unfinished, 0) : (.deleted, row.turns)
    }
}
