import SQLSupport
package import JobQueue

// The queries of this file are in `SQL/claims.sql`.

extension SQLiteStore {
    package func claim(for worker: WorkerID, upTo capacity: [QueueName: Int]) async throws(StoreError) -> Claim {
        let (rows, nextDue) = try await writer.perform { transaction in
            try transaction.claim(for: worker, upTo: capacity)
        }
        // Inputs are parsed here, on the caller's thread.
        return Claim(jobs: rows.map(\.job), nextDue: nextDue)
    }
}

extension WriteTransaction {
    /// The number of due jobs that one claim makes ready; further ones are due at once for the next claim.
    private static let dueLimit = 1000

    func claim(for worker: WorkerID, upTo capacity: [QueueName: Int]) throws -> ([StoredClaim], nextDue: Timestamp?) {
        let number = try database.first(.workerNumber, .text(worker.rawValue)) { $0.integer() }
        guard let number else { throw StoreError.workerUnknown }
        let now = now
        try makeDueJobsReady(at: now)
        var claimed: [StoredClaim] = []
        for queue in QueueName.allCases {
            claimed += try claim(upTo: capacity[queue] ?? 0, in: queue, worker: number, at: now)
        }
        let next = try database.first(.scheduledNext) { $0.timestampIfAny() }
        return (claimed, next ?? nil)
    }

    private func makeDueJobsReady(at now: Timestamp) throws {
        let due = try database.all(.scheduledDue, .timestamp(now), .integer(Self.dueLimit)) { row in
            let runAt = row.timestamp()
            let pending = PendingJob(
                number: row.integer(), queue: try row.queue(), user: row.user(),
                priority: row.int(), kind: row.text(), isLimited: row.flag(), isReturning: row.integer() > 0)
            return (runAt: runAt, job: pending)
        }
        if !due.isEmpty { noteVisible() }
        for (runAt, job) in due {
            try database.run(.scheduledDelete, .timestamp(runAt), .integer(job.number))
            try database.run(.jobBecomeDue, .integer(job.number))
            try enqueue(job)
        }
    }

    private func claim(
        upTo capacity: Int, in queue: QueueName, worker: Int64, at now: Timestamp
    ) throws -> [StoredClaim] {
        var claimed: [StoredClaim] = []
        var reached: Int64?
        while claimed.count < capacity, let next = try takeNext(in: queue) {
            reached = max(reached ?? next.position, next.position)
            try database.run(.leaseInsert, .integer(worker), .integer(next.job))
            try database.run(.jobClaim, .integer(next.job), .integer(worker), .timestamp(now))
            if let row = try database.first(.jobClaimed, .integer(next.job), read: StoredClaim.init) {
                claimed.append(row)
            }
            noteVisible()
        }
        if let reached { try database.run(.queueAdvance, .text(queue.rawValue), .integer(reached)) }
        return claimed
    }

    /// Takes the first position of a queue and the best ready job of the user to whom the position belongs.
    ///
    /// When the job at that position is another one of the user, it moves to the position of the best job.
    private func takeNext(in queue: QueueName) throws -> (position: Int64, job: Int64)? {
        let queue = SQLiteValue.text(queue.rawValue)
        let first = try database.first(.readyFirst, queue) { row in
            (position: row.integer(), job: row.integer(), user: row.integer())
        }
        guard let first else { return nil }
        let best = try database.first(.readyBestOfUser, queue, .integer(first.user)) { row in
            (position: row.integer(), job: row.integer())
        }
        guard let best, best.job != first.job else {
            try database.run(.readyDelete, queue, .integer(first.position), .integer(first.job))
            return (first.position, first.job)
        }
        try database.run(.readyDelete, queue, .integer(best.position), .integer(best.job))
        try database.run(
            .readyMove, queue, .integer(first.position), .integer(first.job), .integer(best.position))
        return (first.position, best.job)
    }
}
