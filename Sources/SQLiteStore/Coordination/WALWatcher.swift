internal import Basics
internal import Glibc
internal import JobQueue
import SQLSupport

/// A thread that notices other processes' commits by inotify, and by a poll every second in case inotify fails.
///
/// It watches the folder, since the write-ahead log may be deleted and created again, and only changes of attributes,
/// so that a busy writer does not flood it with events.
final class WALWatcher: Sendable {
    /// The means of noticing commits.
    struct Options: Sendable {
        var usesInotify = true
        /// The longest time between looks at the database; negative for no limit.
        var pollMilliseconds: Int32 = 1000
    }

    /// The write end of a pipe that ends the thread.
    private let stop: Int32

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - logPath: The write-ahead log, which may not exist yet.
    ///   - options: The means of noticing commits.
    ///   - counter: The receiver of the counts.
    ///   - clock: The clock that follows the one in the database.
    ///   - threads: The group that the thread joins.
    ///   - open: Opens the thread's own connection.
    /// - Throws: `unavailable` when the system gives no thread or no descriptor.
    init(
        logPath: String, options: Options, counter: CommitCounter, clock: SharedClock? = nil, threads: ThreadGroup,
        open: @escaping @Sendable () throws -> SQLiteConnection
    ) throws(StoreError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .unavailable(reason: "the system has no file descriptor left") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (stopped, stop) = (ends[0], ends[1])
        let leave = threads.enter()
        let started = Thread.start {
            Self.watch(logPath, stopped: stopped, options: options, counter: counter, clock: clock, open: open)
            Glibc.close(stopped)
            leave()
        }
        guard started else {
            leave()
            Glibc.close(stopped)
            Glibc.close(stop)
            throw .unavailable(reason: "the system has no thread left")
        }
        self.stop = stop
    }

    /// Ends the thread. Called once.
    func close() {
        // Closing alone does not end the thread while a child process has inherited the pipe.
        _ = write(stop, "", 1)
        Glibc.close(stop)
    }

    private static func watch(
        _ logPath: String, stopped: Int32, options: Options, counter: CommitCounter, clock: SharedClock?,
        open: () throws -> SQLiteConnection
    ) {
        let events = options.usesInotify ? inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) : -1
        defer { if events >= 0 { Glibc.close(events) } }
        let (folder, name) = split(logPath)
        if events >= 0 { inotify_add_watch(events, folder, UInt32(IN_ATTRIB | IN_CREATE)) }
        var connection: SQLiteConnection?
        // poll ignores a negative descriptor, so only the timeout remains without inotify.
        var descriptors = [pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)]
        descriptors.append(pollfd(fd: events, events: Int16(POLLIN), revents: 0))
        while true {
            readCounts(&connection, counter: counter, clock: clock, open: open)
            var concernsLog = false
            while !concernsLog {
                let count = poll(&descriptors, 2, options.pollMilliseconds)
                if descriptors[0].revents != 0 { return }
                concernsLog = count <= 0 || mentions(name, in: events)
            }
        }
    }

    private static func readCounts(
        _ connection: inout SQLiteConnection?, counter: CommitCounter, clock: SharedClock?,
        open: () throws -> SQLiteConnection
    ) {
        do {
            let database = try connection ?? open()
            connection = database
            let counts = try database.first(.commitCounterRead) { row in
                CommitCounter.Counts(ready: row.integer(), visible: row.integer())
            }
            if let counts { counter.observe(counts) }
            if let clock, let anchor = try database.clockAnchor() { clock.follow(anchor) }
        } catch {
            // Repeated at the next event or second; readers and writers report the error meanwhile.
            connection = nil
        }
    }

    /// Reads all present events and returns whether one concerns the file of that name.
    private static func mentions(_ name: String, in events: Int32) -> Bool {
        var isMentioned = false
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            while true {
                let count = read(events, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var offset = 0
                let header = MemoryLayout<inotify_event>.size
                while offset + header <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isMentioned = true }
                    let length = Int(event.len)
                    let padded = buffer[(offset + header)..<(offset + header + length)]
                    if padded.prefix(while: { $0 != 0 }).elementsEqual(name.utf8) { isMentioned = true }
                    offset += header + length
                }
            }
        }
        return isMentioned
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
