// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

public struct WatchlistItem: Codable, Hashable, Sendable {
    public let ticker: String
    public let name: String?
    public let addedAt: Date
}

public struct WatchlistRemoval: Codable, Hashable, Sendable {
    public let ticker: String
    /// False when it was not on the list.
    public let removed: Bool
}
