package import JobQueue


/// Puts preferences together from rows of user, profile, moment, ticker, label and notes: one row for each holding, or
/// one without any.
package struct StoredPreferences {
    package private(set) var holders: [Holder] = []

    package init() {}

    /// Takes in the next row; the rows of a user stand together.
    package mutating func take(_ row: inout some StoredRow) throws {
        let user = row.integer()
        let word = row.text()
        guard let focus = FocusProfile(rawValue: word) else {
            throw StoreError.unexpected(reason: "focus profile '\(word)'")
        }
        let updatedAt = row.integer()
        if holders.last?.user != user {
            holders.append(Holder(user: user, preferences: Preferences(focus: focus, updatedAt: updatedAt)))
        }
        guard let ticker = row.textIfAny() else { return }
        let holding = Holding(ticker: ticker, label: row.textIfAny(), notes: row.textIfAny())
        holders[holders.count - 1].preferences.holdings.append(holding)
    }
}

extension PreferencesChange {
    /// Every text that is stored, by the name of its field.
    package var texts: [(name: String, text: String?)] {
        (holdings ?? []).flatMap { [("ticker", $0.ticker), ("label", $0.label), ("notes", $0.notes)] }
    }
}

extension Brief {
    /// Reads the columns user, items and generated_at.
    package init(_ row: inout some StoredRow) {
        self.init(user: row.integer(), items: row.text(), generatedAt: row.integer())
    }
}
