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

extension PostgresStore: PassageRepository {
    public func passages(
        holding terms: [String], for user: Int64, limit: Int
    ) async throws(RecordsError) -> [Passage] {
        let usable = SearchTerms.usable(terms)
        if usable.isEmpty { return [] }
        return try await ask(.passageSearch) { parameters in
            parameters.add(texts: usable)
            parameters.add(user)
            parameters.add(Int64(limit))
        } read: { rows in
            try rows.map { try Passage(&$0) }
        }
    }

    public func replaceCommonPassages(
        of kind: Passage.Kind, with passages: [Passage]
    ) async throws(RecordsError) {
        for passage in passages { try Texts.refuseNUL(inRecord: passage.texts) }
        try await tell(.passagesReplace) { parameters in
            parameters.add(kind.rawValue)
            parameters.add(texts: passages.map(\.body))
            parameters.add(now?().milliseconds)
        } read: { _ in
        }
    }
}
