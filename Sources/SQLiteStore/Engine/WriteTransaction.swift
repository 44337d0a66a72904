import SQLSupport
internal import JobQueue

/// The open transaction of a writer, as the verbs see it.
final class WriteTransaction {
    let database: SQLiteConnection
    private let clock: @Sendable () -> Timestamp
    /// Whether anything since the transaction began may have made a job claimable.
    private(set) var madeReady = false
    /// Whether anything since the transaction began changed what a client sees.
    private(set) var madeVisible = false

    init(database: SQLiteConnection, clock: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.clock = clock
    }

    var now: Timestamp { clock() }

    func noteReady() { madeReady = true }

    func noteVisible() { madeVisible = true }

    func forgetNotes() {
        madeReady = false
        madeVisible = false
    }
}
