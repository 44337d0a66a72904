public import Foundation

/// A stock on the user's watchlist.
public struct WatchlistItem: Codable, Hashable, Sendable {
    /// The stock.
    public let ticker: String
    /// The company's name, where it is known.
    public let name: String?
    /// When it was put there.
    public let addedAt: Date
}

/// The answer to a removal from the watchlist.
public struct WatchlistRemoval: Codable, Hashable, Sendable {
    /// The stock.
    public let ticker: String
    /// False when it was not on the list.
    public let removed: Bool
}
