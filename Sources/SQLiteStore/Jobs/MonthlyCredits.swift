package import JobQueue
import SQLSupport

extension SQLiteStore {
    package func begin(_ month: MonthlyGrant) async throws(StoreError) -> MonthlyChange {
        try await writer.perform { transaction in try transaction.begin(month) }
    }
}

extension WriteTransaction {
    fileprivate func begin(_ grant: MonthlyGrant) throws -> MonthlyChange {
        let kept = try database.first(.planCreditStored, .user(grant.user)) { MonthlyCredits(&$0) }
        if let kept {
            // Texts of months are in the order of time.
            if kept.month > grant.month || kept.month == grant.month && kept.granted >= grant.amount {
                return MonthlyChange()
            }
        } else if grant.amount == 0 {
            return MonthlyChange()
        }
        let stored = try storedBalance(of: grant.user)
        if stored == nil { try openBalance(of: grant.user, startingCredits: grant.startingCredits) }
        let balance = stored ?? CreditBalance(granted: grant.startingCredits, held: 0, used: 0)
        var change = MonthlyChange()
        var credits =
            kept?.accounted(at: balance)
            ?? MonthlyCredits(month: grant.month, granted: 0, spent: 0, pool: 0, used: balance.used)
        if credits.month != grant.month {
            change.expired = max(credits.pool - balance.held - grant.carryOver, 0)
            try self.grant(-change.expired, to: grant.user, source: .expiry, month: credits.month)
            credits.pool -= change.expired
            (credits.month, credits.granted, credits.spent) = (grant.month, 0, 0)
        }
        change.granted = grant.amount - credits.granted
        try self.grant(change.granted, to: grant.user, source: .plan, month: grant.month)
        try database.run(
            .planCreditSet, .user(grant.user), .text(grant.month), .integer(grant.amount), .integer(credits.spent),
            .integer(credits.pool + change.granted), .integer(credits.used))
        return change
    }

    private func grant(_ amount: Int, to user: UserID, source: CreditSource, month: String) throws {
        if amount != 0 { try grant(amount, to: user, text: nil, source: source, month: month) }
    }
}
