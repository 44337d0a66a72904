import SQLSupport
package import JobQueue

extension SQLiteStore: ArticleSearchRepository {
    package func articles(
        holding words: [String], category: String?, offset: Int, limit: Int
    ) async throws(StoreError) -> [NewsArticle] {
        guard let question = Self.question(words, joinedBy: " ") else { return [] }
        try Texts.rejectNUL([("category", category)])
        return try await ask { database in
            try database.all(
                .articleSearch, .text(question), .text(category), .integer(max(limit, 0)), .integer(max(offset, 0))
            ) { NewsArticle(&$0) }
        }
    }

    package func articleCount(holding words: [String], category: String?) async throws(StoreError) -> Int {
        guard let question = Self.question(words, joinedBy: " ") else { return 0 }
        try Texts.rejectNUL([("category", category)])
        return try await ask { database in
            try database.first(.articleSearchCount, .text(question), .text(category)) { $0.int() } ?? 0
        }
    }

    package func articles(holdingAnyOf words: [String], limit: Int) async throws(StoreError) -> [NewsArticle] {
        guard let question = Self.question(words, joinedBy: " OR ") else { return [] }
        return try await ask { database in
            try database.all(.articleSearchAny, .text(question), .integer(max(limit, 0))) { NewsArticle(&$0) }
        }
    }

    /// In the language of the index, each word between quotes; `nil` when there is none.
    private static func question(_ words: [String], joinedBy separator: String) -> String? {
        let usable = SearchTerms.usable(words)
        return usable.isEmpty ? nil : usable.map { "\"\($0)\"" }.joined(separator: separator)
    }
}
