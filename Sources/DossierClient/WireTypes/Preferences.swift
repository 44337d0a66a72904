// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

public struct FocusProfile: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let focused: FocusProfile = "focused"
    public static let balanced: FocusProfile = "balanced"
    public static let broad: FocusProfile = "broad"
}

public struct Holding: Codable, Hashable, Sendable, ExpressibleByStringLiteral {
    public var ticker: String
    public var label: String?
    public var notes: String?

    public init(_ ticker: String, label: String? = nil, notes: String? = nil) {
        self.ticker = ticker
        self.label = label
        self.notes = notes
    }

    public init(stringLiteral value: String) { self.init(value) }
}

/// What the user owns and how much other news they want to see.
public struct Preferences: Codable, Hashable, Sendable {
    public let success: Bool
    public let focusProfile: FocusProfile
    public let holdingsCount: Int
    /// `nil` in the answer to a change.
    public let holdings: [Holding]?
    public let updatedAt: Date?
}
