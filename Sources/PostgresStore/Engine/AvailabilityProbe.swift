internal import Basics
internal import JobQueue
import SQLSupport
internal import Synchronization

/// A thread that finds out whether the server answers, over a connection of its own, and notices its return.
///
/// It asks nothing while requests are answered. When one fails or waits for long it asks the server for a constant. If
/// no answer comes, and no other request is answered meanwhile, the database is away: all threads stop waiting for
/// answers, and only this one connects, several times a second, until the server answers again.
///
/// `@unchecked Sendable`: the monitor guards the state; the connection belongs to the thread.
final class AvailabilityProbe: @unchecked Sendable {
    private let url: PostgresURL
    private let limit: Duration
    private let availability: AvailabilityMonitor
    /// Called after the server's return.
    private let onReturn: @Sendable () -> Void
    private let monitor = Monitor()
    private let condition = Monitor.Condition()
    private var isAsked = false
    private var isClosed = false
    private var connection: PostgresConnection?
    /// The number of batches that the server has carried out.
    private let answers = Atomic<Int64>(0)
    private let gap = AnswerGap()

    /// The time for which an unused connection is kept.
    private static let idleLimit: Duration = .seconds(30)

    /// - Parameters:
    ///   - url: The database.
    ///   - limit: The longest time that a connection, and then an answer, may take.
    ///   - availability: Is told of outages.
    ///   - onReturn: Called when the server answers again.
    init(
        _ url: PostgresURL, limit: Duration, availability: AvailabilityMonitor,
        onReturn: @escaping @Sendable () -> Void
    ) {
        self.url = url
        self.limit = limit
        self.availability = availability
        self.onReturn = onReturn
    }

    /// Asks the server soon; returns at once.
    func ask() {
        monitor.withLock {
            guard !isAsked else { return }
            isAsked = true
            condition.signal()
        }
    }

    /// Notes that the server has carried out a batch. An answer that needs no table shows only that it can be reached.
    func noteAnswer(fromTables: Bool) {
        answers.wrappingAdd(1, ordering: .relaxed)
        guard fromTables else { return }
        gap.noteAnswer(at: .now)
        availability.noteAnswer()
    }

    /// Notes a request whose caller was answered without the server.
    func noteFailure(of arrival: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
        if let start = gap.noteFailure(of: arrival, at: now) { noteUnanswered(since: start) }
    }

    /// Notes a request that still waits for the server.
    func noteWait(since arrival: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
        if let start = gap.noteWait(since: arrival, at: now) { noteUnanswered(since: start) }
    }

    private func noteUnanswered(since start: ContinuousClock.Instant) {
        availability.noteUnanswered("\(url) takes connections and answers no request", since: start)
    }

    func close() {
        monitor.withLock {
            isClosed = true
            condition.signal()
        }
    }

    /// The loop of the thread.
    func run() {
        while waitForQuestion() {
            let before = answers.load(ordering: .relaxed)
            do throws(PostgresFailure) {
                try askServer()
                let wasAway = availability.isUnavailable
                // Requests that arrived in an outage that is over tell nothing of another one.
                if availability.unreachableSince != nil { gap.noteAnswer(at: .now) }
                availability.noteReachable()
                monitor.withLock { isAsked = false }
                if wasAway { onReturn() }
                pause(for: .milliseconds(500))
            } catch {
                connection = nil
                // The server may refuse this connection and serve others, as when all connections are taken.
                if error.isCrowded { pause(for: .seconds(1)) }
                guard answers.load(ordering: .relaxed) == before else {
                    monitor.withLock { isAsked = false }
                    continue
                }
                let reason = if case .unreachable(let reason) = error { reason } else { "\(url) does not answer" }
                availability.noteUnavailable(reason)
                pause(for: .milliseconds(.random(in: 100...300)))
            }
        }
        connection = nil
    }

    private func askServer() throws(PostgresFailure) {
        let open: PostgresConnection
        if let connection { open = connection } else { open = try PostgresConnection(url, limit: limit) }
        connection = open
        _ = try open.runScript("SELECT 1", limit: limit)
    }

    /// Waits until somebody asks; `false` when the probe is closed. An unused connection is closed after a while.
    private func waitForQuestion() -> Bool {
        monitor.withLock {
            while !isClosed, !isAsked {
                condition.wait(in: monitor, until: connection == nil ? nil : .now + Self.idleLimit)
                if !isAsked { connection = nil }
            }
            return !isClosed
        }
    }

    private func pause(for duration: Duration) {
        monitor.withLock {
            let end = ContinuousClock.now + duration
            while !isClosed, .now < end { condition.wait(in: monitor, until: end) }
        }
    }
}
