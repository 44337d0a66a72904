package import JSON

/// A job to submit.
package struct NewJob: Sendable {
    /// Chosen by the caller, so that a submit whose answer was lost can be repeated: the same id is the same job.
    package var id: JobID
    package var user: UserID
    package var kind: String
    package var input: JSON
    /// What the job is about, in a line for lists.
    package var subject: String?
    /// The hash of the bundle of prompts that the job keeps for its whole life.
    package var bundle: String
    /// Credits to hold now and to settle with the result; 0 makes no hold.
    package var cost: Int
    package var queue: QueueName = .background
    /// Orders the jobs of one user among themselves; higher runs first.
    package var priority: Int = 0
    /// The earliest start; `nil` is at once.
    package var runAt: Timestamp?
    /// The time at which the unfinished job fails, retries included.
    package var deadline: Timestamp
    /// The number of attempts before the job fails; at least 1.
    package var maxAttempts: Int = 1
    /// A user's jobs with one concurrency key run one at a time, in the order of their submission. The first of them
    /// keeps the key while it waits for its start or for a retry.
    package var concurrencyKey: String?
    /// The limits of the job's kind.
    package var limits: ConcurrencyLimits = .none
    /// While an unfinished job of the same user has the same key, a submit returns that job.
    package var uniqueKey: String?
    package var idempotency: Idempotency?
    /// The origin of the result. `FleetStore.enqueueScheduledRun` ignores it.
    package var source = JobSource.ownRun
    /// Credits granted to a user without any record yet.
    package var startingCredits: Int
    /// The id of the HTTP request, for the logs.
    package var requestID: String?
    /// The trace that the job belongs to, by the header of that name: `00-TRACE-SPAN-FLAGS`.
    package var traceparent: String?
    /// The user whose day the model calls of the job count for, where that is not its owner: the one who set off work
    /// that the service does for everybody.
    package var billedUser: UserID?
    /// The time within which the result is asked for, where that is long enough for its model calls to go by batch. The
    /// deadline is as far away.
    package var within: Duration?

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

extension NewJob {
    /// The request as a store keeps it.
    package var origin: String? { RequestOrigin(id: requestID, traceparent: traceparent).stored }
}

/// A client's key by which repetitions of a request count as one.
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

/// The outcome of a submit.
package enum Submission: Sendable {
    /// The job is stored and its credits are held.
    case accepted(Job)
    /// A job with the same id, idempotency key or unique key exists; nothing more was held.
    case existing(Job)
    /// The idempotency key belongs to a request with another body.
    case conflict
    case insufficientCredits(CreditBalance, required: Int)
}
