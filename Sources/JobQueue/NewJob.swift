package import JSON

/// A job to be submitted: what is asked, by whom, and under which rules it runs.
package struct NewJob: Sendable {
    /// Made by the caller, so that a submit whose answer was lost can be repeated: the same id is the same job.
    package var id: JobID
    package var user: UserID
    package var kind: String
    package var input: JSON
    /// The hash of the bundle of prompts that the job keeps for its whole life.
    package var bundle: String
    /// Credits to hold now and settle with the result; 0 takes no hold.
    package var cost: Int
    package var queue: QueueName = .background
    /// Orders the jobs of one user among themselves; higher runs first.
    package var priority: Int = 0
    /// Not before this moment; `nil` is at once.
    package var runAt: Timestamp?
    /// When the job fails whatever it is doing, retries included.
    package var deadline: Timestamp
    /// How often the job is tried before it fails for good; at least 1.
    package var maxAttempts: Int = 1
    /// A user's jobs of one serial key run one after the other, in the order of their submission. The first of them
    /// keeps the key while it waits for its time or for a retry.
    package var concurrencyKey: String?
    /// How many jobs of the kind may run at once.
    package var limits: ConcurrencyLimits = .none
    /// While an unfinished job of the same user has the same key, a submit answers with that job.
    package var uniqueKey: String?
    package var idempotency: Idempotency?
    /// Whether a worker runs the job, or where else its result comes from. A `FleetStore.fire` passes over it.
    package var source = JobSource.ownRun
    /// Credits granted to a user who has none yet, when this is the first thing they do.
    package var startingCredits: Int
    /// The request that asked for the job, for the logs.
    package var requestID: String?

    package init(
        id: JobID, user: UserID, kind: String, input: JSON, bundle: String, cost: Int, deadline: Timestamp,
        startingCredits: Int
    ) {
        self.id = id
        self.user = user
        self.kind = kind
        self.input = input
        self.bundle = bundle
        self.cost = cost
        self.deadline = deadline
        self.startingCredits = startingCredits
    }
}

/// A client's promise that repeats of a request are one request.
package struct Idempotency: Hashable, Sendable {
    /// The client's key, unique for a user.
    package var key: String
    /// A hash of the request's body: the same key with another body is a conflict.
    package var fingerprint: String

    package init(key: String, fingerprint: String) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// What became of a submit.
package enum Submission: Sendable {
    /// The job is stored and its credits are held.
    case accepted(Job)
    /// The same id, idempotency key or join key was here before; this is that job, and nothing more was held.
    case existing(Job)
    /// The idempotency key belongs to a request with another body.
    case conflict
    case insufficientCredits(CreditBalance, required: Int)
}
