import SQLSupport
package import JobQueue

extension PostgresStore: PassageRepository {
    package func passages(
        holding terms: [String], for user: Int64, limit: Int
    ) async throws(StoreError) -> [Passage] {
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

    package func replaceCommonPassages(
        of kind: Passage.Kind, with passages: [Passage]
    ) async throws(StoreError) {
        for passage in passages { try Texts.rejectNUL(passage.texts) }
        try await tell(.passagesReplace) { parameters in
            parameters.add(kind.rawValue)
            parameters.add(texts: passages.map(\.body))
            parameters.add(now?().milliseconds)
        } read: { _ in
        }
    }
}
