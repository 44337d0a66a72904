internal import JobQueue
internal import Synchronization

/// Read connections for questions that take some microseconds: whoever asks puts them on their own thread, since two
/// changes of threads cost several times what the answer does.
///
/// Only for reads of a row or two by a key. A connection is lent to one thread at a time and never waited for: when none
/// is free, or the database would make a reader wait, the question goes to `SQLiteReaders` like any other.
final class QuickReaders: Sendable {
    /// `@unchecked Sendable`: it is either among the free ones or in the hands of the one thread that took it.
    private struct Lent: @unchecked Sendable {
        let connection: SQLiteConnection
    }

    private struct State {
        var free: [Lent] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Opens the connections.
    ///
    /// - Parameter count: As many as threads are likely to ask at once.
    init(count: Int = 4, open: () throws -> SQLiteConnection) throws {
        let connections = try (0..<count).map { _ in Lent(connection: try open()) }
        state.withLock { $0.free = connections }
    }

    /// Reads at once, on the calling thread; `nil` when the question is to be asked the slow way, which also finds out
    /// what is wrong. Each statement sees every commit that was acknowledged before.
    func answer<Value>(_ body: (SQLiteConnection) throws -> Value) -> Value? {
        guard let lent = state.withLock({ $0.free.popLast() }) else { return nil }
        defer {
            state.withLock { state in
                if !state.isClosed { state.free.append(lent) }
            }
        }
        return try? body(lent.connection)
    }

    /// Closes the connections; one that is lent closes when it comes back.
    func close() {
        let free = state.withLock { state in
            defer { state = State(free: [], isClosed: true) }
            return state.free
        }
        withExtendedLifetime(free) {}
    }
}
