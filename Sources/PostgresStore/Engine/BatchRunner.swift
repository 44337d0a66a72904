import SQLSupport
internal import JobQueue
internal import Basics

/// What a thread with a connection does: it takes batches from a desk and runs each until it is answered.
///
/// 1. A batch is one transaction in one round trip, and its answers go out only after the commit.
/// 2. A batch that the server refuses is tried again in halves, down to the request that is to blame.
/// 3. A batch that lost against others is tried again whole.
/// 4. What goes along with a batch does so once: when the batch fails, it fails, and the batch goes on without it.
/// 5. When the connection breaks, the thread connects anew, with pauses that grow and vary, and tries again for as long
///    as somebody waits. What had been sent may have been carried out: every verb can be repeated.
final class BatchRunner {
    private let desk: BatchExecutor
    private let url: PostgresURL
    private let options: PostgresStore.Options
    /// What a session sets before its first statement.
    private let settings: String?
    private let announce: (News) -> Void
    private var connection: PostgresConnection?
    private var pause = firstPause

    private static let firstPause: Duration = .milliseconds(20)
    private static let longestPause: Duration = .seconds(1)
    /// Losses in a row after which a batch is tried in halves.
    private static let lossesAllowed = 8

    init(
        desk: BatchExecutor, url: PostgresURL, options: PostgresStore.Options, settings: String?,
        announce: @escaping (News) -> Void
    ) {
        self.desk = desk
        self.url = url
        self.options = options
        self.settings = settings
        self.announce = announce
    }

    func run() {
        while let batch = desk.next() {
            carryOut(batch)
            desk.finish(batch)
        }
    }

    private func carryOut(_ batch: AnyBatch) {
        var losses = 0
        while !batch.isEmpty {
            do throws(PostgresFailure) {
                let connection = try connected()
                let own = batch.statements(now: options.now?())
                let along = batch.rider?.statements(now: options.now?()) ?? []
                let rows = try connection.run(own + along, limit: batch.timeout ?? options.answerLimit)
                pause = Self.firstPause
                desk.settle(batch)
                var taken: Set<JobID> = []
                _ = batch.rider?.accept(Array(rows.dropFirst(own.count)), taken: &taken, announce: announce)
                if batch.accept(Array(rows.prefix(own.count)), taken: &taken, announce: announce) {
                    desk.putBack(batch)
                }
                return
            } catch {
                batch.leaveRiderBehind(error)
                switch error {
                case .unreachable, .unknownOutcome:
                    connection = nil
                    if error == .unknownOutcome { batch.noteUnknownOutcome() }
                    giveUpWhereLate(batch, error)
                    if !batch.isEmpty { rest() }
                case .conflict:
                    losses += 1
                    giveUpWhereLate(batch, error)
                    if losses > Self.lossesAllowed, batch.isDivisible { return inHalves(batch) }
                    if losses > 4 * Self.lossesAllowed {
                        return batch.answer(failing: .unexpected(reason: "a row stays in the way"))
                    }
                    Thread.sleep(microseconds: .random(in: 0...1000) * UInt32(losses))
                case .full: return batch.answer(failing: .full)
                case .refused:
                    guard batch.isDivisible else { return batch.answer(failing: error.storeError) }
                    return inHalves(batch)
                }
            }
        }
    }

    private func inHalves(_ batch: AnyBatch) {
        for half in batch.halves() { carryOut(half) }
    }

    private func giveUpWhereLate(_ batch: AnyBatch, _ failure: PostgresFailure) {
        let error = failure.storeError
        batch.answerExpired(at: desk.hasClosed ? .now + .seconds(3600) : .now, with: error)
        desk.answerExpired(with: error)
    }

    private func connected() throws(PostgresFailure) -> PostgresConnection {
        if let connection { return connection }
        let opened = try PostgresConnection(url, limit: options.connectLimit)
        if let settings, !url.isPooled { _ = try opened.runScript(settings, limit: options.answerLimit) }
        connection = opened
        return opened
    }

    /// Waits before the next try to connect.
    private func rest() {
        let milliseconds = UInt32(pause.wholeMilliseconds)
        Thread.sleep(microseconds: .random(in: (milliseconds * 500)...(milliseconds * 1000)))
        pause = min(pause * 2, Self.longestPause)
    }
}
