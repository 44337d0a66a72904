import SQLSupport
internal import JobQueue
internal import Synchronization

/// The clock of a database, as this process last heard of it. It never runs back within a process.
final class SharedClock: Sendable {
    private let machine: MachineClock
    private let offset: Atomic<Int64>
    private let latest = Atomic<Int64>(.min)
    /// When the anchor was written that is followed.
    private let followed = Mutex<Int64>(.min)

    /// Until the database was read, the time is the machine's.
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

    /// Takes over what the database says, when it speaks of this start of the machine and is not older than what is
    /// known.
    func follow(_ anchor: ClockAnchor) {
        guard anchor.boot == machine.boot else { return }
        followed.withLock { followed in
            guard anchor.setAt >= followed else { return }
            followed = anchor.setAt
            offset.store(anchor.offset, ordering: .relaxed)
        }
    }

    /// Reads the database's clock and brings it nearer to this process's. Within a transaction that writes.
    func keep(in database: SQLiteConnection, isOpening: Bool) throws {
        let stored = try database.clockAnchor()
        let next = ClockAnchor.next(after: stored, boot: machine.boot, machine.read(), isOpening: isOpening)
        if next != stored {
            try database.run(.clockSet, .text(next.boot), .integer(next.offset), .integer(next.setAt))
        }
        follow(next)
    }

    /// Milliseconds since the machine's start.
    var sinceBoot: Int64 { machine.read().sinceBoot }
}

extension SQLiteConnection {
    /// How moments are told in this database.
    func clockAnchor() throws -> ClockAnchor? {
        try first(.clockGet) { row in
            ClockAnchor(boot: row.text(), offset: row.integer(), setAt: row.integer())
        }
    }
}
