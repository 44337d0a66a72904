internal import Basics
internal import JobQueue
import SQLSupport

/// The loop of a thread with a connection: it takes batches from an executor and runs each until it is answered.
///
/// 1. A batch is one transaction in one round trip, and its answers go out only after the commit.
/// 2. A batch with a value that the server refuses is tried again in halves, down to the one request that is to blame;
///    and so is one that takes too long.
/// 3. A batch that loses a conflict with another transaction is tried again whole. One that waited too long for a lock
///    goes back to its queue, so that the thread is free for other operations.
/// 4. A piggybacked batch is tried once: when the transaction fails, it fails, and its host goes on without it.
/// 5. When the connection breaks, the thread reconnects with growing, random pauses, and tries again until the callers'
///    time is over; while the database is away it waits for its return instead. Sent statements may have been executed,
///    so every operation can be repeated.
final class BatchRunner {
    private let executor: BatchExecutor
    private let url: PostgresURL
    private let options: PostgresStore.Options
    /// The settings of a session, sent before its first statement.
    private let settings: SessionSettings
    private let availability: AvailabilityMonitor
    private let probe: AvailabilityProbe
    private let notify: (CommitNotice) -> Void
    private var connection: PostgresConnection?
    private var pause = firstPause

    private static let firstPause: Duration = .milliseconds(20)
    private static let longestPause: Duration = .seconds(1)
    /// The number of conflicts in a row after which a batch is tried in halves.
    private static let conflictLimit = 8

    init(
        executor: BatchExecutor, url: PostgresURL, options: PostgresStore.Options, settings: SessionSettings,
        availability: AvailabilityMonitor, probe: AvailabilityProbe, notify: @escaping (CommitNotice) -> Void
    ) {
        self.executor = executor
        self.url = url
        self.options = options
        self.settings = settings
        self.availability = availability
        self.probe = probe
        self.notify = notify
    }

    func run() {
        while let batch = executor.next() {
            run(batch)
            executor.finish(batch)
        }
    }

    private func run(_ batch: any AnyBatch) {
        var conflicts = 0
        while true {
            batch.dropAnswered()
            // A batch whose callers have all left takes its piggybacked requests along.
            if batch.isEmpty { return batch.failPiggyback(.conflict) }
            do throws(PostgresFailure) {
                return try send(batch)
            } catch {
                batch.failPiggyback(error)
                availability.note(error.storeError)
                switch error {
                case .unreachable, .unknownOutcome:
                    connection = nil
                    if error == .unknownOutcome { batch.noteUnknownOutcome() }
                    if executor.hasClosed { return batch.answer(failing: error.storeError) }
                    probe.ask()
                    backOff(for: batch)
                case .conflict:
                    conflicts += 1
                    if conflicts > Self.conflictLimit, batch.isDivisible { return runHalves(of: batch) }
                    if conflicts > 4 * Self.conflictLimit {
                        return batch.answer(failing: .unexpected(reason: "a row stays in the way"))
                    }
                    Thread.sleep(microseconds: .random(in: 0...1000) * UInt32(conflicts))
                case .locked:
                    if !executor.postpone(batch) { batch.answer(failing: error.storeError) }
                    return
                case .full, .damaged, .tooSlow, .invalidValue, .refused:
                    if error.isDivisible, batch.isDivisible { return runHalves(of: batch) }
                    return batch.answer(failing: error.storeError)
                }
            }
        }
    }

    /// Sends the statements of a batch and answers its callers.
    private func send(_ batch: any AnyBatch) throws(PostgresFailure) {
        let connection = try connected()
        let own = batch.statements(now: options.now?())
        let piggybacked = batch.piggyback?.statements(now: options.now?()) ?? []
        let first = url.isPooled ? settings.ofTransaction : []
        var rows = try connection.run(first + own + piggybacked, limit: batch.timeout ?? options.answerLimit)
        rows.removeFirst(first.count)
        pause = Self.firstPause
        probe.noteAnswer(fromTables: batch.needsTables)
        if settings.writes { availability.noteCommit() }
        executor.settle(batch)
        var taken: Set<JobID> = []
        _ = batch.piggyback?.accept(Array(rows.dropFirst(own.count)), taken: &taken, notify: notify)
        if batch.accept(Array(rows.prefix(own.count)), taken: &taken, notify: notify) { executor.putBack(batch) }
    }

    private func runHalves(of batch: any AnyBatch) {
        for half in batch.halves() { run(half) }
    }

    private func connected() throws(PostgresFailure) -> PostgresConnection {
        if let connection { return connection }
        let opened = try PostgresConnection(url, limit: options.connectLimit) { [availability] in
            availability.isUnreachable
        }
        if !url.isPooled { _ = try opened.runScript(settings.ofSession, limit: options.answerLimit) }
        connection = opened
        return opened
    }

    /// Waits before the next attempt to connect, and while the database is away.
    private func backOff(for batch: any AnyBatch) {
        let milliseconds = UInt32(pause.wholeMilliseconds)
        Thread.sleep(microseconds: .random(in: (milliseconds * 500)...(milliseconds * 1000)))
        pause = min(pause * 2, Self.longestPause)
        while availability.isUnreachable, !executor.hasClosed {
            batch.dropAnswered()
            if batch.isEmpty { return }
            Thread.sleep(microseconds: 50_000)
        }
    }
}
