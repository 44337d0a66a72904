import SQLSupport
package import JobQueue

extension PostgresStore: WatchlistRepository {
    package func watchlist(of user: Int64) async throws(StoreError) -> [WatchlistItem] {
        try await ask(.watchlistList) { parameters in
            parameters.add(user)
        } read: { rows in
            rows.map { WatchlistItem(ticker: $0.text(), name: $0.textIfAny(), addedAt: $0.integer()) }
        }
    }

    package func watch(
        _ ticker: String, name: String?, by user: Int64, limit: Int
    ) async throws(StoreError) -> WatchlistAddition {
        try Texts.rejectNUL([("watchlist.ticker", ticker), ("watchlist.name", name)])
        return try await tell(.watchlistAdd) { parameters in
            parameters.add(now?().milliseconds)
            parameters.add(user)
            parameters.add(ticker)
            parameters.add(name)
            parameters.add(Int64(limit))
        } read: { rows in
            let addition = rows.first { row -> WatchlistAddition in
                let state = row.text()
                let item = WatchlistItem(ticker: ticker, name: row.textIfAny(), addedAt: row.integer())
                return state == "full" ? .full : state == "added" ? .added(item) : .existing(item)
            }
            guard let addition else { throw StoreError.unexpected(reason: "a stock was neither added nor there") }
            return addition
        }
    }

    package func unwatch(_ ticker: String, by user: Int64) async throws(StoreError) -> Bool {
        try Texts.rejectNUL([("watchlist.ticker", ticker)])
        return try await tell(.watchlistRemove) { parameters in
            parameters.add(user)
            parameters.add(ticker)
        } read: { rows in
            rows.first { $0.text() } != nil
        }
    }
}
