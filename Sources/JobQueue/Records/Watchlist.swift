/// A stock that a user watches.
package struct WatchlistItem: Sendable, Hashable {
    /// In the SEC's spelling: `BRK-B`.
    package var ticker: String
    /// The company, as far as it was known when the stock was added.
    package var name: String?
    /// Milliseconds since 1970.
    package var addedAt: Int64

    package init(ticker: String, name: String?, addedAt: Int64) {
        self.ticker = ticker
        self.name = name
        self.addedAt = addedAt
    }
}

/// What became of a wish to watch a stock.
package enum WatchlistAddition: Sendable, Hashable {
    case added(WatchlistItem)
    /// It was on the list; nothing was changed.
    case existing(WatchlistItem)
    /// The list is as long as it may be.
    case full
}

/// Keeps what users watch.
package protocol WatchlistRepository: Sendable {
    /// A user's list, the latest first, those of one moment by their tickers.
    func watchlist(of user: Int64) async throws(StoreError) -> [WatchlistItem]

    /// Puts a stock on a user's list, unless that has `limit` stocks already; the store says when.
    func watch(
        _ ticker: String, name: String?, by user: Int64, limit: Int
    ) async throws(StoreError) -> WatchlistAddition

    /// Takes a stock off a user's list; whether it was there.
    func unwatch(_ ticker: String, by user: Int64) async throws(StoreError) -> Bool
}
