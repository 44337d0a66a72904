import SQLSupport
internal import Basics
internal import JobQueue

/// Shares the write lock of a database between the writers of several processes.
///
/// SQLite's busy handler sleeps longer with each attempt, so a process that writes without pause starves the others.
/// Instead every writer retries after 50 to 200 µs, and pauses longer after its own commit while others write too.
struct LockBackoff {
    private static let retryMicroseconds: ClosedRange<UInt32> = 50...200
    /// The pauses between attempts when somebody holds the lock for so long that no ordinary commit can be the reason.
    private static let longMicroseconds: ClosedRange<UInt32> = 1000...4000
    private static let longWait: Duration = .milliseconds(200)
    private static let pauseMicroseconds: UInt32 = 300
    /// The time for which another process that has written is expected to write again.
    private static let memory: Duration = .milliseconds(200)

    private let timeout: Duration
    private let clock = ContinuousClock()
    private var seenVersion: Int64?
    private var othersSeen: ContinuousClock.Instant?

    init(timeout: Duration) { self.timeout = timeout }

    /// Begins a transaction that may write.
    ///
    /// - Parameters:
    ///   - database: The connection.
    ///   - waiting: Called between attempts with the time that has passed since the first.
    /// - Throws: `SQLiteError`, busy when others held the lock until the timeout.
    mutating func begin(_ database: SQLiteConnection, waiting: (Duration) -> Void = { _ in }) throws {
        try retry(waiting: waiting) { try database.execute("BEGIN IMMEDIATE") }
        let version = try database.first(.dataVersion) { $0.integer() }
        if let seenVersion, version != seenVersion { othersSeen = clock.now }
        seenVersion = version
    }

    /// Runs a body again until the database is not busy or the timeout has passed.
    mutating func retry(waiting: (Duration) -> Void = { _ in }, _ body: () throws -> Void) throws {
        var start: ContinuousClock.Instant?
        while true {
            do {
                return try body()
            } catch let error as SQLiteError where error.isBusy {
                let now = clock.now
                othersSeen = now
                let waited = now - (start ?? now)
                if waited >= timeout { throw error }
                start = start ?? now
                waiting(waited)
                let isLong = waited > Self.longWait
                Thread.sleep(microseconds: .random(in: isLong ? Self.longMicroseconds : Self.retryMicroseconds))
            }
        }
    }

    /// Leaves the lock to other processes for a short time if they have written recently.
    func pauseIfOthersWrite() {
        guard let othersSeen, clock.now - othersSeen < Self.memory else { return }
        Thread.sleep(microseconds: Self.pauseMicroseconds)
    }
}
