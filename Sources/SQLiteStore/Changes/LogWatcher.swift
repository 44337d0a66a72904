import SQLSupport
internal import Glibc
internal import JobQueue
internal import Basics

/// A thread that hears of other processes' commits: by inotify, and by looking once a second in case that fails.
///
/// It watches the folder, since the write-ahead log may be deleted and made anew, for changes of attributes only: a
/// process that writes a lot does not flood it.
final class WALWatcher: Sendable {
    /// How to hear of commits.
    struct Ways: Sendable {
        var listens = true
        /// How long to go without looking; negative is for ever.
        var pollMilliseconds: Int32 = 1000
    }

    /// The end of a pipe through which the thread is told to end.
    private let stop: Int32

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - logPath: The write-ahead log, which may not be there yet.
    ///   - ways: How to hear of commits.
    ///   - pulse: Whom to tell what was read.
    ///   - clock: What follows the clock that is in the database.
    ///   - threads: What counts the thread.
    ///   - open: Opens the thread's own connection.
    /// - Throws: `unavailable` when the system gives no thread or no descriptor.
    init(
        logPath: String, ways: Ways, pulse: CommitCounter, clock: SharedClock? = nil, threads: ThreadGroup,
        open: @escaping @Sendable () throws -> SQLiteConnection
    ) throws(StoreError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .unavailable(reason: "no file descriptor to be had") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (stopped, stop) = (ends[0], ends[1])
        let leave = threads.enter()
        let started = Thread.start {
            Self.watch(logPath, stopped: stopped, ways: ways, pulse: pulse, clock: clock, open: open)
            Glibc.close(stopped)
            leave()
        }
        guard started else {
            leave()
            Glibc.close(stopped)
            Glibc.close(stop)
            throw .unavailable(reason: "no thread to be had")
        }
        self.stop = stop
    }

    /// Ends the thread. Called once.
    func close() {
        // Closing would do, unless a child process inherited the pipe.
        _ = write(stop, "", 1)
        Glibc.close(stop)
    }

    private static func watch(
        _ logPath: String, stopped: Int32, ways: Ways, pulse: CommitCounter, clock: SharedClock?,
        open: () throws -> SQLiteConnection
    ) {
        let events = ways.listens ? inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) : -1
        defer { if events >= 0 { Glibc.close(events) } }
        let (folder, name) = split(logPath)
        if events >= 0 { inotify_add_watch(events, folder, UInt32(IN_ATTRIB | IN_CREATE)) }
        var connection: SQLiteConnection?
        // A negative descriptor is passed over by poll, which leaves the slow path.
        var descriptors = [pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)]
        descriptors.append(pollfd(fd: events, events: Int16(POLLIN), revents: 0))
        while true {
            look(&connection, pulse: pulse, clock: clock, open: open)
            var concernsLog = false
            while !concernsLog {
                let count = poll(&descriptors, 2, ways.pollMilliseconds)
                if descriptors[0].revents != 0 { return }
                concernsLog = count <= 0 || mentions(name, in: events)
            }
        }
    }

    private static func look(
        _ connection: inout SQLiteConnection?, pulse: CommitCounter, clock: SharedClock?,
        open: () throws -> SQLiteConnection
    ) {
        do {
            let database = try connection ?? open()
            connection = database
            let counts = try database.first(.commitCounterRead) { row in
                CommitCounter.Counts(ready: row.integer(), visible: row.integer())
            }
            if let counts { pulse.observe(counts) }
            if let clock, let anchor = try database.clockAnchor() { clock.follow(anchor) }
        } catch {
            // Tried again at the next event or second; whoever reads or writes meanwhile gets the error.
            connection = nil
        }
    }

    /// Reads all events that are there; whether one is about the file of that name.
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
