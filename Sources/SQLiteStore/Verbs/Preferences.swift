import SQLSupport
package import JobQueue

extension SQLiteStore: PreferencesRepository {
    package func preferences(of user: Int64) async throws(StoreError) -> Preferences {
        try await ask { try $0.preferences(of: user) }
    }

    package func change(
        preferencesOf user: Int64, _ change: PreferencesChange
    ) async throws(StoreError) -> Preferences {
        try Texts.rejectNUL(change.texts)
        return try await tell { transaction in
            let database = transaction.database
            try database.run(.preferencesPut, .integer(user), .text(change.focus?.rawValue), .timestamp(transaction.now))
            if let holdings = change.holdings {
                try database.run(.holdingDelete, .integer(user))
                for (place, holding) in holdings.enumerated() {
                    try database.run(
                        .holdingInsert, .integer(user), .text(holding.ticker), .integer(place), .text(holding.label),
                        .text(holding.notes))
                }
            }
            return try database.preferences(of: user)
        }
    }

    package func heldTickers(limit: Int) async throws(StoreError) -> [String] {
        try await ask { try $0.all(.heldTickers, .integer(limit)) { $0.text() } }
    }

    package func holders(after user: Int64, limit: Int) async throws(StoreError) -> [Holder] {
        try await ask { database in
            var stored = StoredPreferences()
            try database.each(.holdersAfter, .integer(user), .integer(limit)) { try stored.take(&$0) }
            return stored.holders
        }
    }
}

extension SQLiteConnection {
    fileprivate func preferences(of user: Int64) throws -> Preferences {
        var stored = StoredPreferences()
        try each(.preferencesGet, .integer(user)) { try stored.take(&$0) }
        return stored.holders.first?.preferences ?? Preferences()
    }
}
