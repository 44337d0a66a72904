package import Basics
package import JobQueue

extension RecordDatabase {
    package func account(for subject: String) async throws(StoreError) -> Account {
        if let known = try await knownAccount(of: subject) { return known }
        let subjectText = RecordParameter.text(subject, of: "subject")
        let number = RecordParameter.integer(AccountNumber.printed(by: subject))
        let digest = Erasure.digest(of: subject, key: try await erasureKey())
        guard
            let account = try await change(
                .accountOpen, .now, subjectText, number, .text(digest, of: "digest"), row: { Account(&$0) }
            ).first
        else {
            throw .unexpected(reason: "an account is missing")
        }
        return account
    }

    package func knownAccount(of subject: String) async throws(StoreError) -> Account? {
        try await first(.accountBySubject, .text(subject, of: "subject")) { Account(&$0) }
    }

    package func accounts(
        beginning text: String?, below user: UserID, limit: Int
    ) async throws(StoreError) -> [Account] {
        try await all(.accountList, .user(user), .text(text, of: "subject"), .count(limit)) { Account(&$0) }
    }

    package func account(id: UserID) async throws(StoreError) -> Account? {
        try await first(.accountById, .user(id)) { Account(&$0) }
    }

    package func preferences(of user: UserID) async throws(StoreError) -> Preferences {
        let holdings = try await all(.preferencesGet, .user(user)) { try HoldingRow(&$0) }
        return holdings.holders.first?.preferences ?? Preferences()
    }

    @discardableResult
    package func change(
        preferencesOf user: UserID, _ change: PreferencesChange
    ) async throws(StoreError) -> Preferences {
        let holdings = try await self.change(
            .preferencesChange, .now, .user(user), .text(change.focus?.rawValue, of: "focus_profile"),
            .texts(change.holdings?.map(\.ticker), of: "ticker"), .texts(change.holdings?.map(\.label), of: "label"),
            .texts(change.holdings?.map(\.notes), of: "notes"), .text(change.timeZone, of: "time_zone"),
            .text(change.language, of: "language")
        ) { try HoldingRow(&$0) }
        guard let changed = holdings.holders.first?.preferences else {
            throw .unexpected(reason: "preferences are missing")
        }
        return changed
    }

    package func heldTickers(limit: Int) async throws(StoreError) -> [String] {
        try await all(.heldTickers, .integer(limit)) { $0.text() }
    }

    package func readerLanguages() async throws(StoreError) -> [Language] {
        try await all(.readerLanguages) { $0.text() }.compactMap { Language(rawValue: $0) }
    }

    package func heldTickers(by language: Language, limit: Int) async throws(StoreError) -> [String] {
        try await all(.heldTickersByLanguage, .integer(limit), .text(language.rawValue, of: "language")) { $0.text() }
    }

    package func holderZones() async throws(StoreError) -> [String] {
        try await all(.holderZones) { $0.text() }
    }

    package func holders(
        in zones: [String], after user: UserID, limit: Int
    ) async throws(StoreError) -> [Holder] {
        try await all(.holdersAfter, .user(user), .integer(limit), .texts(zones, of: "time_zone")) {
            try HoldingRow(&$0)
        }.holders
    }

    package func briefs(of users: [UserID]) async throws(StoreError) -> [Brief] {
        try await all(.briefGet, .integers(users.map(\.rawValue))) {
            Brief(user: $0.user(), items: $0.text(), generatedAt: $0.timestamp())
        }
    }

    package func watchlist(of user: UserID) async throws(StoreError) -> [WatchlistItem] {
        try await all(.watchlistGet, .user(user)) {
            WatchlistItem(ticker: $0.text(), name: $0.textIfAny(), addedAt: $0.timestamp())
        }
    }

    package func watch(
        _ ticker: String, name: String?, by user: UserID, limit: Int
    ) async throws(StoreError) -> WatchlistAddition {
        let additions = try await change(
            .watchlistAdd, .now, .user(user), .text(ticker, of: "watchlist.ticker"),
            .text(name, of: "watchlist.name"), .integer(limit)
        ) { row -> WatchlistAddition in
            let state = row.text()
            let item = WatchlistItem(ticker: ticker, name: row.textIfAny(), addedAt: row.timestamp())
            return state == "full" ? .full : state == "added" ? .added(item) : .existing(item)
        }
        guard let addition = additions.first else {
            throw .unexpected(reason: "a stock was neither added nor found on the watchlist")
        }
        return addition
    }

    package func unwatch(_ ticker: String, by user: UserID) async throws(StoreError) -> Bool {
        try await !change(.watchlistRemove, .user(user), .text(ticker, of: "watchlist.ticker")) { $0.text() }.isEmpty
    }
}

extension Account {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(id: row.user(), subject: row.text(), createdAt: row.timestamp())
    }
}

/// A user's preferences with one of their holdings, or with none.
private struct HoldingRow: Sendable {
    var holder: Holder
    var holding: Holding?

    init(_ row: inout some StoredRow) throws {
        let user = row.user()
        let word = row.text()
        guard let focus = FocusProfile(rawValue: word) else {
            throw StoreError.unexpected(reason: "focus profile '\(word)'")
        }
        let updatedAt = row.timestamp()
        let (timeZone, language) = (row.textIfAny(), row.textIfAny())
        holder = Holder(
            user: user,
            preferences: Preferences(
                focus: focus, timeZone: timeZone, language: language.flatMap { Language(rawValue: $0) },
                updatedAt: updatedAt))
        holding = row.textIfAny().map { Holding(ticker: $0, label: row.textIfAny(), notes: row.textIfAny()) }
    }
}

extension [HoldingRow] {
    /// Puts the holdings of a user, whose rows are adjacent, into their preferences.
    fileprivate var holders: [Holder] {
        var holders: [Holder] = []
        for row in self {
            if holders.last?.user != row.holder.user { holders.append(row.holder) }
            if let holding = row.holding { holders[holders.count - 1].preferences.holdings.append(holding) }
        }
        return holders
    }
}
