/// Begins a month for all users for whom it is due.
package struct MonthlySweep: Sendable {
    /// The number of users that are read at once.
    private static let page = 500

    private let records: any MonthlyCreditRepository
    private let plans: Plans

    package init(_ records: any MonthlyCreditRepository, plans: Plans) {
        (self.records, self.plans) = (records, plans)
    }

    /// Grants what is due in a month and returns the sums. Any number of processes may do so at once: each month of a
    /// user begins once.
    package func begin(_ month: CalendarMonth) async throws(StoreError) -> MonthlyChange {
        var sum = MonthlyChange()
        guard try await isNeeded() else { return sum }
        var last = UserID(rawValue: -1)
        while true {
            let due = try await records.usersDue(
                in: month.description, end: month.end, amount: plans.largestMonthlyCredits, after: last,
                limit: Self.page)
            for user in due {
                let plan = plans.plan(for: user.choice).plan
                let change = try await records.begin(
                    MonthlyGrant(plan, to: user.user, month: month.description))
                sum.granted += change.granted
                sum.expired += change.expired
            }
            guard let end = due.last, due.count == Self.page, !Task.isCancelled else { return sum }
            last = end.user
        }
    }

    private func isNeeded() async throws(StoreError) -> Bool {
        if plans.largestMonthlyCredits > 0 { return true }
        return try await records.hasMonthlyCredits()
    }
}
