package import JobQueue
import SQLSupport

/// Moving finished jobs to `finished_job`, where they take fewer bytes.
extension PostgresStore {
    /// Compresses short results here, since PostgreSQL compresses no row of less than two kilobytes.
    package func archiveFinished(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        let pass = ArchivePass(before: timestamp, limit: max(limit, 0))
        let jobs = try await writers.perform(pass, in: writes.findToArchive)
        return try await writers.perform((pass, jobs), in: writes.archive)
    }
}

/// A part of the pass that archives jobs.
struct ArchivePass: Sendable {
    /// The end of the latest jobs.
    var before: Timestamp
    /// The largest number of jobs.
    var limit: Int
}

/// A job that is to be archived, and its compressed result.
struct ArchivedJob: Sendable {
    var number: Int64
    /// `nil` when the result stays as it is.
    var packed: [UInt8]?
}

extension BatchOperation where Input == ArchivePass, Output == [ArchivedJob] {
    /// Repeatable: it only remembers that the pass began again.
    static let findToArchive = BatchOperation(
        limit: 1,
        statements: { inputs, context in
            inputs.map { pass in
                Statement(.jobsToArchive) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(pass.before.milliseconds)
                    parameters.add(Int64(pass.limit))
                }
            }
        },
        read: { answer, _ in
            let jobs = answer.rows.first?.map { row in
                ArchivedJob(number: row.integer(), packed: row.textIfAny().flatMap { CompressedText.bytes(of: $0) })
            }
            return [.done(jobs ?? [])]
        })
}

extension BatchOperation where Input == (ArchivePass, [ArchivedJob]), Output == Int {
    /// Repeatable: moved jobs are not moved again. A repetition counts those that it moves itself.
    static let archive = BatchOperation(
        limit: 1,
        statements: { inputs, _ in
            inputs.map { pass, jobs in
                Statement(.archiveFinishedJobs) { parameters in
                    parameters.add(pass.before.milliseconds)
                    parameters.add(Int64(pass.limit))
                    parameters.add(integers: jobs.map(\.number))
                    parameters.add(bytes: jobs.map(\.packed))
                }
            }
        },
        read: { answer, _ in [.done(answer.rows.first?.first { $0.int() } ?? 0)] })
}
