import SQLSupport
internal import JobQueue

/// A pending job on its way to the place where it waits.
struct PendingJob {
    var number: Int64
    var queue: QueueName
    var user: UserID
    var priority: Int
    var kind: String
    /// Whether it needs a slot of its kind.
    var isLimited: Bool
    /// Whether it ran before: it had its place in the order of users and comes back to where the lane has come to, and
    /// its user is not moved behind for it.
    var isReturning: Bool
}

extension PendingJob {
    init(_ job: JobState, isReturning: Bool) {
        self.init(
            number: job.number, queue: job.queue, user: job.user, priority: job.priority, kind: job.kind,
            isLimited: job.isLimited, isReturning: isReturning)
    }
}

/// Where pending jobs wait: in `ready`, in `schedule`, in `waiting`, or blocked behind another of their serial key.
extension WriteTransaction {
    /// Lets a job wait for its time, for a slot of its kind, or for a worker.
    ///
    /// - Returns: Whether it waits for a slot.
    @discardableResult
    func place(_ job: PendingJob, notBefore runAt: Timestamp? = nil) throws -> Bool {
        if let runAt {
            try database.run(.scheduledInsert, .timestamp(runAt), .integer(job.number))
            // Whoever sleeps until the next due job must hear that there is an earlier one.
            noteReady()
            return false
        }
        if job.isLimited, try !takeSlot(of: job.kind, for: job.user) {
            try enterWaiting(job)
            return true
        }
        try enterReady(job)
        return false
    }

    func enterReady(_ job: PendingJob) throws {
        let (queue, user) = (SQLiteValue.text(job.queue.rawValue), SQLiteValue.user(job.user))
        if !job.isReturning { try database.run(.userPositionAdvance, queue, user) }
        try database.run(
            job.isReturning ? .readyInsertAtFront : .readyInsert, queue, user, .integer(job.number),
            .integer(job.priority))
        noteReady()
    }

    /// Takes a job out of whatever keeps it: a worker's hands or a place among the pending. Its slot is free then; who
    /// gets it is decided by `passOnSlot`, after the job itself had its chance to come back.
    func withdraw(_ job: JobState) throws {
        if job.holdsSlot { try giveSlotBack(of: job.kind, from: job.user) }
        if let worker = job.worker {
            try database.run(.leaseDelete, .integer(worker), .integer(job.number))
        } else if job.following != nil {
            try database.run(.jobUnsubscribe, .integer(job.number))
        } else if job.isBlocked {
            return
        } else if let runAt = job.runAt {
            try database.run(.scheduledDelete, .timestamp(runAt), .integer(job.number))
        } else if job.isWaiting {
            try leaveWaiting(job.number, kind: job.kind, user: job.user, priority: job.priority)
        } else {
            let queue = SQLiteValue.text(job.queue.rawValue)
            try database.run(.readyWithdraw, queue, .user(job.user), .integer(job.priority), .integer(job.number))
            try database.run(.userPositionReturn, queue, .user(job.user))
        }
    }

    /// Lets the next job of a serial key go ahead, once one has ended.
    func passOnConcurrencyKey(of job: JobState) throws {
        guard let key = job.concurrencyKey else { return }
        guard !job.isBlocked else {
            return try database.run(.concurrencyKeyTouchNext, .user(job.user), .text(key), .integer(job.number))
        }
        let now = now
        let next = try database.first(.concurrencyKeyNext, .user(job.user), .text(key)) { row in
            let pending = PendingJob(
                number: row.integer(), queue: try row.queue(), user: row.user(),
                priority: row.int(), kind: row.text(), isLimited: row.flag(), isReturning: false)
            return (job: pending, runAt: row.timestampIfAny())
        }
        guard let next else { return }
        let runAt = next.runAt.flatMap { $0 > now ? $0 : nil }
        try database.run(.jobUnblock, .integer(next.job.number), .timestamp(runAt))
        try place(next.job, notBefore: runAt)
        noteVisible()
    }
}
