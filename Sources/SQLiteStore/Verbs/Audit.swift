import SQLSupport
package import JobQueue

extension SQLiteStore {
    package func auditCredits() async throws(StoreError) -> [CreditDiscrepancy] {
        try await readers.perform { database in
            var remarks: [UserID: [String]] = [:]
            try database.each(.auditJobs) { row in
                let (user, job, status) = (row.user(), row.jobID(), row.text())
                let (hold, _, close) = (row.textIfAny(), row.integer(), row.textIfAny())
                let state = hold == "hold" ? close.map { "closed by '\($0)'" } ?? "open" : "missing"
                remarks[user, default: []].append(
                    "job \(job) is \(status), but its hold is \(state) or of another amount")
            }
            try database.each(.auditHolds) { row in
                let (user, job, entry) = (row.user(), row.jobID(), row.integer())
                remarks[user, default: []].append(
                    "ledger entry \(entry) holds credits for job \(job), which does not know of it")
            }
            let audited = try database.all(.auditBalances) { row in
                let user = row.user()
                let (stored, recomputed) = (CreditBalance(&row), CreditBalance(&row))
                return CreditDiscrepancy(
                    user: user, stored: stored, recomputed: recomputed, remarks: remarks[user] ?? [])
            }
            return audited.filter { $0.stored != $0.recomputed || !$0.remarks.isEmpty }
        }
    }
}
