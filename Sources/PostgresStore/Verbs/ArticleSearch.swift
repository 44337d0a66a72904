import SQLSupport
package import JobQueue

extension PostgresStore: ArticleSearchRepository {
    package func articles(
        holding words: [String], category: String?, offset: Int, limit: Int
    ) async throws(StoreError) -> [NewsArticle] {
        let usable = SearchTerms.usable(words)
        if usable.isEmpty { return [] }
        try Texts.rejectNUL([("category", category)])
        return try await ask(.articleSearch) { parameters in
            parameters.add(usable.joined(separator: " "))
            parameters.add(category)
            parameters.add(Int64(max(limit, 0)))
            parameters.add(Int64(max(offset, 0)))
        } read: { rows in
            rows.map { NewsArticle(&$0) }
        }
    }

    package func articleCount(holding words: [String], category: String?) async throws(StoreError) -> Int {
        let usable = SearchTerms.usable(words)
        if usable.isEmpty { return 0 }
        try Texts.rejectNUL([("category", category)])
        return try await ask(.articleSearchCount) { parameters in
            parameters.add(usable.joined(separator: " "))
            parameters.add(category)
        } read: { rows in
            rows.first { $0.int() } ?? 0
        }
    }

    package func articles(holdingAnyOf words: [String], limit: Int) async throws(StoreError) -> [NewsArticle] {
        let usable = SearchTerms.usable(words)
        if usable.isEmpty { return [] }
        return try await ask(.articleSearchAny) { parameters in
            parameters.add(usable.joined(separator: " | "))
            parameters.add(Int64(max(limit, 0)))
        } read: { rows in
            rows.map { NewsArticle(&$0) }
        }
    }
}
