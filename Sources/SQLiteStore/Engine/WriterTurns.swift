import SQLSupport
internal import JobQueue
internal import Basics

/// How the writers of several processes take turns at one database.
///
/// SQLite's own busy handler sleeps longer and longer, so a process that writes without pause starves the others. Here
/// everybody knocks every 50 to 200 µs, and who has just written while others write too steps aside for longer.
struct LockBackoff {
    private static let knockMicroseconds: ClosedRange<UInt32> = 50...200
    private static let gapMicroseconds: UInt32 = 300
    /// For how long after another process was seen to write it is expected to write again.
    private static let memory: Duration = .milliseconds(200)

    private let timeout: Duration
    private let clock = ContinuousClock()
    private var seenVersion: Int64?
    private var othersSeen: ContinuousClock.Instant?

    init(timeout: Duration) { self.timeout = timeout }

    /// Begins a transaction that may write.
    ///
    /// - Throws: `SQLiteError`, busy when others kept the database beyond patience.
    mutating func begin(_ database: SQLiteConnection) throws {
        try insist { try database.execute("BEGIN IMMEDIATE") }
        let version = try database.first(.dataVersion) { $0.integer() }
        if let seenVersion, version != seenVersion { othersSeen = clock.now }
        seenVersion = version
    }

    /// Tries until the database is not busy.
    mutating func insist(_ body: () throws -> Void) throws {
        var giveUp: ContinuousClock.Instant?
        while true {
            do {
                return try body()
            } catch let error as SQLiteError where error.isBusy {
                let now = clock.now
                othersSeen = now
                if let giveUp, now >= giveUp { throw error }
                giveUp = giveUp ?? now + timeout
                Thread.sleep(microseconds: .random(in: Self.knockMicroseconds))
            }
        }
    }

    func leaveGapIfOthersWrite() {
        guard let othersSeen, clock.now - othersSeen < Self.memory else { return }
        Thread.sleep(microseconds: Self.gapMicroseconds)
    }
}
