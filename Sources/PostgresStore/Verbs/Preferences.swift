import SQLSupport
package import JobQueue

extension PostgresStore: PreferencesRepository {
    package func preferences(of user: Int64) async throws(StoreError) -> Preferences {
        let holders = try await ask(.preferencesGet) { parameters in
            parameters.add(user)
        } read: { rows in
            try rows.holders()
        }
        return holders.first?.preferences ?? Preferences()
    }

    package func change(
        preferencesOf user: Int64, _ change: PreferencesChange
    ) async throws(StoreError) -> Preferences {
        try Texts.rejectNUL(change.texts)
        let holders = try await tell(.changePreferences) { parameters in
            parameters.add(now?().milliseconds)
            parameters.add(user)
            parameters.add(change.focus?.rawValue)
            guard let holdings = change.holdings else {
                for _ in 0..<3 { parameters.add(nil as String?) }
                return
            }
            parameters.add(texts: holdings.map(\.ticker))
            parameters.add(texts: holdings.map(\.label))
            parameters.add(texts: holdings.map(\.notes))
        } read: { rows in
            try rows.holders()
        }
        guard let changed = holders.first?.preferences else { throw .unavailable(reason: "an answer is missing") }
        return changed
    }

    package func heldTickers(limit: Int) async throws(StoreError) -> [String] {
        try await ask(.heldTickers) { parameters in
            parameters.add(Int64(limit))
        } read: { rows in
            rows.map { $0.text() }
        }
    }

    package func holders(after user: Int64, limit: Int) async throws(StoreError) -> [Holder] {
        try await ask(.holdersAfter) { parameters in
            parameters.add(user)
            parameters.add(Int64(limit))
        } read: { rows in
            try rows.holders()
        }
    }
}

extension PostgresRows {
    /// Preferences, from rows of users and their holdings.
    fileprivate func holders() throws -> [Holder] {
        var stored = StoredPreferences()
        try each { try stored.take(&$0) }
        return stored.holders
    }
}
