internal import Basics
internal import Glibc
package import JobQueue
internal import SQLSupport
internal import Synchronization

/// Jobs, credits and records in one PostgreSQL database, which any number of processes on any number of machines share.
///
/// Each process has a few writers, which commit waiting requests in batches, a few readers, which answer waiting
/// requests together, a connection for heartbeats, leases and rescues, which no lock of other operations holds up, and
/// one for notices of commits to and from other processes. While requests wait in vain it asks over a further one
/// whether the server answers at all. An acknowledged write is durable as far as the server's `synchronous_commit` stays
/// on.
package final class PostgresStore: JobStore {
    let writers: BatchExecutor
    let readers: BatchExecutor
    /// The operations by which workers know of each other, and of the jobs that they hold.
    let liveness: BatchExecutor
    let writes: WriteQueues
    let reads: ReadQueues
    let beats: LivenessQueues
    let broadcaster: ChangeBroadcaster
    let monitor: AvailabilityMonitor
    package let schema: SchemaReport
    /// A clock in place of the database's.
    let now: (@Sendable () -> Timestamp)?
    private let notifier: ChangeNotifier
    private let watch: RequestWatch
    private let probe: AvailabilityProbe
    private let threads: ThreadGroup
    private let isClosed = Mutex(false)

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - url: The database. It must exist, and its user must own it (or be allowed to create tables in it).
    ///   - migrations: Whether to make its tables and functions, or to bring them up to date.
    /// - Returns: The store, which runs its threads until it is closed or released.
    /// - Throws: `unavailable` when the server cannot be reached, `unexpected` when the database was made by another
    ///   version.
    package static func open(
        _ url: PostgresURL, migrations: MigrationPolicy = .apply
    ) async throws(StoreError) -> PostgresStore {
        try await open(url, options: Options(), migrations: migrations)
    }

    static func open(
        _ url: PostgresURL, options: Options, migrations: MigrationPolicy = .apply
    ) async throws(StoreError) -> PostgresStore {
        let prepared: Result<SchemaReport, StoreError> = await withCheckedContinuation { continuation in
            let started = Thread.start {
                do throws(StoreError) {
                    let schema = try Migrator.prepare(url, options: options, policy: migrations)
                    continuation.resume(returning: .success(schema))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !started { continuation.resume(returning: .failure(noThread)) }
        }
        return try PostgresStore(url, options: options, schema: try prepared.get())
    }

    private static let noThread = StoreError.unavailable(reason: "no thread can be started")

    private init(_ url: PostgresURL, options: Options, schema: SchemaReport) throws(StoreError) {
        self.schema = schema
        let (threads, broadcaster, monitor) = (ThreadGroup(), ChangeBroadcaster(), AvailabilityMonitor())
        let notifier = try ChangeNotifier(
            url: url, options: options, broadcaster: broadcaster, threads: threads, availability: monitor)
        let watch = RequestWatch()
        let executor = { (threads: Int, concurrency: Int) in
            BatchExecutor(
                timeout: options.timeout, threads: threads, concurrency: concurrency, availability: monitor,
                watch: watch)
        }
        (writers, readers, liveness) = (
            executor(options.writers, 1), executor(options.readers, options.readers), executor(1, 1)
        )
        writes = WriteQueues(executor: writers, claims: ClaimMemory(), monitor: monitor)
        reads = ReadQueues(executor: readers)
        beats = LivenessQueues(executor: liveness)
        self.threads = threads
        self.broadcaster = broadcaster
        self.monitor = monitor
        self.watch = watch
        now = options.now
        self.notifier = notifier
        probe = AvailabilityProbe(url, limit: options.probeLimit, availability: monitor) {
            // Notices of the time before were missed.
            notifier.broadcast(CommitNotice(isReady: true, isVisible: true))
        }
        let kinds = [
            (writers, options.writers, options.writerSettings), (readers, options.readers, .reader),
            (liveness, 1, options.livenessSettings),
        ]
        var isStarted = start { [watch, probe] in watch.run(asking: probe) } && start { [probe] in probe.run() }
        for (executor, count, settings) in kinds {
            for _ in 0..<count {
                isStarted =
                    isStarted
                    && start { [monitor, probe] in
                        BatchRunner(
                            executor: executor, url: url, options: options, settings: settings, availability: monitor,
                            probe: probe, notify: { notifier.notify($0) }
                        ).run()
                    }
            }
        }
        guard isStarted else {
            stop()
            throw Self.noThread
        }
    }

    private func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let leave = threads.enter()
        let isStarted = Thread.start {
            body()
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
        for executor in [writers, readers, liveness] { executor.close() }
        watch.close()
        probe.close()
        notifier.close()
        broadcaster.close()
        monitor.close()
    }
}

extension PostgresStore: StoreMonitoring {
    package var availability: StoreAvailability { monitor.availability }

    package func events() -> AsyncStream<StoreEvent> { monitor.events() }
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
        /// The longest time that a caller without a limit of its own waits for an answer, reconnecting included.
        var timeout: Duration = .seconds(20)
        /// The longest time that one statement may take before its connection counts as dead.
        var answerLimit: Duration = .seconds(8)
        var connectLimit: Duration = .seconds(5)
        /// The longest time for an answer to the question whether the server answers at all.
        var probeLimit: Duration = .milliseconds(900)
        /// The pauses between polls for changes, from the first to the second while nothing happens.
        var polling: ClosedRange<Duration>?
        /// Whether to listen for notifications.
        var listens = true

        var writerSettings: SessionSettings { .writer(limit: answerLimit, lockTimeout: answerLimit / 8) }

        /// A rescue that waits for a lock holds up heartbeats on its connection for this time only.
        var livenessSettings: SessionSettings {
            var settings = SessionSettings.writer(limit: answerLimit, lockTimeout: answerLimit / 16)
            settings.ofSession += "; SET enable_seqscan = off"
            return settings
        }
    }
}
