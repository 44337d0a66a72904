internal import JobQueue

/// Where pending jobs wait: in `ready`, in `schedule`, or blocked behind another of their serial key.
extension WriteTransaction {
    /// Lets a job wait for its time or for a worker.
    ///
    /// A job that ran before, and so is returning, had its place in the order of users: it comes back to where the lane
    /// has come to, and its user is not moved behind for it.
    func place(
        _ number: Int64, in lane: Lane, of user: UserID, priority: Int, notBefore runAt: Timestamp?, isReturning: Bool
    ) throws {
        if let runAt {
            try database.run(.scheduleInsert, .moment(runAt), .integer(number))
            // Whoever sleeps until the next due job must hear that there is an earlier one.
            return noteReady()
        }
        if !isReturning { try database.run(.turnTake, .text(lane.rawValue), .user(user)) }
        try database.run(
            isReturning ? .readyEnterFront : .readyEnterNext, .text(lane.rawValue), .user(user), .integer(number),
            .integer(priority))
        noteReady()
    }

    /// Takes a job out of whatever keeps it: a worker's hands or a place among the pending.
    func withdraw(_ job: JobState) throws {
        if let worker = job.worker {
            try database.run(.leaseDelete, .integer(worker), .integer(job.number))
        } else if job.isBlocked {
            return
        } else if let runAt = job.runAt {
            try database.run(.scheduleDelete, .moment(runAt), .integer(job.number))
        } else {
            let lane = SQLiteValue.text(job.lane.rawValue)
            try database.run(.readyWithdraw, lane, .user(job.user), .integer(job.priority), .integer(job.number))
            try database.run(.turnReturn, lane, .user(job.user))
        }
    }

    /// Lets the next job of a serial key go ahead, once one has ended.
    func passOnSerialKey(of job: JobState) throws {
        guard let key = job.serialKey else { return }
        guard !job.isBlocked else {
            return try database.run(.serialTouchNext, .user(job.user), .text(key), .integer(job.number))
        }
        let now = now
        let next = try database.first(.serialNext, .user(job.user), .text(key)) { row in
            let (number, lane, user) = (row.integer(), try row.lane(), UserID(rawValue: row.integer()))
            let (priority, runAt) = (row.int(), row.timestampIfAny())
            return (number: number, lane: lane, user: user, priority: priority, runAt: runAt)
        }
        guard let next else { return }
        let runAt = next.runAt.flatMap { $0 > now ? $0 : nil }
        try database.run(.jobUnblock, .integer(next.number), .moment(runAt))
        try place(
            next.number, in: next.lane, of: next.user, priority: next.priority, notBefore: runAt, isReturning: false)
        noteVisible()
    }
}
