internal import Basics
internal import JobQueue
import SQLSupport
internal import Synchronization

/// A few read connections, each on a thread of its own.
///
/// A reader that wakes runs all queued requests in one read transaction. The transaction begins after the requests
/// came, so each of them sees every commit that was acknowledged before it.
final class SQLiteReaders: Sendable {
    /// Whether a connection waits for the recovery of the log after a crash.
    enum Waiting { case none, long }

    typealias Requests = WorkQueue<Request<SQLiteConnection>>

    /// The number of reads in one transaction; small, so that the readers share the queued requests.
    private static let batch = 32

    /// The number of threads that serve HTTP connections; more inline readers would rarely be in use at once.
    private static let inlineCount = 4

    private let requests = Requests()
    private let inline: InlineReaders
    private let availability: AvailabilityMonitor

    private init(inline: InlineReaders, availability: AvailabilityMonitor) {
        self.inline = inline
        self.availability = availability
    }

    /// Starts the threads and opens the inline connections.
    ///
    /// A thread whose connection cannot be opened fails the reads that it takes.
    static func start(
        count: Int = 3, threads: ThreadGroup, availability: AvailabilityMonitor = AvailabilityMonitor(),
        open: @escaping @Sendable (Waiting) throws -> SQLiteConnection
    ) throws(StoreError) -> SQLiteReaders {
        let inline: InlineReaders
        do {
            inline = try InlineReaders(count: inlineCount) { try open(.none) }
        } catch {
            throw StoreError(error)
        }
        let readers = SQLiteReaders(inline: inline, availability: availability)
        for _ in 0..<count {
            let leave = threads.enter()
            let started = Thread.start { [requests = readers.requests] in
                serve(requests, availability) { try open(.long) }
                leave()
            }
            guard started else {
                leave()
                readers.close()
                throw .unavailable(reason: "the system has no thread left")
            }
        }
        return readers
    }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        try await requests.perform(body)
    }

    /// Runs a read of a few rows by an index, in one statement, on the caller's thread if a connection is free.
    func performInline<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            if let value = try inline.perform(body) { return value }
        } catch {
            availability.note(error)
            throw StoreError(error)
        }
        return try await requests.perform(body)
    }

    /// Refuses further reads; the threads answer the queued ones and end.
    func close() {
        inline.close()
        requests.close()
    }

    private static func serve(
        _ requests: Requests, _ availability: AvailabilityMonitor, open: () throws -> SQLiteConnection
    ) {
        var connection: SQLiteConnection?
        while let batch = requests.take(upTo: batch) {
            do {
                let database = try connection ?? open()
                connection = database
                try database.execute("BEGIN")
                var isSound = true
                for request in batch where request.attempt(in: database) == .broken {
                    isSound = false
                    if let error = request.breakage { availability.note(error) }
                }
                if database.isInTransaction { try database.execute("COMMIT") }
                if !isSound { connection = nil }
                for request in batch { request.answer() }
            } catch {
                connection = nil
                availability.note(error)
                for request in batch { request.answer(failing: StoreError(error)) }
            }
        }
    }
}

/// Read connections for queries of a few rows by an index, which run on the caller's thread.
///
/// Such a read takes some microseconds, less than waking another thread, and never waits for the writer. When all
/// connections are in use the caller uses `SQLiteReaders` instead, so this type never blocks.
final class InlineReaders: Sendable {
    /// `@unchecked Sendable`: only the caller that took a connection out of `idle` uses it until it is returned; the
    /// lock orders one use after the other.
    private struct Reader: @unchecked Sendable {
        let connection: SQLiteConnection
    }

    private struct State {
        var idle: [Reader] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Opens the connections.
    init(count: Int, open: () throws -> SQLiteConnection) throws {
        var idle: [Reader] = []
        for _ in 0..<count { idle.append(Reader(connection: try open())) }
        state.withLock { $0.idle = idle }
    }

    /// Runs a read on the caller's thread; `nil` when no connection is free or the database recovers its log.
    ///
    /// - Parameter body: One statement, so that SQLite begins and ends its read transaction around it, which sees every
    ///   commit that was acknowledged before.
    /// - Returns: The value of the body.
    /// - Throws: The error of the body.
    func perform<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value? {
        guard let reader = state.withLock({ $0.idle.popLast() }) else { return nil }
        defer {
            state.withLock { state in
                if !state.isClosed { state.idle.append(reader) }
            }
        }
        do {
            return try body(reader.connection)
        } catch let error as SQLiteError where error.isBusy {
            return nil
        }
    }

    /// Closes idle connections; the others close when they are returned.
    func close() {
        // The connections close outside the lock.
        let idle = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.idle
        }
        _ = idle
    }
}
