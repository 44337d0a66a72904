import SQLSupport
internal import JobQueue
internal import Basics

/// A few read connections, each on a thread of its own.
///
/// A reader that wakes runs all that queued in one read transaction. It begins after the requests came, so each sees
/// every commit that was acknowledged before it was asked.
final class SQLiteReaders: Sendable {
    /// Whether a connection waits for a log that is being recovered after a crash.
    enum Patience { case none, long }

    typealias Mail = WorkQueue<Request<SQLiteConnection>>

    /// Reads in one transaction; small, so that one reader does not take what others could do at the same time.
    private static let batch = 32

    /// As many as threads serve connections; more would seldom be in use at the same time.
    private static let quickCount = 4

    private let mail = Mail()
    private let quick: InlineReaders

    private init(quick: InlineReaders) { self.quick = quick }

    /// Starts the threads and opens the quick connections. A connection that cannot be opened fails the reads it would have served.
    static func start(
        count: Int = 3, threads: ThreadGroup, open: @escaping @Sendable (Patience) throws -> SQLiteConnection
    ) throws(StoreError) -> SQLiteReaders {
        let quick: InlineReaders
        do {
            quick = try InlineReaders(count: quickCount) { try open(.none) }
        } catch {
            throw StoreError(error)
        }
        let readers = SQLiteReaders(quick: quick)
        for _ in 0..<count {
            let leave = threads.enter()
            let started = Thread.start { [mail = readers.mail] in
                serve(mail) { try open(.long) }
                leave()
            }
            guard started else {
                leave()
                readers.close()
                throw .unavailable(reason: "no thread to be had")
            }
        }
        return readers
    }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        try await mail.perform(body)
    }

    /// A read of a few rows by an index, in one statement: it runs on the caller's thread where a connection is free.
    func performQuickly<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            if let value = try quick.perform(body) { return value }
        } catch {
            throw StoreError(error)
        }
        return try await mail.perform(body)
    }

    /// Refuses further reads; the threads answer what is queued and end.
    func close() {
        quick.close()
        mail.close()
    }

    private static func serve(_ mail: Mail, open: () throws -> SQLiteConnection) {
        var connection: SQLiteConnection?
        while let batch = mail.take(upTo: batch) {
            do {
                let database = try connection ?? open()
                connection = database
                try database.execute("BEGIN")
                var isSound = true
                for request in batch where request.attempt(in: database) == .broken { isSound = false }
                if database.isInTransaction { try database.execute("COMMIT") }
                if !isSound { connection = nil }
                for request in batch { request.answer() }
            } catch {
                connection = nil
                for request in batch { request.answer(failing: StoreError(error)) }
            }
        }
    }
}
