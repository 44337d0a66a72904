import SQLSupport
package import JobQueue

extension PostgresStore: ArticleSignalRepository {
    package func signals(of urls: [String]) async throws(StoreError) -> [String: String] {
        try Texts.rejectNUL(urls.map { ("article_signal.url", $0) })
        return try await ask(.articleSignalGet) { parameters in
            parameters.add(texts: urls)
        } read: { rows in
            var signals: [String: String] = [:]
            rows.each { row in signals[row.text()] = row.text() }
            return signals
        }
    }
}

extension PostgresStore: BriefRepository {
    package func briefs(of users: [Int64]) async throws(StoreError) -> [Brief] {
        try await ask(.briefGet) { parameters in
            parameters.add(integers: users)
        } read: { rows in
            rows.map { Brief(&$0) }
        }
    }
}
