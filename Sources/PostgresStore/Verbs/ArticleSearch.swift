internal import JobQueue
public import Records

extension PostgresStore: ArticleSearchRepository {
    public func articles(
        holding words: [String], category: String?, offset: Int, limit: Int
    ) async throws(RecordsError) -> [NewsArticle] {
        let usable = SearchTerms.usable(words)
        if usable.isEmpty { return [] }
        try Texts.refuseNUL(inRecord: [("category", category)])
        return try await ask(.articleSearch) { parameters in
            parameters.add(usable.joined(separator: " "))
            parameters.add(category)
            parameters.add(Int64(max(limit, 0)))
            parameters.add(Int64(max(offset, 0)))
        } read: { rows in
            rows.map { NewsArticle(&$0) }
        }
    }

    public func articleCount(holding words: [String], category: String?) async throws(RecordsError) -> Int {
        let usable = SearchTerms.usable(words)
        if usable.isEmpty { return 0 }
        try Texts.refuseNUL(inRecord: [("category", category)])
        return try await ask(.articleSearchCount) { parameters in
            parameters.add(usable.joined(separator: " "))
            parameters.add(category)
        } read: { rows in
            rows.first { $0.int() } ?? 0
        }
    }

    public func articles(holdingAnyOf words: [String], limit: Int) async throws(RecordsError) -> [NewsArticle] {
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
