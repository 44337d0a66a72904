import SQLSupport
internal import Synchronization

/// Read connections for questions that an index answers with a few rows, which run on the caller's own thread.
///
/// Such a read takes some microseconds, less than waking another thread does, and never waits for the writer. When all
/// connections are taken the caller goes to `SQLiteReaders`, so nobody waits here.
final class InlineReaders: Sendable {
    /// `@unchecked Sendable`: a connection is used by whoever took it out of `idle`, and by nobody else until it is
    /// back; the lock orders one use after the other.
    private struct Slot: @unchecked Sendable {
        let connection: SQLiteConnection
    }

    private struct State {
        var idle: [Slot] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Opens the connections.
    init(count: Int, open: () throws -> SQLiteConnection) throws {
        var idle: [Slot] = []
        for _ in 0..<count { idle.append(Slot(connection: try open())) }
        state.withLock { $0.idle = idle }
    }

    /// Runs a read here and now; `nil` when it must be run elsewhere: no connection is free, or the database was busy
    /// with the recovery of its log.
    ///
    /// - Parameter body: One statement, so that SQLite begins and ends its read transaction around it, which sees every
    ///   commit that was acknowledged before.
    /// - Returns: What the body returned.
    /// - Throws: What the body threw.
    func perform<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value? {
        guard let slot = state.withLock({ $0.idle.popLast() }) else { return nil }
        defer {
            state.withLock { state in
                if !state.isClosed { state.idle.append(slot) }
            }
        }
        do {
            return try body(slot.connection)
        } catch let error as SQLiteError where error.isBusy {
            return nil
        }
    }

    /// Closes what is idle; what is in use closes when it comes back.
    func close() {
        // The connections close outside of the lock.
        let idle = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.idle
        }
        _ = idle
    }
}
