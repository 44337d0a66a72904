internal import JobQueue
public import Records

extension PostgresStore: ArticleSignalRepository {
    public func signals(of urls: [String]) async throws(RecordsError) -> [String: String] {
        try Texts.refuseNUL(inRecord: urls.map { ("article_signal.url", $0) })
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
    public func briefs(of users: [Int64]) async throws(RecordsError) -> [Brief] {
        try await ask(.briefGet) { parameters in
            parameters.add(integers: users)
        } read: { rows in
            rows.map { Brief(&$0) }
        }
    }
}
