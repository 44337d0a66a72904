/// The credits that a plan gives a user in a month.
package struct MonthlyGrant: Sendable, Hashable {
    package var user: UserID
    /// `2026-11`
    package var month: String
    /// The credits of the month, those that came earlier in it included.
    package var amount: Int
    /// The part of what is left of the last month's that stays.
    package var carryOver: Int
    /// The credits of the user when there is no record of any yet.
    package var startingCredits: Int

    package init(user: UserID, month: String, amount: Int, carryOver: Int, startingCredits: Int) {
        (self.user, self.month, self.amount) = (user, month, amount)
        (self.carryOver, self.startingCredits) = (carryOver, startingCredits)
    }

    /// The grant that a plan gives.
    package init(_ plan: Plan, to user: UserID, month: String) {
        self.init(
            user: user, month: month, amount: plan.monthlyCredits, carryOver: plan.carryOver,
            startingCredits: plan.startingCredits)
    }
}

/// Credits that came and went at once.
package struct MonthlyChange: Sendable, Hashable {
    package var granted: Int
    package var expired: Int

    package init(granted: Int = 0, expired: Int = 0) { (self.granted, self.expired) = (granted, expired) }
}

/// The plan credits of a user as of the last accounting: at the begin of a month, or at an upgrade in it.
package struct MonthlyCredits: Sendable, Hashable {
    package var month: String
    /// The credits of the month.
    package var granted: Int
    /// The part of all plan credits that was used in the month.
    package var spent: Int
    /// The plan credits that were not used yet, held ones included.
    package var pool: Int
    /// The credits that the user had used at the accounting.
    package var used: Int

    package init(month: String, granted: Int, spent: Int, pool: Int, used: Int) {
        (self.month, self.granted, self.spent, self.pool, self.used) = (month, granted, spent, pool, used)
    }

    /// The accounting at a balance. Plan credits are used before all others, and only what is there can be left.
    package func accounted(at balance: CreditBalance) -> MonthlyCredits {
        let taken = min(pool, balance.used - used)
        return MonthlyCredits(
            month: month, granted: granted, spent: spent + taken,
            pool: min(pool - taken, balance.granted - balance.used), used: balance.used)
    }
}

/// A user whose month is due.
package struct DueUser: Sendable, Hashable {
    package var user: UserID
    package var choice: PlanChoice

    package init(user: UserID, choice: PlanChoice) { (self.user, self.choice) = (user, choice) }
}

/// Grants the credits of months, and lets go what is left of them.
package protocol MonthlyCreditRepository: Sendable {
    /// Begins a month for a user: what is left of the plan credits beyond `carryOver` goes, and the month's come. In a
    /// month that has begun, it adds the credits that are missing. Repeating it changes nothing, and neither does a
    /// month before the last.
    ///
    /// Plan credits that jobs hold at the begin of a month go on into it.
    func begin(_ month: MonthlyGrant) async throws(StoreError) -> MonthlyChange

    /// The plan credits of a user now; `nil` for a user who never had any.
    func monthlyCredits(of user: UserID) async throws(StoreError) -> MonthlyCredits?

    /// Whether any user ever had plan credits.
    func hasMonthlyCredits() async throws(StoreError) -> Bool

    /// Users after another one, by their numbers, for whom a month may be due: it has not begun, or its credits are
    /// fewer than `amount`. Accounts that were opened after `end` are left out.
    func usersDue(
        in month: String, end: Timestamp, amount: Int, after user: UserID, limit: Int
    ) async throws(StoreError) -> [DueUser]
}
