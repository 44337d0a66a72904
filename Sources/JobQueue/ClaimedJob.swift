public import JSON

/// A job in the hands of a worker.
public struct ClaimedJob: Sendable {
    public var lease: Lease
    public var user: UserID
    public var kind: String
    public var input: JSON
    public var bundle: String
    public var lane: Lane
    /// From 1.
    public var attempt: Int
    public var maxAttempts: Int
    /// Where an interrupted run of this attempt had come to; 0 for a new attempt.
    public var progress: Int
    public var createdAt: Timestamp
    public var deadline: Timestamp
    public var requestID: String?

    public init(
        lease: Lease, user: UserID, kind: String, input: JSON, bundle: String, lane: Lane, attempt: Int,
        maxAttempts: Int, progress: Int, createdAt: Timestamp, deadline: Timestamp, requestID: String?
    ) {
        self.lease = lease
        self.user = user
        self.kind = kind
        self.input = input
        self.bundle = bundle
        self.lane = lane
        self.attempt = attempt
        self.maxAttempts = maxAttempts
        self.progress = progress
        self.createdAt = createdAt
        self.deadline = deadline
        self.requestID = requestID
    }
}

/// What a claim brought.
public struct Claim: Sendable {
    public var jobs: [ClaimedJob]
    /// When the next job that waits for its time becomes due, if any: look again then at the latest.
    public var nextDue: Timestamp?
    /// After how long a claim may find more although nobody signals it; `nil` when this one cannot have missed any.
    public var patience: Duration?

    public init(jobs: [ClaimedJob], nextDue: Timestamp?, patience: Duration? = nil) {
        self.jobs = jobs
        self.nextDue = nextDue
        self.patience = patience
    }
}

/// How far a job has come, as its worker says.
public struct ProgressReport: Sendable {
    public var lease: Lease
    /// 0 to 100; a lower value than the stored one keeps the stored one.
    public var progress: Int
    public var currentStep: String

    public init(lease: Lease, progress: Int, currentStep: String) {
        self.lease = lease
        self.progress = progress
        self.currentStep = currentStep
    }
}
