internal import DossierAPI
package import JobQueue
import SQLSupport
internal import Synchronization

extension PostgresStore {
    package func expire(limit: Int) async throws(StoreError) -> [JobID] {
        try await writers.perform(limit, in: writes.expire)
    }

    package func deleteFinished(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writers.perform(HistoryPass(kind: .delete, before: timestamp, limit: limit), in: writes.history)
    }

    package func deleteJournals(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writers.perform(HistoryPass(kind: .journals, before: timestamp, limit: limit), in: writes.history)
    }

    package func deleteModelCalls(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writers.perform(HistoryPass(kind: .modelCalls, before: timestamp, limit: limit), in: writes.history)
    }

    /// Does nothing: deleted rows are in no answer and no dump, and the server's vacuum takes their bytes away.
    package func scrub() async throws(StoreError) -> Bool { true }
}

extension PostgresStore: StoreAdministration {
    package func migrations() async throws(StoreError) -> [AppliedMigration] {
        try await readers.perform((), in: reads.migrations)
    }

    package func journal(of job: JobID) async throws(StoreError) -> [Step] {
        let rows = try await readers.perform(JournalQuestion(job: job, epoch: nil), in: reads.steps)
        return (rows ?? []).map(\.step)
    }
}

/// A part of a pass through old rows.
struct HistoryPass: Sendable {
    enum Kind: Sendable {
        case journals, delete, modelCalls
    }

    var kind: Kind
    /// The age of the rows.
    var before: Timestamp
    /// The largest number of rows.
    var limit: Int

    /// The shortest time for which an idempotency key is kept.
    static let idempotencyWindow: Duration = .seconds(24 * 3600)
}

extension BatchOperation where Input == Int, Output == [JobID] {
    /// Repeatable: a failed job is not expired again. A repetition does not return it.
    static func expire(_ memory: DeadlineMemory) -> BatchOperation {
        BatchOperation(
            limit: 1,
            statements: { inputs, context in
                [Statement(.storeNow)]
                    + inputs.map { limit in
                        Statement(.expireJobs) { parameters in
                            // The clock of a test may jump.
                            let window = context.now == nil ? memory.window(at: .now) : nil
                            parameters.add(context.now?.milliseconds)
                            parameters.add(window?.wholeMilliseconds)
                            parameters.add(Int64(max(limit, 0)))
                            parameters.add(JobError.deadlinePassed.code.rawValue)
                            parameters.add(JobError.deadlinePassed.message)
                            parameters.add(JobError.deadlinePassed.userMessage)
                            parameters.add(context.now == nil ? memory.latest.milliseconds : nil)
                            parameters.add(texts: WaitReason.allCases.map(\.rawValue))
                            parameters.add(
                                texts: WaitReason.allCases.map { JobError.deadlinePassed(waitingFor: $0).message })
                        }
                    }
            },
            read: { answer, inputs in
                if let now = answer.rows.first?.first({ $0.timestamp() }) { memory.observe(now) }
                let jobs = answer.rows.dropFirst().first?.map { $0.jobID() } ?? []
                memory.note(foundAll: jobs.count < (inputs.first ?? 0), at: .now)
                answer.madeVisible = !jobs.isEmpty
                answer.madeReady = !jobs.isEmpty
                return [.done(jobs)]
            })
    }
}

extension BatchOperation where Input == HistoryPass, Output == Int {
    /// Repeatable: moved and deleted rows are not found again. A repetition counts those that it finds itself.
    static let history = BatchOperation(
        limit: 1,
        statements: { inputs, context in inputs.map { $0.statement(now: context.now) } },
        read: { answer, _ in [.done(answer.rows.first?.first { $0.int() } ?? 0)] })
}

extension HistoryPass {
    fileprivate func statement(now: Timestamp?) -> Statement {
        Statement(query) { parameters in
            if kind != .modelCalls { parameters.add(now?.milliseconds) }
            parameters.add(before.milliseconds)
            if kind == .delete { parameters.add(Self.idempotencyWindow.wholeMilliseconds) }
            parameters.add(Int64(max(limit, 0)))
        }
    }

    private var query: Query {
        switch kind {
        case .journals: .deleteJournals
        case .delete: .deleteFinishedJobs
        case .modelCalls: .deleteModelCalls
        }
    }
}

/// The time windows of a process's checks for passed deadlines.
///
/// A check goes back a little beyond the last one, since a transaction may commit some time after the deadline passed.
/// Once a minute a check covers all deadlines; more often would be costly, since an open transaction keeps index
/// entries of ended jobs.
final class DeadlineMemory: Sendable {
    private struct State {
        /// The last check of all deadlines that found every expired job.
        var lastFull: ContinuousClock.Instant?
        /// The last check of any kind that did.
        var last: ContinuousClock.Instant?
        var isFull = false
    }

    private let state = Mutex(State())
    let clock = Mutex(ClockGuard())
    /// Is told of steps of the store's clock.
    let monitor: AvailabilityMonitor?

    init(monitor: AvailabilityMonitor? = nil) { self.monitor = monitor }

    private static let fullPause: Duration = .seconds(60)
    private static let overlap: Duration = .seconds(20)

    /// The time back to which the next check looks; `nil` is the beginning.
    func window(at now: ContinuousClock.Instant) -> Duration? {
        state.withLock { state in
            guard let full = state.lastFull, let last = state.last, now - full < Self.fullPause else {
                state.isFull = true
                return nil
            }
            state.isFull = false
            return now - last + Self.overlap
        }
    }

    /// Notes the end of a check.
    func note(foundAll: Bool, at now: ContinuousClock.Instant) {
        state.withLock { state in
            guard foundAll else { return }
            if state.isFull { state.lastFull = now }
            state.last = now
        }
    }
}
