import SQLSupport
package import JobQueue
internal import Synchronization
internal import Basics

/// Jobs, credits and records in one SQLite file, which any number of processes of one machine share.
///
/// Each process has one writer, which commits waiting requests in groups, a few readers, and a watcher for other
/// processes' commits. An acknowledged write survives a loss of power.
package final class SQLiteStore: JobStore, StoreAdministration {
    let writer: SQLiteWriter
    let readers: SQLiteReaders
    let broadcaster: ChangeBroadcaster
    let monitor: AvailabilityMonitor
    let path: String
    package let schema: SchemaReport
    let clock: @Sendable () -> Timestamp
    private let watcher: WALWatcher
    private let threads: ThreadGroup
    private let isClosed = Mutex(false)

    /// Options for tests.
    struct Options: Sendable {
        /// The largest number of pages of 4 KiB; `nil` leaves the limits of SQLite and of the disk.
        var maxPages: Int?
        var watching = WALWatcher.Options()
        var machine = MachineClock.system
    }

    /// Opens a database file.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder must be on a local disk.
    ///   - migrations: Whether to apply missing migrations; unless they are refused, a missing file is created with its
    ///     folder.
    ///   - now: A clock for tests, in place of the one that all processes share by the database.
    /// - Returns: The store, which runs its threads until it is closed or released.
    /// - Throws: `unavailable` when the file cannot be used, `full`, `unexpected` when it is no database of this
    ///   version.
    package static func open(
        path: String, migrations: MigrationPolicy = .apply, now: (@Sendable () -> Timestamp)? = nil
    ) async throws(StoreError) -> SQLiteStore {
        try await open(path: path, options: Options(), migrations: migrations, now: now)
    }

    static func open(
        path: String, options: Options, migrations: MigrationPolicy = .apply, now: (@Sendable () -> Timestamp)? = nil
    ) async throws(StoreError) -> SQLiteStore {
        switch migrations {
        case .apply, .create: try DatabaseFile.create(path)
        case .refuse: try DatabaseFile.check(path)
        }
        let monitor = AvailabilityMonitor()
        let threads = ThreadGroup()
        let broadcaster = ChangeBroadcaster()
        let counter = CommitCounter(changes: broadcaster, logPath: path + "-wal")
        let shared = now == nil ? SharedClock(options.machine) : nil
        let clock = now ?? { shared?.now ?? Timestamp(milliseconds: WallClock.milliseconds()) }
        let writer = try await SQLiteWriter.start(
            counter: counter, threads: threads, clock: StoreClock(now: clock, shared: shared),
            availability: monitor
        ) {
            // The shared clock is not read yet, and reading it too early would keep it from running backwards later.
            let timestamp = now?() ?? Timestamp(milliseconds: options.machine.read().wall)
            return try DatabaseFile.openForWriting(
                path, maxPages: options.maxPages, migrations: migrations, now: timestamp)
        }
        do throws(StoreError) {
            let readers = try SQLiteReaders.start(threads: threads, availability: monitor) { waiting in
                try DatabaseFile.openForReading(path, waiting: waiting == .long)
            }
            do throws(StoreError) {
                let schema = try await readers.perform { try Migrator.check($0) }
                let watcher = try WALWatcher(
                    logPath: path + "-wal", options: options.watching, counter: counter, clock: shared, threads: threads
                ) {
                    try DatabaseFile.openForReading(path)
                }
                return SQLiteStore(
                    path: path, schema: schema, writer: writer, readers: readers, broadcaster: broadcaster,
                    monitor: monitor,
                    clock: clock, watcher: watcher, threads: threads)
            } catch {
                readers.close()
                throw error
            }
        } catch {
            writer.close()
            throw error
        }
    }

    private init(
        path: String, schema: SchemaReport, writer: SQLiteWriter, readers: SQLiteReaders,
        broadcaster: ChangeBroadcaster,
        monitor: AvailabilityMonitor, clock: @escaping @Sendable () -> Timestamp, watcher: WALWatcher,
        threads: ThreadGroup
    ) {
        self.path = path
        self.schema = schema
        self.writer = writer
        self.readers = readers
        self.broadcaster = broadcaster
        self.monitor = monitor
        self.clock = clock
        self.watcher = watcher
        self.threads = threads
    }

    deinit { stop() }

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
        writer.close()
        readers.close()
        watcher.close()
        broadcaster.close()
        monitor.close()
    }
}

extension SQLiteStore: StoreMonitoring {
    package var availability: StoreAvailability { monitor.availability }

    package func events() -> AsyncStream<StoreEvent> { monitor.events() }

    package var logBytes: Int64? { LogSize.bytes(at: path + "-wal") }
}
