import SQLSupport
internal import JSON
package import JobQueue

extension SQLiteStore: ArticleSignalRepository {
    package func signals(of urls: [String]) async throws(StoreError) -> [String: String] {
        try Texts.rejectNUL(urls.map { ("article_signal.url", $0) })
        let list = JSON(urls).compact
        return try await ask { database in
            var signals: [String: String] = [:]
            try database.each(.articleSignalGet, .text(list)) { row in signals[row.text()] = row.text() }
            return signals
        }
    }
}

extension SQLiteStore: BriefRepository {
    package func briefs(of users: [Int64]) async throws(StoreError) -> [Brief] {
        let list = JSON.array(users.map { JSON($0) }).compact
        return try await ask { try $0.all(.briefGet, .text(list)) { Brief(&$0) } }
    }
}
