internal import Basics
internal import Glibc
package import JobQueue
internal import SQLSupport
internal import Synchronization

/// Jobs, credits and records in one PostgreSQL database, which any number of processes on any number of machines share.
///
/// Each process has a few writers, which commit waiting requests in batches, a few readers, which answer waiting
/// requests together, and one connection for notices of commits to and from other processes. An acknowledged write is
/// durable as far as the server's `synchronous_commit` stays on.
package final class PostgresStore: JobStore {
    let writers: BatchExecutor
    let readers: BatchExecutor
    let writes: WriteQueues
    let reads: ReadQueues
    let broadcaster: ChangeBroadcaster
    /// A clock in place of the database's.
    let now: (@Sendable () -> Timestamp)?
    private let notifier: ChangeNotifier
    private let threads: ThreadGroup
    private let isClosed = Mutex(false)

    /// Opens a database and brings it up to date.
    ///
    /// - Parameter url: The database. It must exist, and its user must own it (or be allowed to create tables in it).
    /// - Returns: The store, which runs its threads until it is closed or released.
    /// - Throws: `unavailable` when the server cannot be reached, `unexpected` when the database was made by another
    ///   version.
    package static func open(_ url: PostgresURL) async throws(StoreError) -> PostgresStore {
        try await open(url, options: Options())
    }

    static func open(_ url: PostgresURL, options: Options) async throws(StoreError) -> PostgresStore {
        let migrated: Result<Void, StoreError> = await withCheckedContinuation { continuation in
            let started = Thread.start {
                do throws(StoreError) {
                    try Migrator.migrate(url, options: options)
                    continuation.resume(returning: .success(()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !started { continuation.resume(returning: .failure(noThread)) }
        }
        try migrated.get()
        return try PostgresStore(url, options: options)
    }

    private static let noThread = StoreError.unavailable(reason: "no thread can be started")

    private init(_ url: PostgresURL, options: Options) throws(StoreError) {
        let (threads, broadcaster) = (ThreadGroup(), ChangeBroadcaster())
        let notifier = try ChangeNotifier(url: url, options: options, broadcaster: broadcaster, threads: threads)
        let writers = BatchExecutor(timeout: options.timeout, concurrency: 1)
        let readers = BatchExecutor(timeout: options.timeout, concurrency: options.readers)
        self.writers = writers
        self.readers = readers
        writes = WriteQueues(executor: writers, claims: ClaimMemory())
        reads = ReadQueues(executor: readers)
        self.threads = threads
        self.broadcaster = broadcaster
        now = options.now
        self.notifier = notifier
        var isStarted = true
        for _ in 0..<options.writers {
            isStarted =
                isStarted
                && Self.start(writers, url, options, options.writerSettings, threads) { notifier.notify($0) }
        }
        for _ in 0..<options.readers {
            isStarted = isStarted && Self.start(readers, url, options, options.readerSettings, threads) { _ in }
        }
        guard isStarted else {
            stop()
            throw Self.noThread
        }
    }

    private static func start(
        _ executor: BatchExecutor, _ url: PostgresURL, _ options: Options, _ settings: String?,
        _ threads: ThreadGroup, _ notify: @escaping @Sendable (CommitNotice) -> Void
    ) -> Bool {
        let leave = threads.enter()
        let isStarted = Thread.start {
            BatchRunner(executor: executor, url: url, options: options, settings: settings, notify: notify).run()
            leave()
        }
        if !isStarted { leave() }
        return isStarted
    }

    deinit { stop() }

    /// Finishes queued requests, ends the streams of changes and closes the connections. Later calls throw
    /// `unavailable`.
    package func close() async {
        stop()
        await threads.ended()
    }

    private func stop() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        writers.close()
        readers.close()
        notifier.close()
        broadcaster.close()
    }
}

extension PostgresStore {
    /// The settings of a store. Only tests change the defaults.
    struct Options: Sendable {
        /// A clock in place of the database's.
        var now: (@Sendable () -> Timestamp)?
        /// Connections that write. Each runs one batch at a time, and usually no two run the same operation.
        var writers = 3
        /// Connections that read.
        var readers = 2
        /// The longest time that a caller waits for an answer, reconnecting included.
        var timeout: Duration = .seconds(20)
        /// The longest time that one statement may take before its connection counts as dead.
        var answerLimit: Duration = .seconds(8)
        var connectLimit: Duration = .seconds(5)
        /// The pauses between polls for changes, from the first to the second while nothing happens.
        var polling: ClosedRange<Duration>?
        /// Whether to listen for notifications.
        var listens = true

        /// The settings of a session that writes. A statement whose caller has given up must not hold locks much
        /// longer.
        var writerSettings: String {
            """
            SET statement_timeout = \(answerLimit.wholeMilliseconds);
            SET lock_timeout = \(answerLimit.wholeMilliseconds / 2);
            SET idle_in_transaction_session_timeout = \(answerLimit.wholeMilliseconds);
            SET jit = off
            """
        }

        /// The settings of a session that reads. A statement that was planned while a table was small must not scan it
        /// when it has grown; and no statement is planned again each time, which would take longer than a poll itself.
        var readerSettings: String {
            "SET enable_seqscan = off; SET jit = off; SET plan_cache_mode = force_generic_plan"
        }
    }
}
