internal import Basics
internal import CPQ
internal import Glibc
internal import JobQueue
internal import SQLSupport
internal import Synchronization

/// Publishes notices of commits: to the watchers in this process at once, and to other processes by one NOTIFY for all
/// commits since the last one.
///
/// NOTIFY takes a lock of the whole server until its transaction has committed, so it stays out of the transactions
/// that write: a thread with a connection of its own sends it after them. When a notification is lost or the connection
/// breaks, polling finds the change: it reads counters, with pauses that grow while nothing happens, and signals
/// without a known change from time to time.
final class ChangeNotifier: Sendable {
    private struct Outbox {
        var notice = CommitNotice()
        var isClosed = false
    }

    private let broadcaster: ChangeBroadcaster
    private let outbox = Mutex(Outbox())
    /// The event descriptor that wakes the thread.
    private let wakeup: Int32

    init(
        url: PostgresURL, options: PostgresStore.Options, broadcaster: ChangeBroadcaster, threads: ThreadGroup,
        availability: AvailabilityMonitor
    ) throws(StoreError) {
        self.broadcaster = broadcaster
        wakeup = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard wakeup >= 0 else { throw .unavailable(reason: "no file descriptor is left") }
        let leave = threads.enter()
        let started = Thread.start { [self] in
            NotificationLoop(url: url, options: options, notifier: self, availability: availability).run(wakeup: wakeup)
            Glibc.close(wakeup)
            leave()
        }
        guard started else {
            leave()
            Glibc.close(wakeup)
            throw .unavailable(reason: "no thread can be started")
        }
    }

    /// Publishes a commit of this process.
    func notify(_ notice: CommitNotice) {
        guard !notice.isEmpty else { return }
        let isFirst = outbox.withLock { outbox in
            defer { outbox.notice.merge(notice) }
            return outbox.notice.isEmpty
        }
        broadcast(notice)
        if isFirst { wakeThread() }
    }

    /// The notice that other processes have not got yet.
    var pending: CommitNotice { outbox.withLock { $0.notice } }

    /// Takes the notice to send to other processes.
    func takePending() -> CommitNotice {
        outbox.withLock { outbox in
            defer { outbox.notice = CommitNotice() }
            return outbox.notice
        }
    }

    /// Returns a notice that could not be sent.
    func putBack(_ notice: CommitNotice) {
        outbox.withLock { $0.notice.merge(notice) }
    }

    /// Tells the watchers in this process.
    func broadcast(_ notice: CommitNotice) {
        if notice.isReady { broadcaster.notify(.ready) }
        if notice.isVisible { broadcaster.notify(.visible) }
    }

    var hasClosed: Bool { outbox.withLock { $0.isClosed } }

    /// Ends the thread. Called once.
    func close() {
        outbox.withLock { $0.isClosed = true }
        wakeThread()
    }

    private func wakeThread() {
        var one: UInt64 = 1
        _ = write(wakeup, &one, 8)
    }
}
