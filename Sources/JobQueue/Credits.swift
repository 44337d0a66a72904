package import JSON

/// A user's credits. Always `granted == remaining + held + used`.
package struct CreditBalance: Hashable, Sendable {
    package var granted: Int
    /// For jobs that are accepted and unfinished.
    package var held: Int
    package var used: Int

    package init(granted: Int, held: Int, used: Int) {
        self.granted = granted
        self.held = held
        self.used = used
    }

    package var remaining: Int { granted - held - used }

    /// As the API and the command line show it.
    package var json: JSON {
        ["granted": JSON(granted), "remaining": JSON(remaining), "held": JSON(held), "used": JSON(used)]
    }
}

/// A user whose stored balance differs from what the ledger adds up to.
package struct CreditDiscrepancy: Hashable, Sendable {
    package var user: UserID
    package var stored: CreditBalance
    package var recomputed: CreditBalance
    /// What else is wrong, in words; for example an unfinished job whose hold is missing.
    package var remarks: [String]

    package init(user: UserID, stored: CreditBalance, recomputed: CreditBalance, remarks: [String] = []) {
        self.user = user
        self.stored = stored
        self.recomputed = recomputed
        self.remarks = remarks
    }
}
