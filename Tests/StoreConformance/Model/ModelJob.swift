import JobQueue
import JSON
import TestSupport

/// A job in the reference model.
struct ModelJob {
    enum Place: Equatable {
        case ready(position: Int)
        case scheduled
        /// Waiting for a permit of its kind.
        case waiting
        /// Blocked by another job of its concurrency key.
        case blocked
        case running(WorkerID)
        /// Waiting for a shared job.
        case subscribed(to: JobID)
        case finished
    }

    let asked: NewJob
    /// Grows with each accepted job.
    let number: Int
    let createdAt: Timestamp
    let timeLimit: Duration
    var deadline: Timestamp
    var status = JobStatus.pending
    var place = Place.finished
    var runAt: Timestamp?
    var attempt = 0
    var epoch: Int64 = 0
    var failedEpoch: Int64?
    var isInterrupted = false
    var deaths = 0
    /// The number of the fleet's death that was the first of these.
    var firstDeath = 0
    var progress = 0
    var currentStep: String?
    var error: JobError?
    var startedAt: Timestamp?
    var completedAt: Timestamp?
    var result: JSON?
    var steps: [Step] = []
    var dropStepsFrom: Int64?
    /// The last shared job that it subscribed to.
    var sharedJob: JobID?

    init(_ asked: NewJob, number: Int, at now: Timestamp) {
        self.asked = asked
        self.number = number
        createdAt = now
        timeLimit = asked.deadline - now
        deadline = asked.deadline
        runAt = asked.runAt.flatMap { $0 > now ? $0 : nil }
    }

    var id: JobID { asked.id }
    var user: UserID { asked.user }
    var kind: String { asked.kind }
    var queue: QueueName { asked.queue }
    var isFinished: Bool { status.isFinished }
    var isLimited: Bool { !asked.limits.isNone && asked.sharedWork == nil }
    var isBlocked: Bool { place == .blocked }

    var worker: WorkerID? {
        if case .running(let worker) = place { worker } else { nil }
    }

    var position: Int? {
        if case .ready(let position) = place { position } else { nil }
    }

    func isSubscribed(to sharedJob: JobID) -> Bool { place == .subscribed(to: sharedJob) }

    var holdsPermit: Bool { isLimited && (position != nil || worker != nil) }

    func isHeld(by lease: Lease) -> Bool { status == .processing && epoch == lease.epoch }

    /// Whether it is claimed before another job of the same user.
    func isBetter(than other: ModelJob) -> Bool {
        asked.priority == other.asked.priority
            ? number < other.number : asked.priority > other.asked.priority
    }

    mutating func dropSteps(from sequence: Int64) { steps.removeAll { $0.sequence >= sequence } }
}

/// The parts of a job that a client sees, except for its revision.
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

    /// The fields in which another view differs, with both values.
    func differences(from other: JobView) -> String {
        zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap { mine, theirs in
            let (mine, name, theirs) = ("\(mine.value)", mine.label ?? "", "\(theirs.value)")
            return mine == theirs ? nil : "\(name) is \(mine), not \(theirs)"
        }.joined(separator: "; ")
    }
}
