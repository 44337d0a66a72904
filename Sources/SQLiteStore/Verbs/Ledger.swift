import SQLSupport
internal import JobQueue

/// Credits. Each movement is a line in the ledger and a change of the balance in the same transaction.
extension WriteTransaction {
    enum Entry: String {
        case grant, hold, settle, release
    }

    /// A user's credits; `nil` for one who has done nothing yet.
    func storedBalance(of user: UserID) throws -> CreditBalance? {
        try database.first(.balanceGet, .user(user), read: CreditBalance.init)
    }

    /// Grants the starting credits, as the first thing that is written for a user.
    func openBalance(of user: UserID, startingCredits: Int) throws {
        try note(.grant, startingCredits, of: user, text: "starting credits")
        try database.run(.balanceOpen, .user(user), .integer(startingCredits))
    }

    func grant(_ amount: Int, to user: UserID, text: String) throws {
        try note(.grant, amount, of: user, text: text)
        try database.run(.balanceGrant, .user(user), .integer(amount))
    }

    /// Holds credits that are there, and returns the entry to settle or release.
    func hold(_ amount: Int, of user: UserID, for job: JobID) throws -> Int64 {
        let entry = try note(.hold, amount, of: user, job: job)
        try database.run(.balanceHold, .user(user), .integer(amount))
        return entry
    }

    /// The credits are used. A job without cost has none.
    func settle(_ job: JobState) throws {
        guard let hold = job.hold else { return }
        try note(.settle, job.cost, of: job.user, job: job.id, closing: hold)
        try database.run(.balanceSettle, .user(job.user), .integer(job.cost))
    }

    /// The credits are free again.
    func release(_ job: JobState) throws {
        guard let hold = job.hold else { return }
        try note(.release, job.cost, of: job.user, job: job.id, closing: hold)
        try database.run(.balanceRelease, .user(job.user), .integer(job.cost))
    }

    @discardableResult
    private func note(
        _ kind: Entry, _ amount: Int, of user: UserID, job: JobID? = nil, closing hold: Int64? = nil,
        text: String? = nil
    ) throws -> Int64 {
        try database.run(
            .ledgerInsert, .user(user), .text(kind.rawValue), .integer(amount), job.map { .id($0) } ?? .null,
            .integer(hold), .text(text), .timestamp(now))
        return database.lastInsertedRow
    }
}

extension CreditBalance {
    /// Reads granted, held and used.
    init(_ row: inout SQLiteRow) {
        self.init(granted: row.int(), held: row.int(), used: row.int())
    }
}
