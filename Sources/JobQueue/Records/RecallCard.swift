/// A question by which a user tests what they remember of a text, with the times of its reviews.
///
/// A card belongs to one user; the same id of another user is another card.
package struct RecallCard: Hashable, Sendable, Codable {
    /// The most cards of a user. A further card is not stored.
    package static let mostPerUser = 10_000

    package var user: UserID
    /// 32 hexadecimal digits.
    package var id: String
    /// The concept that the question tests.
    package var concept: String
    /// The address of the text that the question is about.
    package var source: String
    /// A JSON object: the question, its answer and the passage that holds it.
    package var content: String
    /// A JSON object: the state of the scheduler and the reviews.
    package var schedule: String
    package var dueAt: Timestamp
    /// The number of changes. A card is stored only over the revision before its own, so that of two changes at the
    /// same time one is stored, and storing one again changes nothing.
    package var revision: Int64
    package var createdAt: Timestamp

    package init(
        user: UserID, id: String, concept: String, source: String, content: String, schedule: String,
        dueAt: Timestamp, revision: Int64 = 0, createdAt: Timestamp
    ) {
        self.user = user
        self.id = id
        self.concept = concept
        self.source = source
        self.content = content
        self.schedule = schedule
        self.dueAt = dueAt
        self.revision = revision
        self.createdAt = createdAt
    }
}

extension RecallCard: StoredRecord {
    package static var noun: String { "recall_card" }
    package var naturalKey: String { "\(user.rawValue) \(id)" }
    package var texts: [(name: String, text: String?)] {
        [
            ("recall_card.id", id), ("recall_card.concept", concept), ("recall_card.source", source),
            ("recall_card.content", content), ("recall_card.schedule", schedule),
        ]
    }
}

/// Reads, stores and deletes recall cards. Jobs write them as `RecordChange.recallCard`.
package protocol RecallRepository: Sendable {
    /// The cards of a user with these ids, in no order.
    func recallCards(_ ids: [String], of user: UserID) async throws(StoreError) -> [RecallCard]

    /// The cards of a user that are due at the given time, the longest due first, those of equal times by id.
    func dueRecallCards(
        of user: UserID, at timestamp: Timestamp, offset: Int, limit: Int
    ) async throws(StoreError) -> [RecallCard]

    /// The number of a user's cards that are due at the given time.
    func dueRecallCardCount(of user: UserID, at timestamp: Timestamp) async throws(StoreError) -> Int

    /// The cards of a user by id, after the given one.
    func recallCards(of user: UserID, after id: String, limit: Int) async throws(StoreError) -> [RecallCard]

    /// The cards of a user, the newest first.
    func latestRecallCards(of user: UserID, limit: Int) async throws(StoreError) -> [RecallCard]

    /// The cards of a user that rest on the text at an address.
    func recallCards(of user: UserID, source: String, limit: Int) async throws(StoreError) -> [RecallCard]

    func recallCardCount(of user: UserID) async throws(StoreError) -> Int

    /// Stores cards in one transaction, each over the revision before its own.
    ///
    /// - Returns: The ids of the cards that were stored; those of another revision, and those beyond the limit of a
    ///   user, were not.
    func store(_ cards: [RecallCard]) async throws(StoreError) -> Set<String>

    /// Deletes a card.
    ///
    /// - Returns: Whether the user had it.
    func deleteRecallCard(_ id: String, of user: UserID) async throws(StoreError) -> Bool
}
