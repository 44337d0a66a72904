internal import Basics
internal import JobQueue
import SQLSupport

/// The writer of a process: a thread that commits all requests that queued during the previous commit in one
/// transaction.
///
/// 1. An answer goes out only after the COMMIT that makes it true.
/// 2. A request that fails fails alone: when SQLite ends one with an error, the group is rolled back and its halves
///    are run again, down to the one that fails. (A savepoint for each request would cost every group.)
/// 3. A COMMIT that fails fails the whole group.
/// 4. While other processes write too, there is a pause between groups, longer than the interval at which the other
///    writers retry.
final class SQLiteWriter: Sendable {
    typealias Requests = WorkQueue<Request<WriteTransaction>>

    /// The limits of the writer under load.
    struct Limits: Sendable {
        /// Requests in one transaction.
        var group = 256
        /// The time after which a request fails in a database that other processes keep locked.
        var timeout: Duration = .seconds(5)
        /// Pages of the write-ahead log from which it is moved into the database.
        var checkpointPages: Int32 = 4000
        /// Bytes of the write-ahead log from which operators are told of the reader that holds it back.
        var logWarningBytes = LogSize.warning
    }

    private let requests = Requests()

    /// Starts the thread, which opens the database, and returns once the database is open.
    static func start(
        limits: Limits = Limits(), counter: CommitCounter, threads: ThreadGroup, clock: StoreClock,
        availability: AvailabilityMonitor = AvailabilityMonitor(),
        open: @escaping @Sendable () throws -> SQLiteConnection
    ) async throws(StoreError) -> SQLiteWriter {
        let writer = SQLiteWriter()
        let leave = threads.enter()
        let opened: Result<Void, StoreError> = await withCheckedContinuation { continuation in
            let started = Thread.start { [requests = writer.requests] in
                defer { leave() }
                do {
                    let loop = try WriterLoop(
                        database: try open(), limits: limits, counter: counter, clock: clock,
                        availability: availability)
                    continuation.resume(returning: .success(()))
                    loop.run(requests)
                } catch {
                    continuation.resume(returning: .failure(StoreError(error)))
                }
            }
            if !started {
                leave()
                continuation.resume(returning: .failure(.unavailable(reason: "the system has no thread left")))
            }
        }
        try opened.get()
        return writer
    }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await requests.perform(body)
    }

    /// Refuses further requests; the thread answers the queued ones and ends.
    func close() { requests.close() }
}

/// The writer's open transaction, for the operations.
final class WriteTransaction {
    let database: SQLiteConnection
    private let clock: @Sendable () -> Timestamp
    /// Whether anything since the transaction began may have made a job claimable.
    private(set) var madeReady = false
    /// Whether a change since the transaction began is visible to clients.
    private(set) var madeVisible = false
    /// Whether the log is to be emptied after the commit, and whether that succeeded last time.
    private(set) var wantsEmptyLog = false
    private(set) var hasEmptiedLog = false

    init(database: SQLiteConnection, clock: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.clock = clock
    }

    var now: Timestamp { clock() }

    func noteReady() { madeReady = true }

    func noteVisible() { madeVisible = true }

    func wishEmptyLog() { wantsEmptyLog = true }

    func noteEmptied(_ isEmpty: Bool) { (wantsEmptyLog, hasEmptiedLog) = (false, isEmpty) }

    func forgetNotes() {
        madeReady = false
        madeVisible = false
    }
}
