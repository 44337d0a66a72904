internal import Glibc
internal import JobQueue
import SQLSupport
internal import Synchronization

/// Notifies the watchers of commits: those in this process directly, those in other processes by a counter in the
/// database and a touch of the write-ahead log.
///
/// The touch follows the COMMIT. The writes to the log itself are no usable signal, since they happen before the commit
/// is visible, and none follows them.
final class CommitCounter: Sendable {
    /// The number of commits that made jobs ready, and the number of commits with changes that clients can see.
    struct Counts: Sendable, Equatable {
        var ready: Int64
        var visible: Int64
    }

    private let changes: ChangeBroadcaster
    private let logPath: String
    private let seen = Mutex<Counts?>(nil)

    init(changes: ChangeBroadcaster, logPath: String) {
        self.changes = changes
        self.logPath = logPath
    }

    /// Counts a transaction, as part of it; `nil` when it changed nothing that others must notice.
    func count(in transaction: WriteTransaction) throws -> Counts? {
        guard transaction.madeReady || transaction.madeVisible else { return nil }
        return try transaction.database.first(
            .commitCounterBump, .integer(transaction.madeReady), .integer(transaction.madeVisible)
        ) { Counts(ready: $0.integer(), visible: $0.integer()) }
    }

    /// Notifies all watchers of a commit.
    func notify(_ counts: Counts, of transaction: WriteTransaction) {
        let ready: Int64 = transaction.madeReady ? 1 : 0
        let visible: Int64 = transaction.madeVisible ? 1 : 0
        // Any further movement of the counters comes from other processes.
        notify(counts, own: Counts(ready: ready, visible: visible))
        if ready == 1 { changes.notify(.ready) }
        if visible == 1 { changes.notify(.visible) }
        utimensat(AT_FDCWD, logPath, nil, 0)
    }

    /// Notifies the watchers of counts that were read from the database, if they have moved.
    func observe(_ counts: Counts) { notify(counts, own: Counts(ready: 0, visible: 0)) }

    private func notify(_ counts: Counts, own: Counts) {
        let moved = seen.withLock { seen in
            guard let before = seen else {
                seen = counts
                return (ready: true, visible: true)
            }
            seen = Counts(ready: max(before.ready, counts.ready), visible: max(before.visible, counts.visible))
            return (
                ready: counts.ready - own.ready > before.ready, visible: counts.visible - own.visible > before.visible
            )
        }
        if moved.ready { changes.notify(.ready) }
        if moved.visible { changes.notify(.visible) }
    }
}
