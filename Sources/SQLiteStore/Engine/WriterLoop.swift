import SQLSupport
internal import JobQueue

/// What the writer's thread does. Everything in it belongs to that thread.
final class WriterLoop {
    private let transaction: WriteTransaction
    private let database: SQLiteConnection
    private let limits: SQLiteWriter.Limits
    private let pulse: CommitCounter
    private let clock: StoreClock
    /// When the shared clock was last looked at, since the machine's start.
    private var clockKeptAt: Int64 = 0
    private var turns: LockBackoff

    /// Milliseconds between looks at the shared clock.
    private static let clockPause: Int64 = 1000

    init(
        database: SQLiteConnection, limits: SQLiteWriter.Limits, pulse: CommitCounter,
        clock: StoreClock
    ) throws {
        self.database = database
        self.clock = clock
        if let shared = clock.shared {
            var turns = LockBackoff(timeout: limits.timeout)
            try turns.begin(database)
            try shared.keep(in: database, isOpening: true)
            try database.execute("COMMIT")
            clockKeptAt = shared.sinceBoot
        }
        self.limits = limits
        self.pulse = pulse
        transaction = WriteTransaction(database: database, clock: clock.now)
        turns = LockBackoff(timeout: limits.timeout)
    }

    func run(_ mail: SQLiteWriter.Mail) {
        while mail.wait() {
            do {
                try turns.begin(database)
            } catch {
                answer(mail.takePresent(upTo: .max)[...], failing: StoreError(error))
                continue
            }
            // Taken only now, so that what came while the database was busy is in the group.
            commit(mail.takePresent(upTo: limits.group)[...])
            database.checkpoint(from: limits.checkpointPages)
            turns.leaveGapIfOthersWrite()
        }
    }

    /// Runs the requests in the transaction that has begun and commits it. When one of them spoils the transaction,
    /// the group is rolled back and its halves are run apart.
    private func commit(_ group: ArraySlice<Request<WriteTransaction>>) {
        transaction.forgetNotes()
        keepClock()
        for request in group {
            let changesBefore = database.totalChanges
            let end = request.attempt(in: transaction)
            if end == .done || (end == .refused && database.totalChanges == changesBefore) { continue }
            rollBack()
            if group.count == 1 {
                request.answer()
            } else {
                let middle = group.startIndex + group.count / 2
                commitApart(group[..<middle])
                commitApart(group[middle...])
            }
            return
        }
        finish(group)
    }

    private func commitApart(_ group: ArraySlice<Request<WriteTransaction>>) {
        do {
            try turns.begin(database)
        } catch {
            return answer(group, failing: StoreError(error))
        }
        commit(group)
    }

    /// Looks at the shared clock now and then. Where that fails, so will the group.
    private func keepClock() {
        guard let shared = clock.shared, shared.sinceBoot - clockKeptAt >= Self.clockPause else { return }
        clockKeptAt = shared.sinceBoot
        try? shared.keep(in: database, isOpening: false)
    }

    private func finish(_ group: ArraySlice<Request<WriteTransaction>>) {
        do {
            let counts = try pulse.count(in: transaction)
            try database.execute("COMMIT")
            answer(group)
            if let counts { pulse.announce(counts, of: transaction) }
        } catch {
            rollBack()
            answer(group, failing: StoreError(error))
        }
    }

    /// SQLite has already rolled back by itself after some errors, a full disk among them.
    private func rollBack() {
        if database.isInTransaction { try? database.execute("ROLLBACK") }
    }

    private func answer(_ group: ArraySlice<Request<WriteTransaction>>, failing failure: StoreError? = nil) {
        for request in group { request.answer(failing: failure) }
    }
}
