import SQLSupport
package import JobQueue

extension SQLiteStore {
    package func balance(of user: UserID, startingCredits: Int) async throws(StoreError) -> CreditBalance {
        let stored = try await readers.performQuickly { database in
            try database.first(.balanceGet, .user(user), read: CreditBalance.init)
        }
        return stored ?? CreditBalance(granted: startingCredits, held: 0, used: 0)
    }

    package func grant(
        _ amount: Int, to user: UserID, note: String, startingCredits: Int
    ) async throws(StoreError) -> CreditBalance? {
        try Texts.rejectNUL([("note", note)])
        return try await writer.perform { transaction in
            let stored = try transaction.storedBalance(of: user)
            var balance = stored ?? CreditBalance(granted: startingCredits, held: 0, used: 0)
            let (granted, overflows) = balance.granted.addingReportingOverflow(amount)
            guard !overflows, balance.remaining + amount >= 0 else { return nil }
            if stored == nil { try transaction.openBalance(of: user, startingCredits: startingCredits) }
            try transaction.grant(amount, to: user, text: note)
            balance.granted = granted
            return balance
        }
    }

    package func modelSpend(of user: UserID, since timestamp: Timestamp) async throws(StoreError) -> Int64 {
        let spent = try await readers.perform { database in
            try database.first(.modelSpend, .user(user), .timestamp(timestamp)) { $0.integer() }
        }
        return spent ?? 0
    }

    package func modelCosts(
        by grouping: CostGrouping, since timestamp: Timestamp
    ) async throws(StoreError) -> [CostLine] {
        let query: Query =
            switch grouping {
            case .day: .modelCostsByDay
            case .kind: .modelCostsByKind
            case .model: .modelCostsByModel
            case .user: .modelCostsByUser
            }
        return try await readers.perform { database in
            try database.all(query, .timestamp(timestamp)) { row in
                CostLine(
                    group: row.text(), calls: row.integer(), inputTokens: row.integer(),
                    outputTokens: row.integer(), microDollars: row.integer())
            }
        }
    }
}
