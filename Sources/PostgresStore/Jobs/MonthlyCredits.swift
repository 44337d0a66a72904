package import JobQueue
import SQLSupport

extension PostgresStore {
    package func begin(_ month: MonthlyGrant) async throws(StoreError) -> MonthlyChange {
        let statement = Statement(.beginMonth) { parameters in
            parameters.add(now?().milliseconds)
            parameters.add(month.user.rawValue)
            parameters.add(month.month)
            parameters.add(Int64(month.amount))
            parameters.add(Int64(month.carryOver))
            parameters.add(Int64(month.startingCredits))
        }
        let rows = try await perform(statement, in: writers, writes.records) { row in
            MonthlyChange(granted: row.int(), expired: row.int())
        }
        return rows.first ?? MonthlyChange()
    }
}
