package import Basics

/// The amount of news that a user wants to see besides that of their holdings.
package enum FocusProfile: String, Sendable, Hashable, CaseIterable {
    case focused, balanced, broad
}

/// An asset that a user owns.
package struct Holding: Hashable, Sendable {
    /// In one spelling: `AAPL`, `BTC`, `BRK-B`.
    package var ticker: String
    /// The user's name for it.
    package var label: String?
    /// The user's notes on it.
    package var notes: String?

    package init(ticker: String, label: String? = nil, notes: String? = nil) {
        self.ticker = ticker
        self.label = label
        self.notes = notes
    }
}

/// A user's holdings and the mix of their feeds.
package struct Preferences: Hashable, Sendable {
    package var focus: FocusProfile
    /// In the user's order; each ticker once.
    package var holdings: [Holding]
    /// The name of the user's time zone in the IANA database; `nil` where the user named none.
    package var timeZone: String?
    /// The language of the user's choice; `nil` where the user chose none.
    package var language: Language?
    /// `nil` for a user without stored preferences.
    package var updatedAt: Timestamp?

    package init(
        focus: FocusProfile = .balanced, holdings: [Holding] = [], timeZone: String? = nil, language: Language? = nil,
        updatedAt: Timestamp? = nil
    ) {
        self.focus = focus
        self.holdings = holdings
        self.timeZone = timeZone
        self.language = language
        self.updatedAt = updatedAt
    }
}

/// A change of preferences; `nil` leaves a value as it is.
package struct PreferencesChange: Hashable, Sendable {
    package var focus: FocusProfile?
    /// Replaces all holdings.
    package var holdings: [Holding]?
    /// An empty name forgets the zone.
    package var timeZone: String?
    /// An empty tag forgets the language.
    package var language: String?

    package init(
        focus: FocusProfile? = nil, holdings: [Holding]? = nil, timeZone: String? = nil, language: String? = nil
    ) {
        self.focus = focus
        self.holdings = holdings
        self.timeZone = timeZone
        self.language = language
    }
}

/// A user with holdings.
package struct Holder: Hashable, Sendable {
    package var user: UserID
    package var preferences: Preferences

    package init(user: UserID, preferences: Preferences) {
        self.user = user
        self.preferences = preferences
    }

    /// The reader of the general brief, without holdings.
    package static let allUsers = Holder(user: Brief.allUsers, preferences: Preferences())
}

/// Reads the holdings of users, so that news of them can be fetched.
package protocol HeldTickers: Sendable {
    /// The symbols that users hold, the most held first.
    func heldTickers(limit: Int) async throws(StoreError) -> [String]
}

/// Keeps the holdings and interests of users.
package protocol PreferencesRepository: HeldTickers {
    /// The preferences of a user; the default ones for a user without stored preferences.
    func preferences(of user: UserID) async throws(StoreError) -> Preferences

    /// Changes preferences in one transaction and returns them as they are then.
    @discardableResult
    func change(preferencesOf user: UserID, _ change: PreferencesChange) async throws(StoreError) -> Preferences

    /// The languages in which users read, that of most users first. Who chose none reads in English.
    func readerLanguages() async throws(StoreError) -> [Language]

    /// The symbols that users who read in a language hold, the most held first.
    func heldTickers(by language: Language, limit: Int) async throws(StoreError) -> [String]

    /// The time zones of users with holdings, each once; an empty name for users without a zone.
    func holderZones() async throws(StoreError) -> [String]

    /// Users with holdings in these time zones, by number, beginning with the first above `user`.
    func holders(in zones: [String], after user: UserID, limit: Int) async throws(StoreError) -> [Holder]
}

/// The news of a day for one user or for all, as they were last put together.
package struct Brief: Hashable, Sendable, Codable {
    /// The reader; `allUsers` for the general brief.
    package var user: UserID
    /// A JSON array of signals in the shape of the feed's.
    package var items: String
    /// Of two briefs of one user the later one is kept.
    package var generatedAt: Timestamp

    /// The user of the general brief: the account that owns the jobs of schedules.
    package static let allUsers = UserID(rawValue: -1)

    package init(user: UserID, items: String, generatedAt: Timestamp) {
        self.user = user
        self.items = items
        self.generatedAt = generatedAt
    }
}

extension Brief: StoredRecord {
    package static var noun: String { "brief" }
    package var naturalKey: String { String(user.rawValue) }
    package var texts: [(name: String, text: String?)] { [("brief.items", items)] }
}

/// Finds the latest briefs. Jobs write them as `RecordChange.brief`.
package protocol BriefRepository: Sendable {
    /// The latest brief of each of these users that has one.
    func briefs(of users: [UserID]) async throws(StoreError) -> [Brief]
}
