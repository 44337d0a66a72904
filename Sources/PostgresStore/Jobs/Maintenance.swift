internal import DossierAPI
package import JobQueue
import SQLSupport
internal import Synchronization

extension PostgresStore {
    package func expire(limit: Int) async throws(StoreError) -> [JobID] {
        try await writers.perform(limit, in: writes.expire)
    }

    package func deleteFinished(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writers.perform(Retention(before: timestamp, limit: limit), in: writes.deleteFinished)
    }
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

/// The age of jobs to delete, and the largest number at once.
struct Retention: Sendable {
    var before: Timestamp
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
                inputs.map { limit in
                    Statement(.expireJobs) { parameters in
                        // The clock of a test may jump.
                        let window = context.now == nil ? memory.window(at: .now) : nil
                        parameters.add(context.now?.milliseconds)
                        parameters.add(window?.wholeMilliseconds)
                        parameters.add(Int64(max(limit, 0)))
                        parameters.add(JobError.deadlinePassed.code.rawValue)
                        parameters.add(JobError.deadlinePassed.message)
                        parameters.add(JobError.deadlinePassed.userMessage)
                    }
                }
            },
            read: { answer, inputs in
                let jobs = answer.rows.first?.map { $0.jobID() } ?? []
                memory.note(foundAll: jobs.count < (inputs.first ?? 0), at: .now)
                answer.madeVisible = !jobs.isEmpty
                answer.madeReady = !jobs.isEmpty
                return [.done(jobs)]
            })
    }
}

extension BatchOperation where Input == Retention, Output == Int {
    /// Repeatable: deleted jobs are not deleted again.
    static let deleteFinished = BatchOperation(
        limit: 1,
        statements: { inputs, context in
            inputs.map { retention in
                Statement(.deleteFinishedJobs) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(retention.before.milliseconds)
                    parameters.add(Retention.idempotencyWindow.wholeMilliseconds)
                    parameters.add(Int64(max(retention.limit, 0)))
                }
            }
        },
        read: { answer, _ in [.done(answer.rows.first?.first { $0.int() } ?? 0)] })
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
