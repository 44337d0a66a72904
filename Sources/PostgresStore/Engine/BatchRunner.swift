internal import Basics
internal import JobQueue

/// The loop of a thread with a connection: it takes batches from an executor and runs each until it is answered.
///
/// 1. A batch is one transaction in one round trip, and its answers go out only after the commit.
/// 2. A batch that the server refuses is tried again in halves, down to the one request that is to blame.
/// 3. A batch that loses a conflict with another transaction is tried again whole.
/// 4. A piggybacked batch is tried once: when the transaction fails, it fails, and its host goes on without it.
/// 5. When the connection breaks, the thread reconnects with growing, random pauses, and tries again until the callers'
///    time is over. Sent statements may have been executed, so every operation can be repeated.
final class BatchRunner {
    private let executor: BatchExecutor
    private let url: PostgresURL
    private let options: PostgresStore.Options
    /// The settings of a session, sent before its first statement.
    private let settings: String?
    private let notify: (CommitNotice) -> Void
    private var connection: PostgresConnection?
    private var pause = firstPause

    private static let firstPause: Duration = .milliseconds(20)
    private static let longestPause: Duration = .seconds(1)
    /// The number of conflicts in a row after which a batch is tried in halves.
    private static let conflictLimit = 8

    init(
        executor: BatchExecutor, url: PostgresURL, options: PostgresStore.Options, settings: String?,
        notify: @escaping (CommitNotice) -> Void
    ) {
        self.executor = executor
        self.url = url
        self.options = options
        self.settings = settings
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
        while !batch.isEmpty {
            do throws(PostgresFailure) {
                let connection = try connected()
                let own = batch.statements(now: options.now?())
                let piggybacked = batch.piggyback?.statements(now: options.now?()) ?? []
                let rows = try connection.run(own + piggybacked, limit: batch.timeout ?? options.answerLimit)
                pause = Self.firstPause
                executor.settle(batch)
                var taken: Set<JobID> = []
                _ = batch.piggyback?.accept(Array(rows.dropFirst(own.count)), taken: &taken, notify: notify)
                if batch.accept(Array(rows.prefix(own.count)), taken: &taken, notify: notify) {
                    executor.putBack(batch)
                }
                return
            } catch {
                batch.failPiggyback(error)
                switch error {
                case .unreachable, .unknownOutcome:
                    connection = nil
                    if error == .unknownOutcome { batch.noteUnknownOutcome() }
                    answerExpired(batch, error)
                    if !batch.isEmpty { backOff() }
                case .conflict:
                    conflicts += 1
                    answerExpired(batch, error)
                    if conflicts > Self.conflictLimit, batch.isDivisible { return runHalves(of: batch) }
                    if conflicts > 4 * Self.conflictLimit {
                        return batch.answer(failing: .unexpected(reason: "a row stays in the way"))
                    }
                    Thread.sleep(microseconds: .random(in: 0...1000) * UInt32(conflicts))
                case .full: return batch.answer(failing: .full)
                case .refused:
                    guard batch.isDivisible else { return batch.answer(failing: error.storeError) }
                    return runHalves(of: batch)
                }
            }
        }
    }

    private func runHalves(of batch: any AnyBatch) {
        for half in batch.halves() { run(half) }
    }

    /// Answers the requests whose deadline has passed, and all requests of the batch when the store is closed.
    private func answerExpired(_ batch: any AnyBatch, _ failure: PostgresFailure) {
        let error = failure.storeError
        batch.answerExpired(at: executor.hasClosed ? .now + .seconds(3600) : .now, with: error)
        executor.answerExpired(with: error)
    }

    private func connected() throws(PostgresFailure) -> PostgresConnection {
        if let connection { return connection }
        let opened = try PostgresConnection(url, limit: options.connectLimit)
        if let settings, !url.isPooled { _ = try opened.runScript(settings, limit: options.answerLimit) }
        connection = opened
        return opened
    }

    /// Waits before the next attempt to connect.
    private func backOff() {
        let milliseconds = UInt32(pause.wholeMilliseconds)
        Thread.sleep(microseconds: .random(in: (milliseconds * 500)...(milliseconds * 1000)))
        pause = min(pause * 2, Self.longestPause)
    }
}
