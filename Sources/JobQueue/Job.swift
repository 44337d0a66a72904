package import JSON

/// A job as its owner sees it.
package struct Job: Sendable {
    package var id: JobID
    package var user: UserID
    package var kind: String
    /// The input as compact JSON. A poll hands it on or passes over it; only who asks for `input` pays for parsing.
    package var inputText: String
    package var bundle: String
    package var status: JobStatus
    package var queue: QueueName
    package var priority: Int
    /// 0 to 100; never goes backwards within an attempt.
    package var progress: Int
    package var currentStep: String?
    /// The number of the attempt that runs or ran last, from 1; 0 before the first. A run that a dead or draining
    /// worker gave back does not count.
    package var attempt: Int
    package var maxAttempts: Int
    package var cost: Int
    /// Why the job failed, or, while a retry is pending, why the last attempt did.
    package var error: JobError?
    /// Grows with every change that a client could see.
    package var revision: Int64
    package var createdAt: Timestamp
    package var startedAt: Timestamp?
    package var completedAt: Timestamp?
    package var deadline: Timestamp
    /// What a pending job waits for; `nil` when it could run now.
    package var blockedBy: JobBlock?

    package init(
        id: JobID, user: UserID, kind: String, inputText: String, bundle: String, status: JobStatus, queue: QueueName,
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
        self.queue = queue
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
    package var input: JSON { (try? JSON(parsing: inputText)) ?? .null }
}

/// What keeps a pending job from running.
package enum JobBlock: Hashable, Sendable {
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
package struct JobWithResult: Sendable {
    package var job: Job
    package var result: JSON?

    package init(job: Job, result: JSON?) {
        self.job = job
        self.result = result
    }
}
