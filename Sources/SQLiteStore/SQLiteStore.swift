import SQLSupport
internal import Glibc
package import JobQueue
internal import Synchronization
internal import Basics

/// Jobs, credits and records in one SQLite file, which any number of processes of one machine share.
///
/// Each process has one writer, which commits what waits in groups, a few readers, and a watcher that hears of other
/// processes' commits. Durability is on: an acknowledged write survives the loss of power.
package final class SQLiteStore: JobStore, StoreAdministration {
    let writer: SQLiteWriter
    let readers: SQLiteReaders
    let hub: ChangeBroadcaster
    let path: String
    let clock: @Sendable () -> Timestamp
    private let watcher: WALWatcher
    private let threads: ThreadGroup
    private let isClosed = Mutex(false)

    /// What tests set and nobody else.
    struct Options: Sendable {
        /// How many pages of 4 KiB the file may have; `nil` leaves SQLite's own limit, and the disk's.
        var maxPages: Int?
        var watching = WALWatcher.Ways()
        var machine = MachineClock.system
    }

    /// Opens a database file, made with its folder when it is not there, and brings it up to date.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder must be on a local disk.
    ///   - now: A clock in place of the one that all processes share by the database; for tests.
    /// - Returns: The store, which runs its threads until it is closed or let go.
    /// - Throws: `unavailable` when the file cannot be used, `full`, `unexpected` when it is no database of ours.
    package static func open(
        path: String, now: (@Sendable () -> Timestamp)? = nil
    ) async throws(StoreError) -> SQLiteStore {
        try await open(path: path, options: Options(), now: now)
    }

    static func open(
        path: String, options: Options, now: (@Sendable () -> Timestamp)? = nil
    ) async throws(StoreError) -> SQLiteStore {
        try DatabaseFile.create(path)
        let threads = ThreadGroup()
        let hub = ChangeBroadcaster()
        let pulse = CommitCounter(hub: hub, logPath: path + "-wal")
        let shared = now == nil ? SharedClock(options.machine) : nil
        let clock = now ?? { shared?.now ?? SystemClock.now() }
        let writer = try await SQLiteWriter.start(
            pulse: pulse, threads: threads, clock: StoreClock(now: clock, shared: shared)
        ) {
            // The shared clock is not known yet, and what it has told once it never goes back from.
            let timestamp = now?() ?? Timestamp(milliseconds: options.machine.read().wall)
            return try DatabaseFile.openForWriting(path, maxPages: options.maxPages, now: timestamp)
        }
        do throws(StoreError) {
            let readers = try SQLiteReaders.start(threads: threads) { timeout in
                try DatabaseFile.openForReading(path, waiting: timeout == .long)
            }
            do throws(StoreError) {
                let watcher = try WALWatcher(
                    logPath: path + "-wal", ways: options.watching, pulse: pulse, clock: shared, threads: threads
                ) {
                    try DatabaseFile.openForReading(path)
                }
                return SQLiteStore(
                    path: path, writer: writer, readers: readers, hub: hub, clock: clock, watcher: watcher,
                    threads: threads)
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
        path: String, writer: SQLiteWriter, readers: SQLiteReaders, hub: ChangeBroadcaster,
        clock: @escaping @Sendable () -> Timestamp, watcher: WALWatcher, threads: ThreadGroup
    ) {
        self.path = path
        self.writer = writer
        self.readers = readers
        self.hub = hub
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
        hub.close()
    }
}

/// The machine's wall clock.
package enum SystemClock {
    package static let now: @Sendable () -> Timestamp = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
