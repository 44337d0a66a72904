package import JobQueue

extension RecordDatabase {
    package func article(id: String) async throws(StoreError) -> NewsArticle? {
        try await first(.articleById, .text(id, of: "article.id")) { NewsArticle(&$0) }
    }

    package func article(url: String) async throws(StoreError) -> NewsArticle? {
        try await first(.articleByUrl, .text(url, of: "article.url")) { NewsArticle(&$0) }
    }

    package func articles(ids: [String]) async throws(StoreError) -> [NewsArticle] {
        if ids.isEmpty { return [] }
        return try await all(.articleByIds, .texts(ids, of: "article.id")) { NewsArticle(&$0) }
    }

    package func articles(_ query: ArticleQuery) async throws(StoreError) -> [NewsArticle] {
        let from = RecordParameter.integer(query.from?.milliseconds ?? .min)
        let until = RecordParameter.integer(query.until?.milliseconds ?? .max)
        let publishedAt = RecordParameter.integer(query.after?.publishedAt.milliseconds ?? .max)
        let id = RecordParameter.text(query.after?.id ?? "", of: "article.id")
        let limit = RecordParameter.count(query.limit)
        let offset = RecordParameter.count(query.offset)
        let category = RecordParameter.text(query.category, of: "article.category")
        if !query.tickers.isEmpty {
            return try await all(
                .articleListOfTickers, from, until, publishedAt, id, limit, offset, category,
                .texts(query.tickers, of: "article.tickers")
            ) { NewsArticle(&$0) }
        }
        if query.category != nil {
            return try await all(.articleListOfCategory, from, until, publishedAt, id, limit, offset, category) {
                NewsArticle(&$0)
            }
        }
        return try await all(.articleList, from, until, publishedAt, id, limit, offset) { NewsArticle(&$0) }
    }

    package func articleCount(_ query: ArticleQuery) async throws(StoreError) -> Int {
        let from = RecordParameter.integer(query.from?.milliseconds ?? .min)
        let until = RecordParameter.integer(query.until?.milliseconds ?? .max)
        let category = RecordParameter.text(query.category, of: "article.category")
        if query.tickers.isEmpty { return try await first(.articleCount, from, until, category) { $0.int() } ?? 0 }
        let tickers = RecordParameter.texts(query.tickers, of: "article.tickers")
        return try await first(.articleCountOfTickers, from, until, category, tickers) { $0.int() } ?? 0
    }

    package func arrivals(on day: String) async throws(StoreError) -> [NewsArticle] {
        try await all(.articleArrivals, .text(day, of: "article.day")) { NewsArticle(&$0) }
    }

    package func fingerprints(since timestamp: Timestamp) async throws(StoreError) -> [FingerprintedArticle] {
        try await all(.articleFingerprints, .timestamp(timestamp)) { FingerprintedArticle(&$0) }
    }

    package func articleVectors(ids: [String]) async throws(StoreError) -> [String: ArticleVector] {
        if ids.isEmpty { return [:] }
        let found = try await all(.articleVectors, .texts(ids, of: "article.id")) { ArticleVector(&$0) }
        return Dictionary(found.map { ($0.article, $0) }) { first, _ in first }
    }

    package func latestArticleVectors(
        of model: String, among limit: Int
    ) async throws(StoreError) -> [ArticleVector] {
        try await all(.articleVectorsLatest, .text(model, of: "article_vector.model"), .count(limit)) {
            ArticleVector(&$0)
        }
    }

    package func articles(
        holding words: [String], category: String?, offset: Int, limit: Int
    ) async throws(StoreError) -> [NewsArticle] {
        let terms = SearchTerms.usable(words)
        if terms.isEmpty { return [] }
        return try await all(
            .articleSearch, .texts(terms, of: "words"), .text(category, of: "category"), .count(limit), .count(offset)
        ) { NewsArticle(&$0) }
    }

    package func articleCount(holding words: [String], category: String?) async throws(StoreError) -> Int {
        let terms = SearchTerms.usable(words)
        if terms.isEmpty { return 0 }
        let count = try await first(
            .articleSearchCount, .texts(terms, of: "words"), .text(category, of: "category")
        ) { $0.int() }
        return count ?? 0
    }

    package func articles(holdingAnyOf words: [String], limit: Int) async throws(StoreError) -> [NewsArticle] {
        let terms = SearchTerms.usable(words)
        if terms.isEmpty { return [] }
        return try await all(.articleSearchAny, .texts(terms, of: "words"), .count(limit)) { NewsArticle(&$0) }
    }

    package func signals(of urls: [String], for users: [UserID]) async throws(StoreError) -> [ArticleSignal] {
        try await all(
            .articleSignals, .integers(users.map(\.rawValue)), .texts(urls, of: "article_signal.url")
        ) { row in
            ArticleSignal(
                user: UserID(rawValue: row.integer()), url: row.text(), signal: row.text(), madeAt: row.timestamp())
        }
    }

    package func newsSources(_ names: [String]) async throws(StoreError) -> [NewsSourceState] {
        if names.isEmpty { return [] }
        return try await all(.newsSources, .texts(names, of: "news_source.source")) { NewsSourceState(&$0) }
    }
}

/// The terms of a search that an index can be asked for.
enum SearchTerms {
    /// Keeps terms of letters and digits, each once: none of them is an operator in the language of an index.
    static func usable(_ terms: [String]) -> [String] {
        var seen: Set<String> = []
        return terms.filter { term in
            !term.isEmpty && term.utf8.count <= 100 && term.allSatisfy { $0.isLetter || $0.isNumber }
                && seen.insert(term).inserted
        }
    }
}

extension NewsArticle {
    /// Reads the columns of the view `article_record`, in their order.
    init(_ row: inout some StoredRow) {
        row.skip()
        self.init(
            id: row.text(), url: row.text(), title: row.text(), description: row.textIfAny(), text: row.textIfAny(),
            source: row.text(), author: row.textIfAny(), image: row.textIfAny(), language: row.textIfAny(),
            category: row.textIfAny(), tickers: row.text().split(separator: " ").map(String.init).sorted(),
            publishedAt: row.timestamp(), fetchedAt: row.timestamp(), day: row.textIfAny(),
            fingerprint: ArticleFingerprint(&row), duplicateOf: row.textIfAny())
    }
}

extension ArticleFingerprint {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(bits: row.integer(), words: row.int())
    }
}

extension FingerprintedArticle {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(id: row.text(), fingerprint: ArticleFingerprint(&row), duplicateOf: row.textIfAny())
    }
}

extension ArticleVector {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(article: row.text(), model: row.text(), components: row.text())
    }
}

extension NewsSourceState {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(
            source: row.text(), etag: row.textIfAny(), lastModified: row.textIfAny(), askedAt: row.timestamp(),
            failures: row.int(), problem: row.textIfAny())
    }
}
