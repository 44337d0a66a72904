import SQLSupport
package import JobQueue

extension SQLiteStore: WatchlistRepository {
    package func watchlist(of user: Int64) async throws(StoreError) -> [WatchlistItem] {
        try await ask { database in
            try database.all(.watchlistList, .integer(user)) { WatchlistItem(&$0) }
        }
    }

    package func watch(
        _ ticker: String, name: String?, by user: Int64, limit: Int
    ) async throws(StoreError) -> WatchlistAddition {
        try Texts.rejectNUL([("watchlist.ticker", ticker), ("watchlist.name", name)])
        return try await tell { transaction in
            let database = transaction.database
            let known = try database.first(.watchlistGet, .integer(user), .text(ticker)) { WatchlistItem(&$0) }
            if let known { return .existing(known) }
            let item = WatchlistItem(ticker: ticker, name: name, addedAt: transaction.now.milliseconds)
            try database.run(
                .watchlistInsert, .integer(user), .text(ticker), .text(name), .integer(item.addedAt), .integer(limit))
            return database.changes == 1 ? .added(item) : .full
        }
    }

    package func unwatch(_ ticker: String, by user: Int64) async throws(StoreError) -> Bool {
        try Texts.rejectNUL([("watchlist.ticker", ticker)])
        return try await tell { transaction in
            try transaction.database.run(.watchlistDelete, .integer(user), .text(ticker))
            return transaction.database.changes == 1
        }
    }
}

extension WatchlistItem {
    fileprivate init(_ row: inout SQLiteRow) {
        self.init(ticker: row.text(), name: row.textIfAny(), addedAt: row.integer())
    }
}
