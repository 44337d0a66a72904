package import JobQueue


extension NewsArticle {
    /// Reads the columns of the view `article_record`, in their order.
    package init(_ row: inout some StoredRow) {
        row.skip()
        self.init(
            id: row.text(), url: row.text(), title: row.text(), description: row.textIfAny(), text: row.textIfAny(),
            source: row.text(), author: row.textIfAny(), image: row.textIfAny(), language: row.textIfAny(),
            category: row.textIfAny(), tickers: row.text().split(separator: " ").map(String.init).sorted(),
            publishedAt: row.integer(), fetchedAt: row.integer(), day: row.textIfAny(),
            fingerprint: ArticleFingerprint(&row), duplicateOf: row.textIfAny())
    }
}

extension ArticleFingerprint {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(bits: row.integer(), words: row.int())
    }
}

extension ArticleMark {
    package init(_ row: inout some StoredRow) {
        self.init(id: row.text(), fingerprint: ArticleFingerprint(&row), duplicateOf: row.textIfAny())
    }
}

extension ArticleVector {
    package init(_ row: inout some StoredRow) {
        self.init(article: row.text(), model: row.text(), components: row.text())
    }
}

extension NewsSourceState {
    package init(_ row: inout some StoredRow) {
        self.init(
            source: row.text(), etag: row.textIfAny(), lastModified: row.textIfAny(), askedAt: row.integer(),
            failures: row.int(), problem: row.textIfAny())
    }
}
