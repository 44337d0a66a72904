internal import JSON
package import JobQueue
import SQLSupport

extension SQLiteStore {
    package func grant(
        _ grant: NewCreditGrant, audit: AuditEntry
    ) async throws(StoreError) -> CreditGranting {
        try Texts.rejectNUL([("external_id", grant.externalID), ("note", grant.note), ("audit", audit.stored.compact)])
        return try await writer.perform { transaction in
            let known = try transaction.database.first(.creditGrantGet, .text(grant.externalDigest)) {
                try CreditGrant(&$0)
            }
            if let known { return grant.asksFor(known) ? .existing(known) : .conflict }
            let stored = try transaction.storedBalance(of: grant.user)
            var balance = stored ?? CreditBalance(granted: grant.startingCredits, held: 0, used: 0)
            let applied = max(grant.amount, -balance.remaining)
            let (granted, overflows) = balance.granted.addingReportingOverflow(applied)
            guard !overflows else { return .tooMany }
            balance.granted = granted
            if applied != 0 {
                if stored == nil {
                    try transaction.openBalance(of: grant.user, startingCredits: grant.startingCredits)
                }
                try transaction.grant(applied, to: grant.user, text: grant.note, source: grant.source)
            }
            let made = CreditGrant(
                id: grant.id.description, user: grant.user, amount: grant.amount, applied: applied,
                source: grant.source, createdAt: transaction.now, balance: balance)
            try transaction.database.run(
                .creditGrantInsert, .text(grant.externalDigest), .text(grant.externalID), .text(made.id),
                .user(made.user), .integer(made.amount), .integer(made.applied), .text(made.source.rawValue),
                .text(grant.note), .timestamp(made.createdAt), .integer(balance.granted), .integer(balance.held),
                .integer(balance.used))
            try transaction.write(audit)
            return .granted(made)
        }
    }

    package func openCredits(of user: UserID, startingCredits: Int) async throws(StoreError) {
        try await writer.perform { transaction in
            guard try transaction.storedBalance(of: user) == nil else { return }
            try transaction.openBalance(of: user, startingCredits: startingCredits)
        }
    }
}

extension WriteTransaction {
    /// Stores an entry of the audit along with the write that it tells of.
    func write(_ entry: AuditEntry) throws {
        try database.runScript("audit_write", [.timestamp(now), .text(entry.stored.compact)])
    }
}
