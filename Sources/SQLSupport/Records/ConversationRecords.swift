package import JobQueue

// Each store has its own `replaceCommonPassages`: PostgreSQL makes the digests of passages, SQLite has no SHA-256.

extension RecordDatabase {
    package func deleteConversations(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await change(.conversationsDelete, .timestamp(timestamp), .count(limit)) { $0.integer() }.count
    }

    package func turns(
        of conversation: String, user: UserID, last count: Int
    ) async throws(StoreError) -> [ConversationTurn] {
        try await all(
            .conversationTurns, .user(user), .text(conversation, of: "conversation"), .integer(count)
        ) { ConversationTurn(&$0) }
    }

    package func conversations(
        of user: UserID, offset: Int, count: Int
    ) async throws(StoreError) -> [ConversationEntry] {
        try await all(.conversationList, .user(user), .integer(count), .integer(offset)) { ConversationEntry(&$0) }
    }

    package func conversationCount(of user: UserID) async throws(StoreError) -> Int {
        try await first(.conversationCount, .user(user)) { $0.int() } ?? 0
    }

    package func conversationIDs(
        of user: UserID, after id: String, limit: Int
    ) async throws(StoreError) -> [String] {
        try await all(.conversationIds, .user(user), .text(id, of: "conversation"), .count(limit)) { $0.text() }
    }

    package func passages(
        holding terms: [String], for user: UserID, limit: Int
    ) async throws(StoreError) -> [Passage] {
        let terms = SearchTerms.usable(terms)
        if terms.isEmpty { return [] }
        return try await all(.passageSearch, .texts(terms, of: "terms"), .user(user), .integer(limit)) {
            try Passage(&$0)
        }
    }

    package func digestsWithoutVector(
        of model: String, for user: UserID, among limit: Int
    ) async throws(StoreError) -> [String] {
        try await all(
            .passageVectorsMissing, .text(model, of: "passage_vector.model"), .user(user), .count(limit)
        ) { $0.text() }
    }

    package func passageVectors(
        of model: String, for user: UserID, among limit: Int
    ) async throws(StoreError) -> [PassageVector] {
        try await all(.passageVectors, .text(model, of: "passage_vector.model"), .user(user), .count(limit)) {
            PassageVector(digest: $0.text(), model: $0.text(), components: $0.text())
        }
    }

    package func passages(
        ofDigests digests: [String], for user: UserID
    ) async throws(StoreError) -> [String: Passage] {
        if digests.isEmpty { return [:] }
        let found = try await all(
            .passagesByDigest, .texts(digests, of: "passage_vector.digest"), .user(user)
        ) { (digest: $0.text(), passage: try Passage(&$0)) }
        return Dictionary(found.map { ($0.digest, $0.passage) }) { first, _ in first }
    }
}

extension ConversationTurn {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(
            job: row.text(), conversation: row.text(), user: row.user(), subject: row.text(), question: row.text(),
            answer: row.text(), citations: row.text(), askedAt: row.timestamp(), answeredAt: row.timestamp())
    }
}

extension ConversationEntry {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(
            id: row.text(), subject: row.text(), title: row.text(), createdAt: row.timestamp(),
            updatedAt: row.timestamp(), turns: row.int())
    }
}

extension Passage {
    fileprivate init(_ row: inout some StoredRow) throws {
        let word = row.text()
        guard let kind = Kind(rawValue: word) else { throw StoreError.unexpected(reason: "passage of '\(word)'") }
        self.init(
            kind: kind, source: row.text(), part: row.integer(), owner: row.integerIfAny().map { UserID(rawValue: $0) },
            title: row.text(),
            url: row.textIfAny(), text: row.text(), terms: row.text(), writtenAt: row.timestamp())
    }
}
