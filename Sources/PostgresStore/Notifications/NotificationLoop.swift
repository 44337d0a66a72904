internal import Glibc
internal import JobQueue
internal import SQLSupport

/// The loop of the thread of `ChangeNotifier`, which owns everything in it.
final class NotificationLoop {
    private let url: PostgresURL
    private let options: PostgresStore.Options
    private let notifier: ChangeNotifier
    private let availability: AvailabilityMonitor
    private let polling: ClosedRange<Duration>
    private var connection: PostgresConnection?
    private var pause: Duration
    private var counts: (ready: Int64, visible: Int64)?
    private var pollsWithoutChange = 0
    /// Rates of notices that a job became claimable, and of other notices. After a quiet time the first ones are sent
    /// at once; others are merged, since each costs as much as a small batch and wakes every worker.
    private var rates = (
        ready: TokenBucket(every: .milliseconds(2), burst: 8, at: .now),
        visible: TokenBucket(every: .milliseconds(10), burst: 1, at: .now)
    )

    /// The number of polls without a change after which watchers are signalled all the same.
    private static let quietPolls = 5
    private static let limit: Duration = .seconds(8)
    /// Notices need not survive a crash: all processes reconnect after one, and look for changes. So they do not wait
    /// for the disk, and leave it free for the next commit.
    private static let settings = "SET synchronous_commit = off"

    init(
        url: PostgresURL, options: PostgresStore.Options, notifier: ChangeNotifier, availability: AvailabilityMonitor
    ) {
        self.availability = availability
        self.url = url
        self.options = options
        self.notifier = notifier
        let usual: ClosedRange<Duration> =
            url.isPooled || !options.listens
            ? .milliseconds(20)...(.milliseconds(500)) : .milliseconds(500)...(.seconds(2))
        polling = options.polling ?? usual
        pause = polling.lowerBound
    }

    private var listens: Bool { options.listens && !url.isPooled }

    func run(wakeup: Int32) {
        while !notifier.hasClosed {
            do throws(PostgresFailure) {
                let connection = try connected()
                try sendPending(over: connection)
                if waitForNotice(wakeup, connection) {
                    pause = polling.lowerBound
                    try receive(over: connection)
                } else {
                    try poll(over: connection)
                }
            } catch {
                connection = nil
                counts = nil
                _ = waitForNotice(wakeup, nil)
            }
        }
        // Sends the notice of the last commits.
        if let connection { try? sendPending(over: connection, atOnce: true) }
    }

    private func connected() throws(PostgresFailure) -> PostgresConnection {
        if let connection { return connection }
        let opened = try PostgresConnection(url, limit: options.connectLimit) { [availability] in
            availability.isUnreachable
        }
        if !url.isPooled { _ = try opened.runScript(Self.settings, limit: Self.limit) }
        if listens { _ = try opened.runScript("LISTEN dossier", limit: Self.limit) }
        connection = opened
        // Anything may have changed before this connection listened.
        notifier.broadcast(CommitNotice(isReady: true, isVisible: true))
        return opened
    }

    private func sendPending(
        over connection: PostgresConnection, atOnce: Bool = false
    ) throws(PostgresFailure) {
        guard atOnce || timeUntilSending() == .zero else { return }
        let notice = notifier.takePending()
        guard !notice.isEmpty else { return }
        let now = ContinuousClock.now
        if notice.isReady { rates.ready.take(at: now) }
        rates.visible.take(at: now)
        let payload = (notice.isReady ? "ready " : "") + (notice.isVisible ? "visible" : "")
        do throws(PostgresFailure) {
            _ = try connection.run([Statement(.notify) { $0.add(payload) }], limit: Self.limit)
        } catch {
            notifier.putBack(notice)
            throw error
        }
        try receive(over: connection)
    }

    /// The time that the pending notice must wait; `nil` when there is none.
    private func timeUntilSending() -> Duration? {
        let notice = notifier.pending
        guard !notice.isEmpty else { return nil }
        return (notice.isReady ? rates.ready : rates.visible).wait(at: .now)
    }

    private func receive(over connection: PostgresConnection) throws(PostgresFailure) {
        let own = connection.process
        for notice in try connection.notifications() where notice.process != own {
            notifier.broadcast(
                CommitNotice(
                    isReady: notice.payload.hasPrefix("ready"), isVisible: notice.payload.hasSuffix("visible")))
        }
    }

    /// Reads the counters of notices, in case a notification was lost.
    private func poll(over connection: PostgresConnection) throws(PostgresFailure) {
        let rows = try connection.run([Statement(.noticeCounts)], limit: Self.limit)
        try receive(over: connection)
        let now = rows.first?.first { (ready: $0.integer(), visible: $0.integer()) }
        guard let now else { return }
        let before = counts ?? (ready: -1, visible: -1)
        counts = now
        pollsWithoutChange += 1
        let isChanged = now != before
        if isChanged || pollsWithoutChange >= Self.quietPolls {
            pollsWithoutChange = 0
            notifier.broadcast(
                CommitNotice(
                    isReady: !isChanged || now.ready != before.ready,
                    isVisible: !isChanged || now.visible != before.visible))
        }
        pause = isChanged ? polling.lowerBound : min(pause * 2, polling.upperBound)
    }

    /// Waits for a wakeup, for a notification or until a notice may be sent; `false` when it is time to poll.
    private func waitForNotice(_ wakeup: Int32, _ connection: PostgresConnection?) -> Bool {
        var descriptors = [
            pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection?.socket ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(pause.wholeMilliseconds)
        var timeout = Int32.random(in: (milliseconds / 2)...max(milliseconds, 1))
        let wait = connection == nil ? nil : timeUntilSending()
        if let wait { timeout = min(timeout, Int32(wait.wholeMilliseconds) + 1) }
        let count = Glibc.poll(&descriptors, 2, timeout)
        if descriptors[0].revents != 0 {
            var wakeups: UInt64 = 0
            _ = read(wakeup, &wakeups, 8)
        }
        return count > 0 || wait != nil
    }
}

/// Limits the rate of notices: a burst at once, then one in each interval.
struct TokenBucket {
    let interval: Duration
    let burst: Int
    /// The end of the intervals of all notices that were sent.
    private var paid: ContinuousClock.Instant

    /// - Parameters:
    ///   - interval: The time between notices in the long run.
    ///   - burst: How many may be sent at once after a quiet time; at least 1.
    ///   - now: The time from which the rate is limited.
    init(every interval: Duration, burst: Int, at now: ContinuousClock.Instant) {
        self.interval = interval
        self.burst = burst
        paid = now
    }

    /// The time that the next notice has to wait.
    func wait(at now: ContinuousClock.Instant) -> Duration { max(paid - interval * (burst - 1) - now, .zero) }

    /// Counts a notice. A notice that is sent early delays the next one by one interval at most.
    mutating func take(at now: ContinuousClock.Instant) {
        paid = min(max(paid, now) + interval, now + interval * burst)
    }
}
