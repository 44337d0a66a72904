public import JSON

/// A job as its owner sees it.
public struct Job: Sendable {
    public var id: JobID
    public var user: UserID
    public var kind: String
    /// The input as compact JSON. A poll hands it on or passes over it; only who asks for `input` pays for parsing.
    public var inputText: String
    public var bundle: String
    public var status: JobStatus
    public var lane: Lane
    public var priority: Int
    /// 0 to 100; never goes backwards within an attempt.
    public var progress: Int
    public var currentStep: String?
    /// The number of the attempt that runs or ran last, from 1; 0 before the first. A run that a dead or draining
    /// worker gave back does not count.
    public var attempt: Int
    public var maxAttempts: Int
    public var cost: Int
    /// Why the job failed, or, while a retry is pending, why the last attempt did.
    public var error: JobError?
    /// Grows with every change that a client could see.
    public var revision: Int64
    public var createdAt: Timestamp
    public var startedAt: Timestamp?
    public var completedAt: Timestamp?
    public var deadline: Timestamp
    /// What a pending job waits for; `nil` when it could run now.
    public var blockedBy: JobBlock?

    public init(
        id: JobID, user: UserID, kind: String, inputText: String, bundle: String, status: JobStatus, lane: Lane,
        priority: Int, progress: Int, currentStep: String?, attempt: Int, maxAttempts: Int, cost: Int,
        error: JobError?, revision: Int64, createdAt: Timestamp, startedAt: Timestamp?, completedAt: Timestamp?,
        deadline: Timestamp, blockedBy: JobBlock?
    ) {
        self.id = id
        self.user = user
        self.kind = kind
        self.inputText = inputText
        self.bundle = bundle
        self.status = status
        self.lane = lane
        self.priority = priority
        self.progress = progress
        self.currentStep = currentStep
        self.attempt = attempt
        self.maxAttempts = maxAttempts
        self.cost = cost
        self.error = error
        self.revision = revision
        self.createdAt = createdAt
        self.startedAt = startedAt
        self.completedAt = completedAt
        self.deadline = deadline
        self.blockedBy = blockedBy
    }

    /// What was asked for.
    public var input: JSON { (try? JSON(parsing: inputText)) ?? .null }
}

/// What keeps a pending job from running.
public enum JobBlock: Hashable, Sendable {
    /// Its `run_at`, or the pause before a retry.
    case notBefore(Timestamp)
    /// The unfinished job that comes before it in the line of the same serial key.
    case serial(JobID)
    /// A slot of its kind: as many jobs run as the kind's limits allow.
    case limit
    /// The job that does the work for it and for others (see `SharedWork`).
    case shared
}

/// A job together with its stored result; there is one only when the job is completed.
public struct JobWithResult: Sendable {
    public var job: Job
    public var result: JSON?

    public init(job: Job, result: JSON?) {
        self.job = job
        self.result = result
    }
}
