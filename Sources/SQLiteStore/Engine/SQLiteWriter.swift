import SQLSupport
internal import JobQueue
internal import Basics

/// The one writer of a process: a thread that groups what queued while the previous commit ran into one transaction.
///
/// 1. An answer goes out only after the COMMIT that makes it true.
/// 2. A request that fails fails alone: when SQLite ends one with an error, the group is rolled back and its halves
///    are run again, down to the one that fails. (A savepoint for each request would make every group pay.)
/// 3. A COMMIT that fails fails the whole group.
/// 4. While other processes write too, there is a gap between groups, longer than the pause after which they knock
///    again.
final class SQLiteWriter: Sendable {
    typealias Mail = WorkQueue<Request<WriteTransaction>>

    /// How the writer behaves under load.
    struct Limits: Sendable {
        /// Requests in one transaction.
        var group = 256
        /// How long to knock at a database that others keep busy.
        var timeout: Duration = .seconds(5)
        /// Pages in the write-ahead log at which it is moved into the database.
        var checkpointPages: Int32 = 4000
    }

    private let mail = Mail()

    /// Starts the thread, which opens the database and reports whether that worked.
    static func start(
        limits: Limits = Limits(), pulse: CommitCounter, threads: ThreadGroup, clock: StoreClock,
        open: @escaping @Sendable () throws -> SQLiteConnection
    ) async throws(StoreError) -> SQLiteWriter {
        let writer = SQLiteWriter()
        let leave = threads.enter()
        let opened: Result<Void, StoreError> = await withCheckedContinuation { continuation in
            let started = Thread.start { [mail = writer.mail] in
                defer { leave() }
                do {
                    let loop = try WriterLoop(database: try open(), limits: limits, pulse: pulse, clock: clock)
                    continuation.resume(returning: .success(()))
                    loop.run(mail)
                } catch {
                    continuation.resume(returning: .failure(StoreError(error)))
                }
            }
            if !started {
                leave()
                continuation.resume(returning: .failure(.unavailable(reason: "no thread to be had")))
            }
        }
        try opened.get()
        return writer
    }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await mail.perform(body)
    }

    /// Refuses further requests; the thread answers what is queued and ends.
    func close() { mail.close() }
}
