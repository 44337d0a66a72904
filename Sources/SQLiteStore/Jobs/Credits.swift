package import JobQueue
import SQLSupport

extension SQLiteStore {
    package func balance(of user: UserID, startingCredits: Int) async throws(StoreError) -> CreditBalance {
        let stored = try await readers.performInline { database in
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
}

/// The ledger. Each movement is an entry and a change of the balance in the same transaction.
extension WriteTransaction {
    enum Entry: String {
        case grant, hold, settle, release
    }

    /// A user's stored credits; `nil` for a user without any record.
    func storedBalance(of user: UserID) throws -> CreditBalance? {
        try database.first(.balanceGet, .user(user), read: CreditBalance.init)
    }

    /// Creates a user's balance with the starting credits.
    func openBalance(of user: UserID, startingCredits: Int) throws {
        try record(.grant, startingCredits, of: user, text: "starting credits", source: .start)
        try database.run(.balanceOpen, .user(user), .integer(startingCredits))
    }

    func grant(_ amount: Int, to user: UserID, text: String?, source: CreditSource = .correction, month: String? = nil)
        throws
    {
        try record(.grant, amount, of: user, text: text, source: source, month: month)
        try database.run(.balanceGrant, .user(user), .integer(amount))
    }

    /// Holds credits and returns the entry to settle or release.
    func hold(_ amount: Int, of user: UserID, for job: JobID) throws -> Int64 {
        let entry = try record(.hold, amount, of: user, job: job)
        try database.run(.balanceHold, .user(user), .integer(amount))
        return entry
    }

    /// Marks the held credits of a job as used, if it has any.
    func settleHold(of job: JobState) throws {
        guard let hold = job.hold else { return }
        try record(.settle, job.cost, of: job.user, job: job.id, closing: hold)
        try database.run(.balanceSettle, .user(job.user), .integer(job.cost))
    }

    /// Frees the held credits of a job, if it has any.
    func releaseHold(of job: JobState) throws {
        guard let hold = job.hold else { return }
        try record(.release, job.cost, of: job.user, job: job.id, closing: hold)
        try database.run(.balanceRelease, .user(job.user), .integer(job.cost))
    }

    @discardableResult
    private func record(
        _ kind: Entry, _ amount: Int, of user: UserID, job: JobID? = nil, closing hold: Int64? = nil,
        text: String? = nil, source: CreditSource? = nil, month: String? = nil
    ) throws -> Int64 {
        try database.run(
            .ledgerInsert, .user(user), .text(kind.rawValue), .integer(amount), job.map { .id($0) } ?? .null,
            .integer(hold), .text(text), .timestamp(now), .text(source?.rawValue), .text(month))
        return database.lastInsertedRow
    }
}

extension CreditBalance {
    /// Reads granted, held and used.
    init(_ row: inout SQLiteRow) {
        self.init(granted: row.int(), held: row.int(), used: row.int())
    }
}

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
