package import JSON

/// A job as its owner sees it.
package struct Job: Sendable {
    package var id: JobID
    package var user: UserID
    package var kind: String
    /// What the job is about, in a line for lists; `nil` where its kind does not say so.
    package var subject: String?
    /// The input as compact JSON, unparsed, so that polls do not pay for parsing.
    package var inputText: String
    package var bundle: String
    package var status: JobStatus
    package var queue: QueueName
    package var priority: Int
    /// 0 to 100; never goes backwards within an attempt.
    package var progress: Int
    package var currentStep: String?
    /// The number of the current or last attempt, from 1; 0 before the first. A run that ended in a rescue or a snooze
    /// is continued by the next one and does not count twice.
    package var attempt: Int
    package var maxAttempts: Int
    package var cost: Int
    /// The error of the job, or, while a retry is pending, that of the last attempt.
    package var error: JobError?
    /// Grows with every change that a client could see.
    package var revision: Int64
    package var createdAt: Timestamp
    package var startedAt: Timestamp?
    package var completedAt: Timestamp?
    /// `Timestamp.never` or later while it stands still, in a pause.
    package var deadline: Timestamp
    /// The condition that a pending job waits for; `nil` when it is claimable.
    package var blockedBy: JobBlock?
    /// The time within which the result is asked for, for a job whose model calls go by batch.
    package var within: Duration?

    package init(
        id: JobID, user: UserID, kind: String, inputText: String, bundle: String, status: JobStatus, queue: QueueName,
        priority: Int, progress: Int, currentStep: String?, attempt: Int, maxAttempts: Int, cost: Int,
        error: JobError?, revision: Int64, createdAt: Timestamp, startedAt: Timestamp?, completedAt: Timestamp?,
        deadline: Timestamp, blockedBy: JobBlock?, within: Duration? = nil,
        subject: String? = nil
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
        self.within = within
        self.subject = subject
    }

    /// The longest input in bytes that a job keeps when it is cancelled before it ran. A longer one becomes `null`, and
    /// the job cannot be retried.
    package static let cancelledInputBytes = 1024

    /// The input, parsed.
    package var input: JSON { (try? JSON(parsing: inputText)) ?? .null }
}

/// The condition that keeps a pending job from running.
package enum JobBlock: Hashable, Sendable {
    /// Its `run_at`, or the pause before a retry.
    case notBefore(Timestamp)
    /// The end of a postponement.
    case postponed(WaitCause, until: Timestamp)
    /// The unfinished job before it under the same concurrency key.
    case earlierJob(JobID)
    /// The batch that its model call is in. It goes on at the time at the latest.
    case batch(until: Timestamp)
    /// The end of a pause of its kind or its lane. Stores do not tell the time.
    case paused(until: Timestamp?)
    /// A permit of its kind, whose limits are reached.
    case limit
    /// The shared job that it subscribes to (see `SharedWork`).
    case shared
    /// A worker that is alive and can run its kind. Stores do not say so: the reader of a job compares it with the
    /// workers, and the revision stays as it is.
    case worker
}

/// A job with its result, which exists only when the job is completed.
package struct JobWithResult: Sendable {
    package var job: Job
    package var result: JSON?

    package init(job: Job, result: JSON?) {
        self.job = job
        self.result = result
    }
}

/// The state of a job.
///
///     pending ──claim──▶ processing ──complete──▶ completed
///        ▲ │                 │ │ └─────fail──────▶ failed
///        │ └─cancel─▶ cancelled ◀─cancel──┘
///        └── retry, rescue, snooze ─────┘
package enum JobStatus: String, Sendable, CaseIterable {
    case pending, processing, completed, failed, cancelled

    package var isFinished: Bool { self == .completed || self == .failed || self == .cancelled }
}

extension Set<JobStatus> {
    /// The words with commas between them, as queries compare them; `nil` for an empty set, which means any.
    package var list: String? { isEmpty ? nil : map(\.rawValue).sorted().joined(separator: ",") }
}

/// The queue of a job, for which each worker reserves capacity.
package enum QueueName: String, Sendable, CaseIterable {
    /// A client waits for the answer on an open connection: capacity and model budget are reserved.
    case interactive
    case background
}

/// A query for one page of a user's jobs, newest first.
package struct JobListQuery: Sendable {
    package enum Position: Hashable, Sendable {
        /// The number of the page, from 1.
        case page(Int)
        /// The jobs older than this one: stable while new jobs arrive, at the same cost on every page.
        case after(JobID)
    }

    package var user: UserID
    /// Any of these; all when it is empty.
    package var statuses: Set<JobStatus>
    package var kind: String?
    package var position: Position
    /// At least 1.
    package var perPage: Int

    package init(
        user: UserID, statuses: Set<JobStatus> = [], kind: String? = nil, position: Position = .page(1),
        perPage: Int = 20
    ) {
        self.user = user
        self.statuses = statuses
        self.kind = kind
        self.position = position
        self.perPage = perPage
    }
}

/// One page of jobs.
package struct JobList: Sendable {
    package var jobs: [Job]
    /// The number of matching jobs on all pages.
    package var total: Int
    /// Whether older jobs follow.
    package var hasMore: Bool

    package init(jobs: [Job], total: Int, hasMore: Bool) {
        self.jobs = jobs
        self.total = total
        self.hasMore = hasMore
    }
}
