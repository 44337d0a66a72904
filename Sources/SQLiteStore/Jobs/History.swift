package import JobQueue
import SQLSupport

/// Finished jobs: keeping them in little space, deleting their journals, deleting them.
extension SQLiteStore {
    /// The shortest time for which an idempotency key is kept.
    private static let idempotencyWindow: Duration = .seconds(24 * 3600)

    package func deleteFinished(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writer.perform { transaction in
            let keysBefore = transaction.now - Self.idempotencyWindow
            for query in [Query.ledgerJobKeep, .jobDeleteFinished] {
                try transaction.database.run(
                    query, .timestamp(timestamp), .timestamp(keysBefore), .integer(limit))
            }
            return transaction.database.changes
        }
    }

    /// Moves the inputs and results of completed jobs together; the rows of all jobs stay where they are.
    package func archiveFinished(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writer.perform { transaction in
            let database = transaction.database
            let jobs = try database.all(.archiveNext, .timestamp(timestamp), .integer(max(limit, 0))) { $0.integer() }
            for job in jobs {
                try database.run(.archiveJob, .integer(job))
                try database.run(.archiveDropInput, .integer(job))
                try database.run(.archiveDropResult, .integer(job))
            }
            return jobs.count
        }
    }

    package func deleteJournals(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writer.perform { transaction in
            let database = transaction.database
            let jobs = try database.all(.historyPassNext, .timestamp(timestamp), .integer(max(limit, 0))) { row in
                (number: row.integer(), completedAt: row.integer(), isCompleted: row.flag())
            }
            guard let last = jobs.last else { return 0 }
            for job in jobs where job.isCompleted { try database.run(.stepDropFrom, .integer(job.number), .integer(0)) }
            try database.run(.historyPassSet, .integer(last.completedAt), .integer(last.number))
            return jobs.count
        }
    }

    package func deleteModelCalls(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writer.perform { transaction in
            try transaction.database.run(.modelCallDeleteOld, .timestamp(timestamp), .integer(max(limit, 0)))
            return transaction.database.changes
        }
    }
}

extension WriteTransaction {
    /// Drops the input of a job that was cancelled before it ran, when it is long.
    func dropUnusedInput(of job: JobState) throws {
        guard job.epoch == 0 else { return }
        let length = try database.first(.jobInputGet, .integer(job.number)) { $0.largeText().utf8.count } ?? 0
        if length > Job.cancelledInputBytes { try database.run(.jobInputDrop, .integer(job.number)) }
    }

    /// Whether a job lost its input when it was cancelled.
    func hasLostInput(_ job: JobState) throws -> Bool {
        guard job.epoch == 0 else { return false }
        return try database.first(.jobInputGet, .integer(job.number)) { $0.largeText() == "null" } ?? true
    }
}
