internal import Glibc
internal import JobQueue
import SQLSupport
internal import Synchronization

/// The shared clock of a database, as last read by this process. It never runs backwards within a process.
final class SharedClock: Sendable {
    private let machine: MachineClock
    private let offset: Atomic<Int64>
    private let latest = Atomic<Int64>(.min)
    /// The time at which the current anchor was written.
    private let followed = Mutex<Int64>(.min)

    /// Starts with the machine's wall clock, until the database is read.
    init(_ machine: MachineClock) {
        self.machine = machine
        let reading = machine.read()
        offset = Atomic(reading.wall - reading.sinceBoot)
    }

    var now: Timestamp {
        let timestamp = machine.read().sinceBoot + offset.load(ordering: .relaxed)
        let before = latest.max(timestamp, ordering: .relaxed).oldValue
        return Timestamp(milliseconds: max(timestamp, before))
    }

    /// Adopts an anchor of this boot of the machine, unless it is older than the current one.
    func follow(_ anchor: ClockAnchor) {
        guard anchor.boot == machine.boot else { return }
        followed.withLock { followed in
            guard anchor.setAt >= followed else { return }
            followed = anchor.setAt
            offset.store(anchor.offset, ordering: .relaxed)
        }
    }

    /// Reads the database's clock and moves it towards this process's, within a transaction that writes.
    func update(in database: SQLiteConnection, isOpening: Bool) throws {
        let stored = try database.clockAnchor()
        let next = ClockAnchor.next(after: stored, boot: machine.boot, machine.read(), isOpening: isOpening)
        if next != stored {
            try database.run(.clockSet, .text(next.boot), .integer(next.offset), .integer(next.setAt))
        }
        follow(next)
    }

    /// Milliseconds since the boot of the machine.
    var sinceBoot: Int64 { machine.read().sinceBoot }
}

extension SQLiteConnection {
    /// The stored anchor of the shared clock.
    func clockAnchor() throws -> ClockAnchor? {
        try first(.clockGet) { row in
            ClockAnchor(boot: row.text(), offset: row.integer(), setAt: row.integer())
        }
    }
}

/// The store's clock.
struct StoreClock: Sendable {
    var now: @Sendable () -> Timestamp
    /// The shared clock of the database that `now` reads; `nil` where a test provides its own.
    var shared: SharedClock?
}

/// The offset by which all processes of a database convert the time since boot, which they share, into a timestamp. It
/// is kept in one row of the database.
///
/// 1. No single wall clock decides. A process whose clock is wrong, or jumps, still uses the shared time.
/// 2. The shared time follows the wall clocks by at most an eighth of the elapsed time. So it never stops, runs
///    backwards or jumps, and pauses and deadlines keep about their length.
/// 3. A difference of more than an hour is a corrected clock and no drift. A process that opens the database then sets
///    the shared time to its own wall clock.
struct ClockAnchor: Equatable {
    /// The boot of the machine to which the times belong.
    var boot: String
    /// The milliseconds to add to the time since boot.
    var offset: Int64
    /// The time of the last change, in milliseconds since boot.
    var setAt: Int64

    private static let tolerance: Int64 = 100
    private static let hour: Int64 = 3_600_000
    /// The longest time that counts as elapsed since the last change, so that a process that comes after a day causes
    /// no jump.
    private static let longestStep: Int64 = 2000

    /// The anchor after a reading of the clocks, with the one in the database as `stored`; `isOpening` means that the
    /// process has just opened the database.
    static func next(
        after stored: ClockAnchor?, boot: String, _ reading: MachineClock.Reading, isOpening: Bool
    ) -> ClockAnchor {
        let own = ClockAnchor(boot: boot, offset: reading.wall - reading.sinceBoot, setAt: reading.sinceBoot)
        guard var anchor = stored, anchor.boot == boot else { return own }
        let difference = own.offset - anchor.offset
        if isOpening, abs(difference) > hour { return own }
        let passed = min(max(reading.sinceBoot - anchor.setAt, 0), longestStep)
        guard abs(difference) > tolerance, passed >= 8 else { return anchor }
        anchor.offset += min(max(difference, -passed / 8), passed / 8)
        anchor.setAt = reading.sinceBoot
        return anchor
    }
}

/// The machine's two clocks: the wall clock, which can be set, and the time since boot, which cannot.
struct MachineClock: Sendable {
    /// One reading of both clocks.
    struct Reading: Sendable, Equatable {
        /// Milliseconds since 1970.
        var wall: Int64
        /// Milliseconds since the boot of the machine, suspension included; the same for all processes.
        var sinceBoot: Int64
    }

    /// The id of the current boot.
    var boot: String
    var read: @Sendable () -> Reading

    /// The clocks of this machine.
    static let system = MachineClock(boot: bootID()) {
        Reading(wall: milliseconds(CLOCK_REALTIME), sinceBoot: milliseconds(CLOCK_BOOTTIME))
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func bootID() -> String {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes[..<max(count, 0)].prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
    }
}
