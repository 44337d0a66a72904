import SQLSupport
internal import JSON
package import JobQueue

extension SQLiteStore: ArticleRepository {
    package func article(id: String) async throws(StoreError) -> NewsArticle? {
        try Texts.rejectNUL([("article.id", id)])
        return try await ask { try $0.first(.articleById, .text(id)) { NewsArticle(&$0) } }
    }

    package func article(url: String) async throws(StoreError) -> NewsArticle? {
        try Texts.rejectNUL([("article.url", url)])
        return try await ask { try $0.first(.articleByUrl, .text(url)) { NewsArticle(&$0) } }
    }

    package func articles(ids: [String]) async throws(StoreError) -> [NewsArticle] {
        guard !ids.isEmpty else { return [] }
        try Texts.rejectNUL(ids.map { ("article.id", $0) })
        return try await ask { try $0.all(.articleByIds, .list(ids)) { NewsArticle(&$0) } }
    }

    package func articles(_ question: ArticleQuestion) async throws(StoreError) -> [NewsArticle] {
        try Texts.rejectNUL(question.texts)
        let after = question.after ?? ArticlePlace(publishedAt: .max, id: "")
        var values: [SQLiteValue] = [
            .integer(question.from), .integer(question.until), .integer(after.publishedAt), .text(after.id),
            .integer(max(question.limit, 0)), .integer(max(question.offset, 0)),
        ]
        let query: Query
        if !question.tickers.isEmpty {
            query = .articleListOfTickers
            values += [.text(question.category), .list(question.tickers)]
        } else if let category = question.category {
            query = .articleListOfCategory
            values.append(.text(category))
        } else {
            query = .articleList
        }
        return try await ask { [values] in try $0.all(query, values) { NewsArticle(&$0) } }
    }

    package func articleCount(_ question: ArticleQuestion) async throws(StoreError) -> Int {
        try Texts.rejectNUL(question.texts)
        let values: [SQLiteValue] = [.integer(question.from), .integer(question.until), .text(question.category)]
        let count = try await ask { database in
            question.tickers.isEmpty
                ? try database.all(.articleCount, values) { $0.int() }
                : try database.all(.articleCountOfTickers, values + [.list(question.tickers)]) { $0.int() }
        }
        return count.first ?? 0
    }

    package func arrivals(on day: String) async throws(StoreError) -> [NewsArticle] {
        try Texts.rejectNUL([("article.day", day)])
        return try await ask { try $0.all(.articleArrivals, .text(day)) { NewsArticle(&$0) } }
    }

    package func articleMarks(since timestamp: Int64) async throws(StoreError) -> [ArticleMark] {
        try await ask { try $0.all(.articleMarks, .integer(timestamp)) { ArticleMark(&$0) } }
    }

    package func articleVectors(ids: [String]) async throws(StoreError) -> [String: ArticleVector] {
        guard !ids.isEmpty else { return [:] }
        try Texts.rejectNUL(ids.map { ("article.id", $0) })
        let found = try await ask { database in
            try database.all(.articleVectors, .list(ids)) { ArticleVector(&$0) }
        }
        return Dictionary(found.map { ($0.article, $0) }) { first, _ in first }
    }

    package func latestArticleVectors(
        of model: String, among limit: Int
    ) async throws(StoreError) -> [ArticleVector] {
        try Texts.rejectNUL([("article_vector.model", model)])
        return try await ask { database in
            try database.all(.articleVectorsLatest, .text(model), .integer(max(limit, 0))) { ArticleVector(&$0) }
        }
    }
}

extension SQLiteConnection {
    /// Takes an article in, or adds to the one that is there what was not known of it.
    func put(_ article: NewsArticle) throws {
        let number = try first(
            .articlePut, .text(article.id), .text(article.url), .text(article.title), .text(article.description),
            .text(article.source), .text(article.author), .text(article.image), .text(article.language),
            .text(article.category), .integer(article.publishedAt), .integer(article.fetchedAt), .text(article.day),
            .integer(article.fingerprint.bits), .integer(article.fingerprint.words), .text(article.duplicateOf)
        ) { $0.integer() }
        if let text = article.text { try run(.articleTextPut, .integer(number), .text(text)) }
        if !article.tickers.isEmpty { try run(.articleTickerPut, .integer(number), .list(article.tickers)) }
    }

    func put(_ vector: ArticleVector) throws {
        try run(.articleVectorPut, .text(vector.article), .text(vector.model), .text(vector.components))
    }

    /// Forgets at most so many articles and stories.
    func forget(_ old: OldNews) throws {
        try run(.articleForget, .integer(old.arrivedBefore), .integer(old.limit))
        try run(.storyForget, .text(old.storiesBefore), .integer(old.limit))
    }
}
