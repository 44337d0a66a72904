import SQLSupport
package import JobQueue

extension PostgresStore: ArticleRepository {
    package func article(id: String) async throws(StoreError) -> NewsArticle? {
        try Texts.rejectNUL([("article.id", id)])
        return try await ask(.articleById) {
            $0.add(id)
        } read: { rows in
            rows.first { NewsArticle(&$0) }
        }
    }

    package func article(url: String) async throws(StoreError) -> NewsArticle? {
        try Texts.rejectNUL([("article.url", url)])
        return try await ask(.articleByUrl) {
            $0.add(url)
        } read: { rows in
            rows.first { NewsArticle(&$0) }
        }
    }

    package func articles(ids: [String]) async throws(StoreError) -> [NewsArticle] {
        guard !ids.isEmpty else { return [] }
        try Texts.rejectNUL(ids.map { ("article.id", $0) })
        return try await ask(.articleByIds) {
            $0.add(texts: ids)
        } read: { rows in
            rows.map { NewsArticle(&$0) }
        }
    }

    package func articles(_ question: ArticleQuestion) async throws(StoreError) -> [NewsArticle] {
        try Texts.rejectNUL(question.texts)
        let after = question.after ?? ArticlePlace(publishedAt: .max, id: "")
        let query: Query =
            !question.tickers.isEmpty
            ? .articleListOfTickers : question.category != nil ? .articleListOfCategory : .articleList
        return try await ask(query) { parameters in
            parameters.add(question.from)
            parameters.add(question.until)
            parameters.add(after.publishedAt)
            parameters.add(after.id)
            parameters.add(Int64(max(question.limit, 0)))
            parameters.add(Int64(max(question.offset, 0)))
            if query != .articleList { parameters.add(question.category) }
            if query == .articleListOfTickers { parameters.add(texts: question.tickers) }
        } read: { rows in
            rows.map { NewsArticle(&$0) }
        }
    }

    package func articleCount(_ question: ArticleQuestion) async throws(StoreError) -> Int {
        try Texts.rejectNUL(question.texts)
        let isOfTickers = !question.tickers.isEmpty
        return try await ask(isOfTickers ? .articleCountOfTickers : .articleCount) { parameters in
            parameters.add(question.from)
            parameters.add(question.until)
            parameters.add(question.category)
            if isOfTickers { parameters.add(texts: question.tickers) }
        } read: { rows in
            rows.first { $0.int() } ?? 0
        }
    }

    package func arrivals(on day: String) async throws(StoreError) -> [NewsArticle] {
        try Texts.rejectNUL([("article.day", day)])
        return try await ask(.articleArrivals) {
            $0.add(day)
        } read: { rows in
            rows.map { NewsArticle(&$0) }
        }
    }

    package func articleMarks(since timestamp: Int64) async throws(StoreError) -> [ArticleMark] {
        try await ask(.articleMarks) {
            $0.add(timestamp)
        } read: { rows in
            rows.map { ArticleMark(&$0) }
        }
    }

    package func articleVectors(ids: [String]) async throws(StoreError) -> [String: ArticleVector] {
        guard !ids.isEmpty else { return [:] }
        try Texts.rejectNUL(ids.map { ("article.id", $0) })
        return try await ask(.articleVectors) {
            $0.add(texts: ids)
        } read: { rows in
            Dictionary(rows.map { ArticleVector(&$0) }.map { ($0.article, $0) }) { first, _ in first }
        }
    }

    package func latestArticleVectors(
        of model: String, among limit: Int
    ) async throws(StoreError) -> [ArticleVector] {
        try Texts.rejectNUL([("article_vector.model", model)])
        return try await ask(.articleVectorsLatest) { parameters in
            parameters.add(model)
            parameters.add(Int64(max(limit, 0)))
        } read: { rows in
            rows.map { ArticleVector(&$0) }
        }
    }
}
