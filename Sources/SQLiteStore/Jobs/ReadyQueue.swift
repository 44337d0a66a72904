import SQLSupport
internal import JobQueue

/// A pending job that is about to enter the place where it waits.
struct PendingJob {
    var number: Int64
    var queue: QueueName
    var user: UserID
    var priority: Int
    var kind: String
    /// Whether it needs a permit of its kind.
    var isLimited: Bool
}

extension PendingJob {
    init(_ job: JobState) {
        self.init(
            number: job.number, queue: job.queue, user: job.user, priority: job.priority, kind: job.kind,
            isLimited: job.isLimited)
    }
}

/// The five places of a pending job: subscribed to a shared job, blocked by another of its concurrency key, in
/// `scheduled`, in `waiting`, or in `ready`. See also `SharedJobs.swift` and `ConcurrencyPermits.swift`.
extension WriteTransaction {
    /// Lets a job wait for its time, for the end of a pause, for a permit of its kind, or for a worker.
    ///
    /// - Returns: What it waits for, other than its time.
    @discardableResult
    func enqueue(_ job: PendingJob, notBefore runAt: Timestamp? = nil) throws -> JobBlock? {
        if let runAt {
            try database.run(.scheduledInsert, .timestamp(runAt), .integer(job.number))
            try standIfPaused(job.number, job.kind, job.queue)
            // Workers that sleep until the next due job must notice an earlier one.
            noteReady()
            return nil
        }
        switch try isPaused(job.kind, job.queue) {
        case nil: break
        case true?:
            try park(job.number)
            return .paused(until: nil)
        case false?:
            // Its pause is about to end.
            try database.run(.jobUnstand, .integer(job.number), .timestamp(now))
        }
        if job.isLimited, try !acquirePermit(of: job.kind, for: job.user) {
            try enterWaiting(job)
            return .limit
        }
        try enterReady(job)
        return nil
    }

    func enterReady(_ job: PendingJob) throws {
        let (queue, user) = (SQLiteValue.text(job.queue.rawValue), SQLiteValue.user(job.user))
        try database.run(.userPositionAdvance, queue, user)
        try database.run(.readyInsert, queue, user, .integer(job.number), .integer(job.priority))
        noteReady()
    }

    /// Removes a job from the worker or the place that keeps it, and returns its permit.
    ///
    /// `promoteWaiting` then gives the permit to the next job, after this job itself had its chance to come back.
    func withdraw(_ job: JobState) throws {
        if job.holdsPermit { try returnPermit(of: job.kind, from: job.user) }
        if let worker = job.worker {
            try database.run(.leaseDelete, .integer(worker), .integer(job.number))
        } else if job.subscribedTo != nil {
            try database.run(.jobUnsubscribe, .integer(job.number))
        } else if job.isBlocked {
            return
        } else if let runAt = job.runAt {
            try database.run(.scheduledDelete, .timestamp(runAt), .integer(job.number))
        } else if job.isWaiting {
            try leaveWaiting(job)
        } else {
            try leaveReady(job)
        }
    }

    /// Removes a ready job that will not run and gives its position to its user's last job, so that the user's
    /// positions have no gap. A position that the queue has passed stays empty.
    private func leaveReady(_ job: JobState) throws {
        let (queue, user) = (SQLiteValue.text(job.queue.rawValue), SQLiteValue.user(job.user))
        let freed = try database.first(
            .readyWithdraw, queue, user, .integer(job.priority), .integer(job.number)
        ) { (position: $0.integer(), isAhead: $0.flag()) }
        guard let freed, freed.isAhead else { return }
        let last = try database.first(.readyLastOfUser, queue, user, .integer(freed.position)) {
            (position: $0.integer(), job: $0.integer())
        }
        if let last {
            try database.run(
                .readyMove, queue, .integer(last.position), .integer(last.job), .integer(freed.position))
        }
        try database.run(.userPositionReturn, queue, user)
    }

    /// The job that holds a concurrency key.
    func concurrencyKeyHolder(of key: String?, user: UserID) throws -> JobID? {
        guard let key else { return nil }
        return try database.first(.concurrencyKeyHolder, .user(user), .text(key)) { $0.jobID() }
    }

    /// Lets the next job of a concurrency key proceed after one has ended.
    func unblockNext(after job: JobState) throws {
        guard let key = job.concurrencyKey else { return }
        guard !job.isBlocked else {
            return try database.run(.concurrencyKeyTouchNext, .user(job.user), .text(key), .integer(job.number))
        }
        let now = now
        let next = try database.first(.concurrencyKeyNext, .user(job.user), .text(key)) { row in
            let pending = PendingJob(
                number: row.integer(), queue: try row.queue(), user: row.user(),
                priority: row.int(), kind: row.text(), isLimited: row.flag())
            return (job: pending, runAt: row.timestampIfAny())
        }
        guard let next else { return }
        let runAt = next.runAt.flatMap { $0 > now ? $0 : nil }
        try database.run(.jobUnblock, .integer(next.job.number), .timestamp(runAt))
        let event = runAt.map { JobEvent(.scheduled, at: now, until: $0, code: .scheduled) }
        try note(event ?? JobEvent(.ready, at: now), of: next.job.number)
        try enqueue(next.job, notBefore: runAt)
        noteVisible()
    }
}
