import SQLSupport
internal import Glibc
internal import JobQueue
internal import Synchronization

/// Carries news of commits: to the watchers in this process at once, to other processes by a counter in the database
/// and a touch of the write-ahead log.
///
/// The touch comes after the COMMIT. The log's own writes would not do as a signal: they happen before the commit can
/// be seen, and nothing follows them.
final class CommitCounter: Sendable {
    /// How many commits made jobs ready, and how many changed what clients see.
    struct Counts: Sendable, Equatable {
        var ready: Int64
        var visible: Int64
    }

    private let hub: ChangeBroadcaster
    private let logPath: String
    private let seen = Mutex<Counts?>(nil)

    init(hub: ChangeBroadcaster, logPath: String) {
        self.hub = hub
        self.logPath = logPath
    }

    /// Counts this transaction, as part of it; `nil` when it has no news.
    func count(in transaction: WriteTransaction) throws -> Counts? {
        guard transaction.madeReady || transaction.madeVisible else { return nil }
        return try transaction.database.first(
            .commitCounterBump, .integer(transaction.madeReady), .integer(transaction.madeVisible)
        ) { Counts(ready: $0.integer(), visible: $0.integer()) }
    }

    /// Tells everybody of the commit.
    func announce(_ counts: Counts, of transaction: WriteTransaction) {
        let ready: Int64 = transaction.madeReady ? 1 : 0
        let visible: Int64 = transaction.madeVisible ? 1 : 0
        // Whatever the counters moved beyond this commit was other processes' doing.
        fire(counts, own: Counts(ready: ready, visible: visible))
        if ready == 1 { hub.fire(.ready) }
        if visible == 1 { hub.fire(.visible) }
        utimensat(AT_FDCWD, logPath, nil, 0)
    }

    /// Takes in what a watcher read from the database.
    func observe(_ counts: Counts) { fire(counts, own: Counts(ready: 0, visible: 0)) }

    private func fire(_ counts: Counts, own: Counts) {
        let news = seen.withLock { seen in
            guard let before = seen else {
                seen = counts
                return (ready: true, visible: true)
            }
            seen = Counts(ready: max(before.ready, counts.ready), visible: max(before.visible, counts.visible))
            return (
                ready: counts.ready - own.ready > before.ready, visible: counts.visible - own.visible > before.visible
            )
        }
        if news.ready { hub.fire(.ready) }
        if news.visible { hub.fire(.visible) }
    }
}
