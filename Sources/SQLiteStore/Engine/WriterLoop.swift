internal import JobQueue

/// What the writer's thread does. Everything in it belongs to that thread.
final class WriterLoop {
    private let transaction: WriteTransaction
    private let database: SQLiteConnection
    private let limits: SQLiteWriter.Limits
    private let pulse: Pulse
    private var turns: WriterTurns

    init(
        database: SQLiteConnection, limits: SQLiteWriter.Limits, pulse: Pulse,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.database = database
        self.limits = limits
        self.pulse = pulse
        transaction = WriteTransaction(database: database, clock: clock)
        turns = WriterTurns(patience: limits.patience)
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
