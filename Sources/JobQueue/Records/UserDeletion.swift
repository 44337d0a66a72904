/// What became of a request to delete something of a user's.
package enum RecordDeletion: Hashable, Sendable {
    case deleted
    /// It is still being made.
    case unfinished
    /// The user has no such thing.
    case unknown
}

/// Deletes single things at the wish of their user. The ledger and the costs of model calls stay.
package protocol UserDeletionRepository: Sendable {
    /// Deletes a finished job with its input, result and journal, and the passages of a report.
    func deleteJob(_ id: JobID, of user: UserID) async throws(StoreError) -> RecordDeletion

    /// Deletes a conversation unless a job still answers in it.
    ///
    /// - Returns: The number of turns that were deleted.
    func deleteConversation(
        _ id: JobID, of user: UserID
    ) async throws(StoreError) -> (outcome: RecordDeletion, turns: Int)
}
