package import JSON

/// Where a job's result comes from.
package enum JobSource: Sendable {
    /// A worker runs the job.
    case ownRun
    /// The job follows a leader, which does the work for everybody who wants the same (see `SharedWork`).
    case shared(SharedWork)
    /// The result is there already: the job is accepted, completed and paid for in one transaction.
    case stored(JSON)
}

/// Work that many may want at the same time and that is done once.
///
/// The leader is a job of its own, of the service and not of a user, and costs nothing. Unfinished leaders are unique
/// by their key: it is their join key, so a plain submit of such a job is a leader too. A job with shared work joins
/// the unfinished leader, or brings a new one, in the transaction that accepts it. From then on it follows:
///
/// - It is pending, is never ready and never claimed. It shows the status, progress, step, attempt and error of its
///   leader, and its revision grows with the leader's. While the leader is pending it is blocked by `JobBlock.shared`.
/// - When the leader ends, its followers end in the same transaction, in the same way: with a copy of the result and
///   their holds settled, or with the leader's error and their holds released.
/// - A cancel or its own deadline ends a follower alone. The leader goes on, even when nobody follows any more: what it
///   makes is kept for whoever asks next.
/// - A retry by a person follows the unfinished leader of the key; where there is none, it starts the old leader again.
///   When that one has completed meanwhile or was deleted, the job runs itself.
///
/// A job with a `runAt` or a `concurrencyKey`, or of the leader's own user, is not shared and runs itself.
package struct SharedWork: Sendable {
    /// The id of the leader, if there has to be a new one; made by the caller like every job's.
    package var id: JobID
    /// Names what is made. Unfinished leaders have it once.
    package var key: String
    /// What the leader is asked for. The rest is the follower's: kind, bundle, lane, priority, attempts and limits.
    package var input: JSON
    /// When the leader fails whatever it is doing.
    package var deadline: Timestamp
    /// Whose job the leader is.
    package var owner: UserID = .system

    package init(id: JobID, key: String, input: JSON, deadline: Timestamp) {
        self.id = id
        self.key = key
        self.input = input
        self.deadline = deadline
    }
}

extension NewJob {
    /// The work that the job shares; `nil` when it runs itself or is complete.
    package var sharedWork: SharedWork? {
        guard case .shared(let work) = source, runAt == nil, concurrencyKey == nil, work.owner != user else { return nil }
        return work
    }

    /// Whether a worker runs the job itself.
    package var hasOwnRun: Bool {
        if case .stored = source { return false }
        return sharedWork == nil
    }

    /// The leader of some work, as this job brings it.
    package func sharedJob(of work: SharedWork) -> NewJob {
        var sharedJob = NewJob(
            id: work.id, user: work.owner, kind: kind, input: work.input, bundle: bundle, cost: 0,
            deadline: work.deadline, startingCredits: 0)
        sharedJob.queue = queue
        sharedJob.priority = priority
        sharedJob.maxAttempts = maxAttempts
        sharedJob.limits = limits
        sharedJob.uniqueKey = work.key
        sharedJob.requestID = requestID
        return sharedJob
    }
}
