import SQLSupport
internal import JobQueue

/// The loop of the writer's thread, which owns all of its state.
final class WriterLoop {
    private let transaction: WriteTransaction
    private let database: SQLiteConnection
    private let limits: SQLiteWriter.Limits
    private let counter: CommitCounter
    private let clock: StoreClock
    /// The time of the last look at the shared clock, since the machine's start.
    private var clockCheckedAt: Int64 = 0
    private var backoff: LockBackoff

    /// Milliseconds between looks at the shared clock.
    private static let clockInterval: Int64 = 1000

    init(
        database: SQLiteConnection, limits: SQLiteWriter.Limits, counter: CommitCounter, clock: StoreClock
    ) throws {
        self.database = database
        self.clock = clock
        if let shared = clock.shared {
            var backoff = LockBackoff(timeout: limits.timeout)
            try backoff.begin(database)
            try shared.update(in: database, isOpening: true)
            try database.execute("COMMIT")
            clockCheckedAt = shared.sinceBoot
        }
        self.limits = limits
        self.counter = counter
        transaction = WriteTransaction(database: database, clock: clock.now)
        backoff = LockBackoff(timeout: limits.timeout)
    }

    func run(_ requests: SQLiteWriter.Requests) {
        while requests.wait() {
            do {
                try backoff.begin(database)
            } catch {
                answer(requests.takePresent(upTo: .max)[...], failing: StoreError(error))
                continue
            }
            // Taken after the lock, so that the group includes requests that came while the database was busy.
            commit(requests.takePresent(upTo: limits.group)[...])
            database.checkpoint(from: limits.checkpointPages)
            backoff.pauseIfOthersWrite()
        }
    }

    /// Runs the requests in the open transaction and commits it. When a request breaks the transaction, the group is
    /// rolled back and its halves run in transactions of their own.
    private func commit(_ group: ArraySlice<Request<WriteTransaction>>) {
        transaction.forgetNotes()
        checkClock()
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
            try backoff.begin(database)
        } catch {
            return answer(group, failing: StoreError(error))
        }
        commit(group)
    }

    /// Checks the shared clock once a second. An error is ignored, since the group then fails too.
    private func checkClock() {
        guard let shared = clock.shared, shared.sinceBoot - clockCheckedAt >= Self.clockInterval else { return }
        clockCheckedAt = shared.sinceBoot
        try? shared.update(in: database, isOpening: false)
    }

    private func finish(_ group: ArraySlice<Request<WriteTransaction>>) {
        do {
            let counts = try counter.count(in: transaction)
            try database.execute("COMMIT")
            answer(group)
            if let counts { counter.notify(counts, of: transaction) }
        } catch {
            rollBack()
            answer(group, failing: StoreError(error))
        }
    }

    /// SQLite itself rolls back after some errors, such as a full disk.
    private func rollBack() {
        if database.isInTransaction { try? database.execute("ROLLBACK") }
    }

    private func answer(_ group: ArraySlice<Request<WriteTransaction>>, failing failure: StoreError? = nil) {
        for request in group { request.answer(failing: failure) }
    }
}
