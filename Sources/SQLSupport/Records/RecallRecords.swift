internal import Foundation
package import JobQueue

extension RecordDatabase {
    package func recallCards(_ ids: [String], of user: UserID) async throws(StoreError) -> [RecallCard] {
        if ids.isEmpty { return [] }
        return try await all(.recallCards, .user(user), .texts(ids, of: "recall_card.id")) { RecallCard(&$0) }
    }

    package func dueRecallCards(
        of user: UserID, at timestamp: Timestamp, offset: Int, limit: Int
    ) async throws(StoreError) -> [RecallCard] {
        try await all(.recallDue, .user(user), .timestamp(timestamp), .count(limit), .count(offset)) {
            RecallCard(&$0)
        }
    }

    package func dueRecallCardCount(of user: UserID, at timestamp: Timestamp) async throws(StoreError) -> Int {
        try await first(.recallDueCount, .user(user), .timestamp(timestamp)) { $0.int() } ?? 0
    }

    package func recallCards(of user: UserID, after id: String, limit: Int) async throws(StoreError) -> [RecallCard] {
        try await all(.recallCardsAfter, .user(user), .text(id, of: "recall_card.id"), .count(limit)) {
            RecallCard(&$0)
        }
    }

    package func latestRecallCards(of user: UserID, limit: Int) async throws(StoreError) -> [RecallCard] {
        try await all(.recallCardsLatest, .user(user), .count(limit)) { RecallCard(&$0) }
    }

    package func recallCards(of user: UserID, source: String, limit: Int) async throws(StoreError) -> [RecallCard] {
        try await all(
            .recallCardsOfSource, .user(user), .text(source, of: "recall_card.source"), .count(limit)
        ) { RecallCard(&$0) }
    }

    package func recallCardCount(of user: UserID) async throws(StoreError) -> Int {
        try await first(.recallCardCount, .user(user)) { $0.int() } ?? 0
    }

    package func store(_ cards: [RecallCard]) async throws(StoreError) -> Set<String> {
        if cards.isEmpty { return [] }
        for card in cards { try Texts.rejectNUL(card.texts) }
        let bodies = "[\(cards.map(\.storedBody).joined(separator: ","))]"
        return Set(
            try await change(.recallCardsStore, .text(bodies, of: "recall_card"), .count(RecallCard.mostPerUser)) {
                $0.text()
            })
    }

    package func deleteRecallCard(_ id: String, of user: UserID) async throws(StoreError) -> Bool {
        try await !change(.recallCardDelete, .user(user), .text(id, of: "recall_card.id")) { $0.text() }.isEmpty
    }
}

extension StoredRecord {
    /// The record as a JSON object; its members are called like the columns.
    ///
    /// A record that has no JSON (a number that is not finite) is an empty text, which the database refuses.
    package var storedBody: String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension RecallCard {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(
            user: row.user(), id: row.text(), concept: row.text(), source: row.text(), content: row.text(),
            schedule: row.text(), dueAt: row.timestamp(), revision: row.integer(), createdAt: row.timestamp())
    }
}
