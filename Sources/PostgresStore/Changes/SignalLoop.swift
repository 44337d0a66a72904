import SQLSupport
internal import Glibc
internal import JobQueue

/// What the thread of `ChangeNotifier` does. Everything in it belongs to that thread.
final class NotificationLoop {
    private let url: PostgresURL
    private let options: PostgresStore.Options
    private let signals: ChangeNotifier
    private let polling: ClosedRange<Duration>
    private var connection: PostgresConnection?
    private var pause: Duration
    private var counts: (ready: Int64, visible: Int64)?
    private var looksWithoutNews = 0
    /// When a job has become claimable, and when something else changed. The first after a while go out at once; others
    /// come together, since each costs as much as a small batch and wakes every worker.
    private var paces = (
        ready: TokenBucket(every: .milliseconds(2), burst: 8, at: .now),
        visible: TokenBucket(every: .milliseconds(10), burst: 1, at: .now)
    )

    /// Looks without a change after which watchers are signalled all the same.
    private static let timeout = 5
    private static let limit: Duration = .seconds(8)
    /// News outlive no crash: everybody connects anew after one, and looks. So they need not wait for the disk, nor
    /// have the disk busy when the next commit needs it.
    private static let settings = "SET synchronous_commit = off"

    init(url: PostgresURL, options: PostgresStore.Options, signals: ChangeNotifier) {
        self.url = url
        self.options = options
        self.signals = signals
        let usual: ClosedRange<Duration> =
            url.isPooled || !options.listens
            ? .milliseconds(20)...(.milliseconds(500)) : .milliseconds(500)...(.seconds(2))
        polling = options.polling ?? usual
        pause = polling.lowerBound
    }

    private var listens: Bool { options.listens && !url.isPooled }

    func run(bell: Int32) {
        while !signals.hasClosed {
            do throws(PostgresFailure) {
                let connection = try connected()
                try tellOthers(over: connection)
                if waitForNews(bell, connection) {
                    pause = polling.lowerBound
                    try hear(over: connection)
                } else {
                    try look(over: connection)
                }
            } catch {
                connection = nil
                counts = nil
                _ = waitForNews(bell, nil)
            }
        }
        // What was committed last is still told.
        if let connection { try? tellOthers(over: connection, atOnce: true) }
    }

    private func connected() throws(PostgresFailure) -> PostgresConnection {
        if let connection { return connection }
        let opened = try PostgresConnection(url, limit: options.connectLimit)
        if !url.isPooled { _ = try opened.runScript(Self.settings, limit: Self.limit) }
        if listens { _ = try opened.runScript("LISTEN dossier", limit: Self.limit) }
        connection = opened
        // Whatever happened while nobody listened.
        signals.fire(isReady: true, isVisible: true)
        return opened
    }

    private func tellOthers(over connection: PostgresConnection, atOnce: Bool = false) throws(PostgresFailure) {
        guard atOnce || timeUntilTelling() == .zero else { return }
        let news = signals.takeNews()
        guard news.isReady || news.isVisible else { return }
        let now = ContinuousClock.now
        if news.isReady { paces.ready.note(at: now) }
        paces.visible.note(at: now)
        let payload = (news.isReady ? "ready " : "") + (news.isVisible ? "visible" : "")
        do throws(PostgresFailure) {
            _ = try connection.run([Statement(.notify) { $0.add(payload) }], limit: Self.limit)
        } catch {
            signals.putBack(isReady: news.isReady, isVisible: news.isVisible)
            throw error
        }
        try hear(over: connection)
    }

    /// How long news must wait for their turn; `nil` when there are none.
    private func timeUntilTelling() -> Duration? {
        let news = signals.news
        guard news.isReady || news.isVisible else { return nil }
        return (news.isReady ? paces.ready : paces.visible).wait(at: .now)
    }

    private func hear(over connection: PostgresConnection) throws(PostgresFailure) {
        let own = connection.process
        for notice in try connection.notifications() where notice.process != own {
            signals.fire(isReady: notice.payload.hasPrefix("ready"), isVisible: notice.payload.hasSuffix("visible"))
        }
    }

    /// Looks at the counters, in case no notification came.
    private func look(over connection: PostgresConnection) throws(PostgresFailure) {
        let rows = try connection.run([Statement(.noticeCounts)], limit: Self.limit)
        try hear(over: connection)
        let now = rows.first?.first { (ready: $0.integer(), visible: $0.integer()) }
        guard let now else { return }
        let before = counts ?? (ready: -1, visible: -1)
        counts = now
        looksWithoutNews += 1
        let isChanged = now != before
        if isChanged || looksWithoutNews >= Self.timeout {
            looksWithoutNews = 0
            signals.fire(
                isReady: !isChanged || now.ready != before.ready, isVisible: !isChanged || now.visible != before.visible
            )
        }
        pause = isChanged ? polling.lowerBound : min(pause * 2, polling.upperBound)
    }

    /// Waits for a poke, for a notification or until news may be told; `false` when it is time to look.
    private func waitForNews(_ bell: Int32, _ connection: PostgresConnection?) -> Bool {
        var descriptors = [
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection?.socket ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(pause.wholeMilliseconds)
        var timeout = Int32.random(in: (milliseconds / 2)...max(milliseconds, 1))
        let wait = connection == nil ? nil : timeUntilTelling()
        if let wait { timeout = min(timeout, Int32(wait.wholeMilliseconds) + 1) }
        let count = poll(&descriptors, 2, timeout)
        if descriptors[0].revents != 0 {
            var rings: UInt64 = 0
            _ = read(bell, &rings, 8)
        }
        return count > 0 || wait != nil
    }
}
