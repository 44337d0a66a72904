/// How much of the news beside one's holdings somebody wants to see.
package enum FocusProfile: String, Sendable, Hashable, CaseIterable {
    case focused, balanced, broad
}

/// Something that a user owns.
package struct Holding: Hashable, Sendable {
    /// In one spelling: `AAPL`, `BTC`, `BRK-B`.
    package var ticker: String
    /// What the user calls it.
    package var label: String?
    /// What the user wrote about it.
    package var notes: String?

    package init(ticker: String, label: String? = nil, notes: String? = nil) {
        self.ticker = ticker
        self.label = label
        self.notes = notes
    }
}

/// What a user owns and how their feeds are to be mixed.
package struct Preferences: Hashable, Sendable {
    package var focus: FocusProfile
    /// In the user's order; each ticker once.
    package var holdings: [Holding]
    /// Milliseconds since 1970; `nil` for somebody who never said anything.
    package var updatedAt: Int64?

    package init(focus: FocusProfile = .balanced, holdings: [Holding] = [], updatedAt: Int64? = nil) {
        self.focus = focus
        self.holdings = holdings
        self.updatedAt = updatedAt
    }
}

/// What to change of somebody's preferences; what is `nil` stays.
package struct PreferencesChange: Hashable, Sendable {
    package var focus: FocusProfile?
    /// All holdings, in place of those there were.
    package var holdings: [Holding]?

    package init(focus: FocusProfile? = nil, holdings: [Holding]? = nil) {
        self.focus = focus
        self.holdings = holdings
    }
}

/// Somebody with holdings.
package struct Holder: Hashable, Sendable {
    /// The number of the account.
    package var user: Int64
    package var preferences: Preferences

    package init(user: Int64, preferences: Preferences) {
        self.user = user
        self.preferences = preferences
    }
}

/// Keeps what users say of their holdings and interests.
package protocol PreferencesRepository: HeldTickers {
    /// The preferences of a user; the usual ones for somebody who never said anything.
    func preferences(of user: Int64) async throws(StoreError) -> Preferences

    /// Changes preferences at once or not at all, and returns them as they are then.
    @discardableResult
    func change(preferencesOf user: Int64, _ change: PreferencesChange) async throws(StoreError) -> Preferences

    /// Users with holdings, by number, from the first above `user` on.
    func holders(after user: Int64, limit: Int) async throws(StoreError) -> [Holder]
}
