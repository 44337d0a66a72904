package import JSON

/// A job in the hands of a worker.
package struct ClaimedJob: Sendable {
    package var lease: Lease
    package var user: UserID
    package var kind: String
    package var input: JSON
    package var bundle: String
    package var queue: QueueName
    /// From 1.
    package var attempt: Int
    package var maxAttempts: Int
    /// Where an interrupted run of this attempt had come to; 0 for a new attempt.
    package var progress: Int
    package var createdAt: Timestamp
    package var deadline: Timestamp
    package var requestID: String?

    package init(
        lease: Lease, user: UserID, kind: String, input: JSON, bundle: String, queue: QueueName, attempt: Int,
        maxAttempts: Int, progress: Int, createdAt: Timestamp, deadline: Timestamp, requestID: String?
    ) {
        self.lease = lease
        self.user = user
        self.kind = kind
        self.input = input
        self.bundle = bundle
        self.queue = queue
        self.attempt = attempt
        self.maxAttempts = maxAttempts
        self.progress = progress
        self.createdAt = createdAt
        self.deadline = deadline
        self.requestID = requestID
    }
}

/// What a claim brought.
package struct Claim: Sendable {
    package var jobs: [ClaimedJob]
    /// When the next job that waits for its time becomes due, if any: look again then at the latest.
    package var nextDue: Timestamp?
    /// After how long a claim may find more although nobody signals it; `nil` when this one cannot have missed any.
    package var timeout: Duration?

    package init(jobs: [ClaimedJob], nextDue: Timestamp?, timeout: Duration? = nil) {
        self.jobs = jobs
        self.nextDue = nextDue
        self.timeout = timeout
    }
}

/// How far a job has come, as its worker says.
package struct ProgressReport: Sendable {
    package var lease: Lease
    /// 0 to 100; a lower value than the stored one keeps the stored one.
    package var progress: Int
    package var currentStep: String

    package init(lease: Lease, progress: Int, currentStep: String) {
        self.lease = lease
        self.progress = progress
        self.currentStep = currentStep
    }
}
