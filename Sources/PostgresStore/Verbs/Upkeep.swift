internal import DossierAPI
import SQLSupport
package import JobQueue

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

/// Which jobs are old enough to go, and how many at once.
struct Retention: Sendable {
    var before: Timestamp
    var limit: Int

    /// How long an idempotency key is kept at least.
    static let idempotencyWindow: Duration = .seconds(24 * 3600)
}

extension BatchOperation where Input == Int, Output == [JobID] {
    /// Repeatable: a job that has failed is not unfinished. That it failed is then told to nobody.
    static func expire(_ memory: DeadlineMemory) -> BatchOperation {
        BatchOperation(
            limit: 1,
            statements: { inputs, context in
                inputs.map { limit in
                    Statement(.expireJobs) { parameters in
                        // The clock of a test runs as it likes.
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
    /// Repeatable: what is gone is gone.
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
