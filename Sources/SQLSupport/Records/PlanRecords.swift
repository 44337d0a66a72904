package import JobQueue

extension RecordDatabase {
    package func planChoice(of user: UserID) async throws(StoreError) -> PlanChoice {
        try await first(.planChoice, .user(user)) { PlanChoice(&$0) } ?? PlanChoice()
    }

    package func noteTier(_ tier: String?, of user: UserID) async throws(StoreError) {
        try await change(.tierNote, .user(user), .text(tier, of: "tier"))
    }

    package func choosePlan(
        _ plan: String?, for user: UserID, audit: AuditEntry
    ) async throws(StoreError) -> Bool {
        try await !change(.planChoose, .now, .user(user), .text(plan, of: "plan"), audit.parameter) { _ in }.isEmpty
    }

    package func monthlyCredits(of user: UserID) async throws(StoreError) -> MonthlyCredits? {
        try await first(.planCreditGet, .user(user)) { row in
            let kept = MonthlyCredits(&row)
            let used = row.int()
            return kept.accounted(at: CreditBalance(granted: row.int() + used, held: 0, used: used))
        }
    }

    package func hasMonthlyCredits() async throws(StoreError) -> Bool {
        try await first(.planCreditsKept) { $0.integer() } == 1
    }

    package func usersDue(
        in month: String, end: Timestamp, amount: Int, after user: UserID, limit: Int
    ) async throws(StoreError) -> [DueUser] {
        try await all(
            .planCreditDue, .user(user), .timestamp(end), .text(month, of: "month"), .integer(amount), .count(limit)
        ) { row in DueUser(user: row.user(), choice: PlanChoice(&row)) }
    }
}

extension PlanChoice {
    fileprivate init(_ row: inout some StoredRow) { self.init(chosen: row.textIfAny(), tier: row.textIfAny()) }
}

extension MonthlyCredits {
    /// Reads month, granted, spent, pool and used.
    package init(_ row: inout some StoredRow) {
        self.init(month: row.text(), granted: row.int(), spent: row.int(), pool: row.int(), used: row.int())
    }
}
