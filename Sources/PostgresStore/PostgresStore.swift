import SQLSupport
internal import Glibc
package import JobQueue
internal import Synchronization
internal import Basics

/// Jobs, credits and records in one PostgreSQL database, which any number of processes on any number of machines share.
///
/// Each process has a few writers, which commit what waits in batches, a few readers, which answer what waits together,
/// and one connection that tells other processes of commits and hears of theirs. A write that was acknowledged is
/// durable as far as the server's `synchronous_commit` is left on.
package final class PostgresStore: JobStore {
    let writers: BatchExecutor
    let readers: BatchExecutor
    let writes: Writes
    let reads: Reads
    let hub: ChangeBroadcaster
    /// A clock in place of the database's.
    let now: (@Sendable () -> Timestamp)?
    private let signals: ChangeNotifier
    private let threads: ThreadGroup
    private let isClosed = Mutex(false)

    /// Opens a database and brings it up to date.
    ///
    /// - Parameter url: Where it is. It must exist, and its user must own it (or be allowed to make tables in it).
    /// - Returns: The store, which runs its threads until it is closed or let go.
    /// - Throws: `unavailable` when the server cannot be reached, `unexpected` when the database is not ours.
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

    private static let noThread = StoreError.unavailable(reason: "no thread to be had")

    private init(_ url: PostgresURL, options: Options) throws(StoreError) {
        let (threads, hub) = (ThreadGroup(), ChangeBroadcaster())
        let signals = try ChangeNotifier(url: url, options: options, hub: hub, threads: threads)
        let writers = BatchExecutor(timeout: options.timeout, concurrency: 1)
        let readers = BatchExecutor(timeout: options.timeout, concurrency: options.readers)
        self.writers = writers
        self.readers = readers
        writes = Writes(desk: writers, claims: ClaimMemory())
        reads = Reads(desk: readers)
        self.threads = threads
        self.hub = hub
        now = options.now
        self.signals = signals
        var isStarted = true
        for _ in 0..<options.writers {
            isStarted =
                isStarted
                && Self.start(writers, url, options, options.writerSettings, threads) { signals.announce($0) }
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
        _ desk: BatchExecutor, _ url: PostgresURL, _ options: Options, _ settings: String?, _ threads: ThreadGroup,
        _ announce: @escaping @Sendable (News) -> Void
    ) -> Bool {
        let leave = threads.enter()
        let isStarted = Thread.start {
            BatchRunner(desk: desk, url: url, options: options, settings: settings, announce: announce)
                .run()
            leave()
        }
        if !isStarted { leave() }
        return isStarted
    }

    deinit { stop() }

    /// Finishes what is queued, ends the streams of changes and closes the connections. Calls after it throw
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
        signals.close()
        hub.close()
    }
}
