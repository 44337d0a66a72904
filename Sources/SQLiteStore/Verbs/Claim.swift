import SQLSupport
package import JobQueue

extension SQLiteStore {
    package func claim(for worker: WorkerID, upTo slots: [QueueName: Int]) async throws(StoreError) -> Claim {
        let (rows, nextDue) = try await writer.perform { transaction in
            try transaction.claim(for: worker, upTo: slots)
        }
        // Inputs are parsed here, on the caller's time.
        return Claim(jobs: rows.map(\.job), nextDue: nextDue)
    }

    /// Not in this store, where a claim is there half a millisecond after the submit.
    package func claimWithNextSubmit(
        for worker: WorkerID, upTo slots: [QueueName: Int]
    ) async throws(StoreError) -> Claim? { nil }
}

extension WriteTransaction {
    /// Jobs that become ready in one claim when they are due; what is left is due at once for the next.
    private static let dueLimit = 1000

    func claim(for worker: WorkerID, upTo slots: [QueueName: Int]) throws -> ([StoredClaim], nextDue: Timestamp?) {
        let number = try database.first(.workerNumber, .text(worker.rawValue)) { $0.integer() }
        guard let number else { throw StoreError.workerUnknown }
        let now = now
        try makeDueJobsReady(at: now)
        var claimed: [StoredClaim] = []
        for queue in QueueName.allCases {
            claimed += try claim(slots[queue] ?? 0, in: queue, worker: number, at: now)
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
            try place(job)
        }
    }

    private func claim(_ slots: Int, in queue: QueueName, worker: Int64, at now: Timestamp) throws -> [StoredClaim] {
        var claimed: [StoredClaim] = []
        var reached: Int64?
        while claimed.count < slots, let taken = try takeNext(in: queue) {
            reached = max(reached ?? taken.rank, taken.rank)
            try database.run(.leaseInsert, .integer(worker), .integer(taken.job))
            try database.run(.jobClaim, .integer(taken.job), .integer(worker), .timestamp(now))
            if let row = try database.first(.jobClaimed, .integer(taken.job), read: StoredClaim.init) {
                claimed.append(row)
            }
            noteVisible()
        }
        if let reached { try database.run(.queueAdvance, .text(queue.rawValue), .integer(reached)) }
        return claimed
    }

    /// Takes the slot whose turn it is. It belongs to a user, who fills it with the best of their ready jobs; the job
    /// that stood there gets that one's slot.
    private func takeNext(in queue: QueueName) throws -> (rank: Int64, job: Int64)? {
        let queue = SQLiteValue.text(queue.rawValue)
        let slot = try database.first(.readyFirst, queue) { row in
            (rank: row.integer(), job: row.integer(), user: row.integer())
        }
        guard let slot else { return nil }
        let best = try database.first(.readyBestOfUser, queue, .integer(slot.user)) { row in
            (rank: row.integer(), job: row.integer())
        }
        guard let best, best.job != slot.job else {
            try database.run(.readyDelete, queue, .integer(slot.rank), .integer(slot.job))
            return (slot.rank, slot.job)
        }
        try database.run(.readyDelete, queue, .integer(best.rank), .integer(best.job))
        try database.run(.readyMove, queue, .integer(slot.rank), .integer(slot.job), .integer(best.rank))
        return (slot.rank, best.job)
    }
}
