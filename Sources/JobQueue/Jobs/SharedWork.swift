package import JSON

/// The origin of a job's result.
package enum JobSource: Sendable {
    /// A worker runs the job.
    case ownRun
    /// The job subscribes to a shared job, which does the work for all its subscribers (see `SharedWork`).
    case shared(SharedWork)
    /// The result is present: the job is accepted, completed and paid for in one transaction.
    case stored(JSON)
}

/// Work that several jobs may need at the same time and that is done once, by a shared job.
///
/// The shared job belongs to the service instead of a user and costs nothing; its model calls count for the day of the
/// user whose submit began it. Its unique key is the key of the work, so
/// there is at most one unfinished shared job for each key, and a plain submit of such a job is a shared job too. A job
/// with shared work subscribes to the unfinished shared job, or submits a new one, in the transaction that accepts it.
/// A subscriber follows these rules:
///
/// - It is pending and is never ready or claimed. It shows the status, progress, step, attempt and error of the shared
///   job, and its revision grows with that job's. While the shared job is pending it is blocked by `JobBlock.shared`.
/// - When the shared job ends, its subscribers end in the same transaction and in the same way: with a copy of the
///   result and settled holds, or with the error and released holds.
/// - A cancel or its own deadline ends only the subscriber. The shared job continues even without subscribers, since
///   its result is kept for the next request.
/// - A retry by a person subscribes to the unfinished shared job of the key, or else restarts the previous shared job.
///   When that one has completed or was deleted, the job runs by itself.
///
/// A job with a `runAt` or a `concurrencyKey`, or of the shared job's own user, is not shared and runs by itself.
package struct SharedWork: Sendable {
    /// The id of a new shared job, if one is needed; chosen by the caller as for every job.
    package var id: JobID
    /// Identifies the work; at most one unfinished shared job has it.
    package var key: String
    /// The input of the shared job. Kind, bundle, queue, priority, attempts and limits are those of the subscriber.
    package var input: JSON
    /// The deadline of the shared job.
    package var deadline: Timestamp
    /// The owner of the shared job.
    package var owner: UserID = .system

    package init(id: JobID, key: String, input: JSON, deadline: Timestamp) {
        self.id = id
        self.key = key
        self.input = input
        self.deadline = deadline
    }
}

extension NewJob {
    /// The work that the job subscribes to; `nil` when it runs by itself or is complete.
    package var sharedWork: SharedWork? {
        guard case .shared(let work) = source, runAt == nil, concurrencyKey == nil, work.owner != user else {
            return nil
        }
        return work
    }

    /// Whether a worker runs the job itself.
    package var hasOwnRun: Bool {
        if case .stored = source { return false }
        return sharedWork == nil
    }

    /// A new shared job for some work, with the settings of this job.
    package func sharedJob(of work: SharedWork) -> NewJob {
        var sharedJob = NewJob(
            id: work.id, user: work.owner, kind: kind, input: work.input, bundle: bundle, cost: 0,
            deadline: work.deadline, startingCredits: 0)
        sharedJob.subject = subject
        sharedJob.queue = queue
        sharedJob.priority = priority
        sharedJob.maxAttempts = maxAttempts
        sharedJob.limits = limits
        sharedJob.uniqueKey = work.key
        sharedJob.requestID = requestID
        sharedJob.traceparent = traceparent
        sharedJob.billedUser = billedUser ?? user
        return sharedJob
    }
}
