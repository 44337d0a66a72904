/// A stock that a user watches.
package struct WatchlistItem: Sendable, Hashable {
    /// In the SEC's spelling: `BRK-B`.
    package var ticker: String
    /// The company's name, if it was known when the stock was added.
    package var name: String?
    package var addedAt: Timestamp

    package init(ticker: String, name: String?, addedAt: Timestamp) {
        self.ticker = ticker
        self.name = name
        self.addedAt = addedAt
    }
}

/// The outcome of a request to watch a stock.
package enum WatchlistAddition: Sendable, Hashable {
    case added(WatchlistItem)
    /// The stock was on the list already; nothing was changed.
    case existing(WatchlistItem)
    /// The list has reached its limit.
    case full
}

/// Keeps the watchlists of users.
package protocol WatchlistRepository: Sendable {
    /// A user's list, the latest addition first; additions of the same time are sorted by ticker.
    func watchlist(of user: UserID) async throws(StoreError) -> [WatchlistItem]

    /// Puts a stock on a user's list unless the list has `limit` stocks already. The store sets the time.
    func watch(
        _ ticker: String, name: String?, by user: UserID, limit: Int
    ) async throws(StoreError) -> WatchlistAddition

    /// Takes a stock off a user's list.
    ///
    /// - Returns: Whether the stock was on the list.
    func unwatch(_ ticker: String, by user: UserID) async throws(StoreError) -> Bool
}
