public import JSON

/// A user's credits. Always `granted == remaining + held + used`.
public struct CreditBalance: Hashable, Sendable {
    public var granted: Int
    /// For jobs that are accepted and unfinished.
    public var held: Int
    public var used: Int

    public init(granted: Int, held: Int, used: Int) {
        self.granted = granted
        self.held = held
        self.used = used
    }

    public var remaining: Int { granted - held - used }

    /// As the API and the command line show it.
    public var json: JSON {
        ["granted": JSON(granted), "remaining": JSON(remaining), "held": JSON(held), "used": JSON(used)]
    }
}

/// A user whose stored balance differs from what the ledger adds up to.
public struct CreditDiscrepancy: Hashable, Sendable {
    public var user: UserID
    public var stored: CreditBalance
    public var recomputed: CreditBalance
    /// What else is wrong, in words; for example an unfinished job whose hold is missing.
    public var remarks: [String]

    public init(user: UserID, stored: CreditBalance, recomputed: CreditBalance, remarks: [String] = []) {
        self.user = user
        self.stored = stored
        self.recomputed = recomputed
        self.remarks = remarks
    }
}
