/// How much of the news beside one's holdings somebody wants to see.
public enum FocusProfile: String, Sendable, Hashable, CaseIterable {
    case focused, balanced, broad
}

/// Something that a user owns.
public struct Holding: Hashable, Sendable {
    /// In one spelling: `AAPL`, `BTC`, `BRK-B`.
    public var ticker: String
    /// What the user calls it.
    public var label: String?
    /// What the user wrote about it.
    public var notes: String?

    public init(ticker: String, label: String? = nil, notes: String? = nil) {
        self.ticker = ticker
        self.label = label
        self.notes = notes
    }
}

/// What a user owns and how their feeds are to be mixed.
public struct Preferences: Hashable, Sendable {
    public var focus: FocusProfile
    /// In the user's order; each ticker once.
    public var holdings: [Holding]
    /// Milliseconds since 1970; `nil` for somebody who never said anything.
    public var updatedAt: Int64?

    public init(focus: FocusProfile = .balanced, holdings: [Holding] = [], updatedAt: Int64? = nil) {
        self.focus = focus
        self.holdings = holdings
        self.updatedAt = updatedAt
    }
}

/// What to change of somebody's preferences; what is `nil` stays.
public struct PreferencesChange: Hashable, Sendable {
    public var focus: FocusProfile?
    /// All holdings, in place of those there were.
    public var holdings: [Holding]?

    public init(focus: FocusProfile? = nil, holdings: [Holding]? = nil) {
        self.focus = focus
        self.holdings = holdings
    }
}

/// Somebody with holdings.
public struct Holder: Hashable, Sendable {
    /// The number of the account.
    public var user: Int64
    public var preferences: Preferences

    public init(user: Int64, preferences: Preferences) {
        self.user = user
        self.preferences = preferences
    }
}

/// Keeps what users say of their holdings and interests.
public protocol PreferencesRepository: HeldTickers {
    /// The preferences of a user; the usual ones for somebody who never said anything.
    func preferences(of user: Int64) async throws(RecordsError) -> Preferences

    /// Changes preferences at once or not at all, and returns them as they are then.
    @discardableResult
    func change(preferencesOf user: Int64, _ change: PreferencesChange) async throws(RecordsError) -> Preferences

    /// Users with holdings, by number, from the first above `user` on.
    func holders(after user: Int64, limit: Int) async throws(RecordsError) -> [Holder]
}
