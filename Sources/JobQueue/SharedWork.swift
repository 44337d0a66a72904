public import JSON

/// Where a job's result comes from.
public enum JobSource: Sendable {
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
/// A job with a `runAt` or a `serialKey`, or of the leader's own user, is not shared and runs itself.
public struct SharedWork: Sendable {
    /// The id of the leader, if there has to be a new one; made by the caller like every job's.
    public var id: JobID
    /// Names what is made. Unfinished leaders have it once.
    public var key: String
    /// What the leader is asked for. The rest is the follower's: kind, bundle, lane, priority, attempts and limits.
    public var input: JSON
    /// When the leader fails whatever it is doing.
    public var deadline: Timestamp
    /// Whose job the leader is.
    public var owner: UserID = .system

    public init(id: JobID, key: String, input: JSON, deadline: Timestamp) {
        self.id = id
        self.key = key
        self.input = input
        self.deadline = deadline
    }
}

extension NewJob {
    /// The work that the job shares; `nil` when it runs itself or is complete.
    public var sharedWork: SharedWork? {
        guard case .shared(let work) = source, runAt == nil, serialKey == nil, work.owner != user else { return nil }
        return work
    }

    /// Whether a worker runs the job itself.
    public var hasOwnRun: Bool {
        if case .stored = source { return false }
        return sharedWork == nil
    }

    /// The leader of some work, as this job brings it.
    public func leader(of work: SharedWork) -> NewJob {
        var leader = NewJob(
            id: work.id, user: work.owner, kind: kind, input: work.input, bundle: bundle, cost: 0,
            deadline: work.deadline, startingCredits: 0)
        leader.lane = lane
        leader.priority = priority
        leader.maxAttempts = maxAttempts
        leader.limits = limits
        leader.joinKey = work.key
        leader.requestID = requestID
        return leader
    }
}
