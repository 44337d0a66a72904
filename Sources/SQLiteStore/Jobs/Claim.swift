import SQLSupport
internal import JSON
package import JobQueue

// The queries of this file are in `SQL/claims.sql`.

extension SQLiteStore {
    package func claim(
        for worker: WorkerID, upTo capacity: [QueueName: Int], excluding: ClaimExclusions
    ) async throws(StoreError) -> Claim {
        try monitor.checkForNewWork()
        let (rows, nextDue) = try await writer.perform { transaction in
            try transaction.claim(for: worker, upTo: capacity, excluding: excluding)
        }
        // Inputs are parsed here, on the caller's thread.
        return Claim(jobs: rows.map(\.job), nextDue: nextDue)
    }
}

extension WriteTransaction {
    /// The number of due jobs that one claim makes ready; further ones are due at once for the next claim.
    private static let dueLimit = 1000

    func claim(
        for worker: WorkerID, upTo capacity: [QueueName: Int], excluding: ClaimExclusions
    ) throws -> ([StoredClaim], nextDue: Timestamp?) {
        let number = try database.first(.workerNumber, .text(worker.rawValue)) { $0.integer() }
        guard let number else { throw StoreError.workerUnknown }
        let now = now
        try makeDueJobsReady(at: now)
        // Jobs from before a pause are parked in the background.
        let paused = try pausedTargets()
        var excluding = excluding
        excluding.kinds.formUnion(paused.kinds)
        var claimed: [StoredClaim] = []
        for queue in QueueName.allCases where !paused.queues.contains(queue) {
            claimed += try claim(
                upTo: capacity[queue] ?? 0, in: queue, excluding: ReadyFilter(excluding), worker: number, at: now)
        }
        let next = try database.first(.scheduledNext) { $0.timestampIfAny() }
        return (claimed, next ?? nil)
    }

    private func makeDueJobsReady(at now: Timestamp) throws {
        let due = try database.all(.scheduledDue, .timestamp(now), .integer(Self.dueLimit)) { row in
            let runAt = row.timestamp()
            let pending = PendingJob(
                number: row.integer(), queue: try row.queue(), user: row.user(),
                priority: row.int(), kind: row.text(), isLimited: row.flag())
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
        upTo capacity: Int, in queue: QueueName, excluding filter: ReadyFilter?, worker: Int64, at now: Timestamp
    ) throws -> [StoredClaim] {
        var claimed: [StoredClaim] = []
        var reached: Int64?
        while claimed.count < capacity, let next = try takeNext(in: queue, filter) {
            reached = max(reached ?? next.position, next.position)
            try database.run(.leaseInsert, .integer(worker), .integer(next.job), .timestamp(now))
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
    private func takeNext(in queue: QueueName, _ filter: ReadyFilter?) throws -> (position: Int64, job: Int64)? {
        let queue = SQLiteValue.text(queue.rawValue)
        guard let first = try firstReady(in: queue, filter) else { return nil }
        let best = try bestReady(of: first.user, in: queue, filter)
        guard let best, best.job != first.job else {
            try database.run(.readyDelete, queue, .integer(first.position), .integer(first.job))
            return (first.position, first.job)
        }
        try database.run(.readyDelete, queue, .integer(best.position), .integer(best.job))
        try database.run(
            .readyMove, queue, .integer(first.position), .integer(first.job), .integer(best.position))
        return (first.position, best.job)
    }

    private func firstReady(
        in queue: SQLiteValue, _ filter: ReadyFilter?
    ) throws -> (position: Int64, job: Int64, user: Int64)? {
        guard let filter else {
            return try database.first(.readyFirst, queue) { ($0.integer(), $0.integer(), $0.integer()) }
        }
        return try database.first(.readyFirstOfPartial, queue, filter.kinds, filter.bundles) {
            ($0.integer(), $0.integer(), $0.integer())
        }
    }

    private func bestReady(
        of user: Int64, in queue: SQLiteValue, _ filter: ReadyFilter?
    ) throws -> (position: Int64, job: Int64)? {
        guard let filter else {
            return try database.first(.readyBestOfUser, queue, .integer(user)) { ($0.integer(), $0.integer()) }
        }
        return try database.first(.readyBestOfPartial, queue, .integer(user), filter.kinds, filter.bundles) {
            ($0.integer(), $0.integer())
        }
    }
}

/// The exclusions of a claim, as its queries take them.
private struct ReadyFilter {
    let kinds: SQLiteValue
    let bundles: SQLiteValue

    /// `nil` when the claim excludes nothing: such a claim reads no row of a job to choose one.
    init?(_ excluded: ClaimExclusions) {
        guard !excluded.isEmpty else { return nil }
        kinds = .text(JSON.array(excluded.kinds.sorted().map { JSON($0) }).compact)
        bundles = .text(JSON.array(excluded.bundles.sorted().map { JSON($0) }).compact)
    }
}
