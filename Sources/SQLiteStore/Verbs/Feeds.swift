internal import JSON
internal import JobQueue
public import Records

extension SQLiteStore: ArticleSignalRepository {
    public func signals(of urls: [String]) async throws(RecordsError) -> [String: String] {
        try Texts.refuseNUL(inRecord: urls.map { ("article_signal.url", $0) })
        let list = JSON(urls).compact
        return try await ask { database in
            var signals: [String: String] = [:]
            try database.each(.articleSignalGet, .text(list)) { row in signals[row.text()] = row.text() }
            return signals
        }
    }
}

extension SQLiteStore: BriefRepository {
    public func briefs(of users: [Int64]) async throws(RecordsError) -> [Brief] {
        let list = JSON.array(users.map { JSON($0) }).compact
        return try await ask { try $0.all(.briefGet, .text(list)) { Brief(&$0) } }
    }
}
