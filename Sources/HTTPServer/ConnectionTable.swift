import Synchronization

/// The connections that stand, for those who look at all of them: deadlines, hang-ups, shutdown.
final class ConnectionTable: Sendable {
    private struct Entries {
        var byID: [UInt64: Connection] = [:]
        var nextID: UInt64 = 1
    }

    private let entries = Mutex(Entries())
    /// Beside the entries, because each request asks for it.
    private let size = Atomic(0)

    var count: Int { size.load(ordering: .relaxed) }
    var all: [Connection] { entries.withLock { Array($0.byID.values) } }

    subscript(id: UInt64) -> Connection? { entries.withLock { $0.byID[id] } }

    /// Ids start at 1.
    func insert(_ make: (UInt64) -> Connection) -> Connection {
        entries.withLock { entries in
            let connection = make(entries.nextID)
            entries.byID[entries.nextID] = connection
            entries.nextID += 1
            size.store(entries.byID.count, ordering: .relaxed)
            return connection
        }
    }

    func remove(_ id: UInt64) {
        entries.withLock { entries in
            entries.byID[id] = nil
            size.store(entries.byID.count, ordering: .relaxed)
        }
    }
}
