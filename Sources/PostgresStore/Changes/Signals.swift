import SQLSupport
internal import CPQ
internal import Glibc
internal import JobQueue
internal import Synchronization
internal import Basics

/// Carries news of commits: to the watchers in this process at once, to other processes by one NOTIFY for all commits
/// since the last one.
///
/// NOTIFY takes a lock of the whole server until its transaction has committed, so it stays out of the transactions that
/// write: a thread with a connection of its own sends it after them. Should that be lost, or the connection break, the
/// poll behind it finds out: it looks at counters whose pauses grow while nothing happens, and signals without
/// knowing of a change once in a while.
final class ChangeNotifier: Sendable {
    private struct Outbox {
        var isReady = false
        var isVisible = false
        var isClosed = false
    }

    private let hub: ChangeBroadcaster
    private let outbox = Mutex(Outbox())
    /// Counts pokes; the thread waits on it.
    private let bell: Int32

    init(
        url: PostgresURL, options: PostgresStore.Options, hub: ChangeBroadcaster, threads: ThreadGroup
    ) throws(StoreError) {
        self.hub = hub
        bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard bell >= 0 else { throw .unavailable(reason: "no file descriptor to be had") }
        let leave = threads.enter()
        let started = Thread.start { [self] in
            NotificationLoop(url: url, options: options, signals: self).run(bell: bell)
            Glibc.close(bell)
            leave()
        }
        guard started else {
            leave()
            Glibc.close(bell)
            throw .unavailable(reason: "no thread to be had")
        }
    }

    /// Tells everybody of a commit.
    func announce(_ news: News) {
        guard news.isReady || news.isVisible else { return }
        let isFirst = outbox.withLock { outbox in
            defer {
                outbox.isReady = outbox.isReady || news.isReady
                outbox.isVisible = outbox.isVisible || news.isVisible
            }
            return !outbox.isReady && !outbox.isVisible
        }
        fire(isReady: news.isReady, isVisible: news.isVisible)
        if isFirst { ring() }
    }

    /// What has not yet been told to others.
    var news: (isReady: Bool, isVisible: Bool) { outbox.withLock { ($0.isReady, $0.isVisible) } }

    /// What has not yet been told to others, who are told now.
    func takeNews() -> (isReady: Bool, isVisible: Bool) {
        outbox.withLock { outbox in
            defer { (outbox.isReady, outbox.isVisible) = (false, false) }
            return (outbox.isReady, outbox.isVisible)
        }
    }

    /// What could not be told will be told next time.
    func putBack(isReady: Bool, isVisible: Bool) {
        outbox.withLock { outbox in
            outbox.isReady = outbox.isReady || isReady
            outbox.isVisible = outbox.isVisible || isVisible
        }
    }

    func fire(isReady: Bool, isVisible: Bool) {
        if isReady { hub.fire(.ready) }
        if isVisible { hub.fire(.visible) }
    }

    var hasClosed: Bool { outbox.withLock { $0.isClosed } }

    /// Ends the thread. Called once.
    func close() {
        outbox.withLock { $0.isClosed = true }
        ring()
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }
}
