import SQLSupport
internal import JobQueue

/// The loop of the writer's thread, which owns all of its state.
final class WriterLoop {
    private let transaction: WriteTransaction
    private let database: SQLiteConnection
    private let limits: SQLiteWriter.Limits
    private let counter: CommitCounter
    private let clock: StoreClock
    private let availability: AvailabilityMonitor
    /// The time of the last look at the shared clock, since the machine's start.
    private var clockCheckedAt: Int64 = 0
    private var backoff: LockBackoff
    /// Whether another process has held the write lock for long, up to now.
    private var isLockedOut = false

    /// Milliseconds between looks at the shared clock.
    private static let clockInterval: Int64 = 1000
    /// The time for which somebody else may hold the write lock before the database counts as away.
    private static let lockTimeout: Duration = .milliseconds(1500)

    init(
        database: SQLiteConnection, limits: SQLiteWriter.Limits, counter: CommitCounter, clock: StoreClock,
        availability: AvailabilityMonitor
    ) throws {
        self.database = database
        self.availability = availability
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
                try backoff.begin(database) { waited in waitForLock(waited, requests) }
            } catch {
                availability.note(error)
                answer(requests.takePresent(upTo: .max)[...], failing: StoreError(error))
                continue
            }
            if isLockedOut { availability.noteAvailable() }
            isLockedOut = false
            // Taken after the lock, so that the group includes requests that came while the database was busy.
            commit(requests.takePresent(upTo: limits.group)[...])
            if let pages = database.checkpoint(from: limits.checkpointPages) {
                availability.noteLog(bytes: Int64(pages) * LogSize.page, warningFrom: limits.logWarningBytes)
            }
            if transaction.wantsEmptyLog { transaction.noteEmptied(database.truncateLog()) }
            backoff.pauseIfOthersWrite()
        }
        database.truncateLog()
    }

    /// Answers the requests whose callers wait no longer, while another process holds the write lock.
    private func waitForLock(_ waited: Duration, _ requests: SQLiteWriter.Requests) {
        guard waited > .milliseconds(100) else { return }
        let now = ContinuousClock.now
        let expired = requests.takePresent { request in request.deadline.map { $0 <= now } ?? false }
        answer(expired[...], failing: .unavailable(reason: "another process holds its write lock"))
        guard waited > Self.lockTimeout else { return }
        isLockedOut = true
        // For a while only: nobody may ask for the lock any more when it is free again.
        availability.noteUnavailable("another process holds its write lock", for: .seconds(5))
    }

    /// Runs the requests in the open transaction and commits it. When a request breaks the transaction, the group is
    /// rolled back and its halves run in transactions of their own.
    private func commit(_ group: ArraySlice<Request<WriteTransaction>>) {
        transaction.forgetNotes()
        checkClock()
        let changesAtStart = database.totalChanges
        for request in group {
            let changesBefore = database.totalChanges
            let end = request.attempt(in: transaction)
            if end == .done || (end == .refused && database.totalChanges == changesBefore) { continue }
            rollBack()
            if let error = request.breakage { availability.note(error) }
            if group.count == 1 {
                request.answer()
            } else {
                let middle = group.startIndex + group.count / 2
                commitApart(group[..<middle])
                commitApart(group[middle...])
            }
            return
        }
        finish(group, changesAtStart: changesAtStart)
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

    private func finish(_ group: ArraySlice<Request<WriteTransaction>>, changesAtStart: Int64) {
        do {
            let counts = try counter.count(in: transaction)
            try database.execute("COMMIT")
            // A transaction without changes needs neither the lock nor space.
            if database.totalChanges > changesAtStart { availability.noteAvailable() }
            answer(group)
            if let counts { counter.notify(counts, of: transaction) }
        } catch {
            rollBack()
            availability.note(error)
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
