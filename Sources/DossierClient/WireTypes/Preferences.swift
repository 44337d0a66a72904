public import Foundation

/// How much news beside their holdings a user wants to see.
public struct FocusProfile: OpenEnum {
    /// As it is on the wire.
    public let rawValue: String
    /// Takes any text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Little.
    public static let focused: FocusProfile = "focused"
    /// Some.
    public static let balanced: FocusProfile = "balanced"
    /// Much.
    public static let broad: FocusProfile = "broad"
}

/// A stock that the user owns.
public struct Holding: Codable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The stock.
    public var ticker: String
    /// The user's name for it.
    public var label: String?
    /// The user's own words.
    public var notes: String?

    /// Makes a holding.
    public init(_ ticker: String, label: String? = nil, notes: String? = nil) {
        self.ticker = ticker
        self.label = label
        self.notes = notes
    }

    /// Makes a holding.
    public init(stringLiteral value: String) { self.init(value) }
}

/// What the user owns and how much other news they want to see.
public struct Preferences: Codable, Hashable, Sendable {
    /// True.
    public let success: Bool
    /// How much other news the user wants to see.
    public let focusProfile: FocusProfile
    /// The number of holdings.
    public let holdingsCount: Int
    /// `nil` in the answer to a change.
    public let holdings: [Holding]?
    /// When they were changed last.
    public let updatedAt: Date?
    /// Of the IANA database, where the user has chosen one.
    public let timeZone: String?
    /// `en`, `de`, `es` or `fr`, where the user has chosen one.
    public let language: String?
}
