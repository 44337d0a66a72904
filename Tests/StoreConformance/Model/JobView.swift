import JSON
import JobQueue
import TestSupport

/// All that a client sees of a job, except for its revision.
struct JobView: Equatable {
    var id: JobID
    var user: UserID
    var kind: String
    var input: String
    var bundle: String
    var status: JobStatus
    var queue: QueueName
    var priority: Int
    var progress: Int
    var currentStep: String?
    var attempt: Int
    var maxAttempts: Int
    var cost: Int
    var error: JobError?
    var createdAt: Timestamp
    var startedAt: Timestamp?
    var completedAt: Timestamp?
    var deadline: Timestamp
    var blockedBy: JobBlock?

    init(_ job: Job) {
        self.init(
            id: job.id, user: job.user, kind: job.kind, input: job.inputText, bundle: job.bundle, status: job.status,
            queue: job.queue, priority: job.priority, progress: job.progress, currentStep: job.currentStep,
            attempt: job.attempt, maxAttempts: job.maxAttempts, cost: job.cost, error: job.error,
            createdAt: job.createdAt, startedAt: job.startedAt, completedAt: job.completedAt, deadline: job.deadline,
            blockedBy: job.blockedBy)
    }

    init(_ job: ModelJob, in model: ReferenceStore) {
        let job = model.shown(job)
        self.init(
            id: job.id, user: job.user, kind: job.kind, input: job.asked.input.compact, bundle: job.asked.bundle,
            status: job.status, queue: job.queue, priority: job.asked.priority, progress: job.progress,
            currentStep: job.currentStep, attempt: job.attempt, maxAttempts: job.asked.maxAttempts,
            cost: job.asked.cost, error: job.error, createdAt: job.createdAt, startedAt: job.startedAt,
            completedAt: job.completedAt, deadline: job.deadline, blockedBy: model.blockedBy(job))
    }

    private init(
        id: JobID, user: UserID, kind: String, input: String, bundle: String, status: JobStatus, queue: QueueName,
        priority: Int, progress: Int, currentStep: String?, attempt: Int, maxAttempts: Int, cost: Int,
        error: JobError?, createdAt: Timestamp, startedAt: Timestamp?, completedAt: Timestamp?, deadline: Timestamp,
        blockedBy: JobBlock?
    ) {
        self.id = id
        self.user = user
        self.kind = kind
        self.input = input
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
        self.createdAt = createdAt
        self.startedAt = startedAt
        self.completedAt = completedAt
        self.deadline = deadline
        self.blockedBy = blockedBy
    }

    /// The fields in which another differs, with both values.
    func differences(from other: JobView) -> String {
        zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap { mine, theirs in
            let (mine, name, theirs) = ("\(mine.value)", mine.label ?? "", "\(theirs.value)")
            return mine == theirs ? nil : "\(name) is \(mine), not \(theirs)"
        }.joined(separator: "; ")
    }
}
