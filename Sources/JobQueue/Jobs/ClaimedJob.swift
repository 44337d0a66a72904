package import JSON

/// A worker's right to run a job.
///
/// The epoch grows at every claim of the job and at no other time. Every write of a worker carries its lease. Once the
/// job was claimed again, cancelled, rescued or finished, the lease is void and a write under it changes nothing.
package struct Lease: Hashable, Sendable {
    package let job: JobID
    package let epoch: Int64

    package init(job: JobID, epoch: Int64) {
        self.job = job
        self.epoch = epoch
    }
}

/// A job that a worker has claimed.
package struct ClaimedJob: Sendable {
    package var lease: Lease
    package var user: UserID
    package var kind: String
    package var input: JSON
    package var bundle: String
    package var queue: QueueName
    /// The number of the attempt, from 1.
    package var attempt: Int
    package var maxAttempts: Int
    /// The progress of an interrupted run of this attempt; 0 for a new attempt.
    package var progress: Int
    package var createdAt: Timestamp
    package var deadline: Timestamp
    package var requestID: String?
    /// The trace that the client's request belongs to.
    package var traceparent: String?
    /// The time within which the result is asked for, for a job whose model calls go by batch.
    package var within: Duration?
    /// Whether it was ready from its submit on and this is its first claim, so that its age is the time it waited.
    package var wasReady = false

    package init(
        lease: Lease, user: UserID, kind: String, input: JSON, bundle: String, queue: QueueName, attempt: Int,
        maxAttempts: Int, progress: Int, createdAt: Timestamp, deadline: Timestamp, requestID: String?,
        within: Duration? = nil
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
        self.within = within
    }
}

/// The jobs that a worker cannot run and does not claim.
package struct ClaimExclusions: Sendable, Hashable {
    package var kinds: Set<String>
    /// Hashes of bundles that its version of Dossier cannot read.
    package var bundles: Set<String>

    package init(kinds: Set<String> = [], bundles: Set<String> = []) {
        self.kinds = kinds
        self.bundles = bundles
    }

    package var isEmpty: Bool { kinds.isEmpty && bundles.isEmpty }
}

/// The result of a claim.
package struct Claim: Sendable {
    package var jobs: [ClaimedJob]
    /// The time at which the next scheduled job becomes due; the worker claims again then at the latest.
    package var nextDue: Timestamp?
    /// The time after which another claim may find jobs without a signal; `nil` when this claim cannot have missed any.
    package var timeout: Duration?

    package init(jobs: [ClaimedJob], nextDue: Timestamp?, timeout: Duration? = nil) {
        self.jobs = jobs
        self.nextDue = nextDue
        self.timeout = timeout
    }
}

/// The progress of a job, as reported by its worker.
package struct ProgressReport: Hashable, Sendable {
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
