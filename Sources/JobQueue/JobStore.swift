package import JSON

/// Where jobs, their journal and their credits are kept.
///
/// Every verb is one transaction: it happens whole or not at all, and it is durable when it returns. A store has its
/// own clock (the database's where there is one), so that a worker whose clock is wrong does no harm. All verbs may be
/// called from any task at any time; a store groups what waits.
///
/// `Tests/StoreConformance` holds the suite that every store passes.
package protocol JobStore: Sendable {
    // MARK: For clients

    /// Takes in a job: credits are held and the idempotency key is kept in the same transaction. A job with limits
    /// becomes ready when there is a slot, and else waits for one (see `ConcurrencyLimits`).
    func submit(_ job: NewJob) async throws(StoreError) -> Submission

    /// A user's job; `nil` when there is none of that id or it is another user's. `user` nil asks as an operator.
    func job(_ id: JobID, of user: UserID?) async throws(StoreError) -> Job?

    /// Like `job`, with the result when there is one. A job that reads as completed always has one.
    func jobWithResult(_ id: JobID, of user: UserID?) async throws(StoreError) -> JobWithResult?

    /// The revisions of those jobs that exist; the cheap question behind long polls and event streams.
    func revisions(of jobs: [JobID]) async throws(StoreError) -> [JobID: Int64]

    func jobs(_ query: JobListQuery) async throws(StoreError) -> JobList

    /// Ends an unfinished job at once and releases its hold; a worker that runs it has lost its lease.
    /// Returns the job as it is now (a finished job stays as it is), or `nil` as `job` does.
    func cancel(_ id: JobID, of user: UserID?) async throws(StoreError) -> Job?

    /// Starts a failed or cancelled job again for a person who asks: with a new hold, a fresh count of attempts, a
    /// deadline as far away as the first one was, and the journal up to the step that failed.
    func retry(_ id: JobID, of user: UserID?) async throws(StoreError) -> Submission?

    // MARK: For workers

    func register(_ worker: WorkerRegistration) async throws(StoreError)

    /// Says that the worker lives. Throws `workerUnknown` after it was declared dead.
    func beat(_ worker: WorkerID) async throws(StoreError)

    /// Removes a worker that has stopped; jobs that it still had go back to pending without losing an attempt.
    func deregister(_ worker: WorkerID) async throws(StoreError)

    /// Takes up to so many ready jobs for each lane: fair between users, by priority and age within one.
    /// Jobs whose time has come become ready first. Throws `workerUnknown` after the worker was declared dead.
    func claim(for worker: WorkerID, upTo slots: [QueueName: Int]) async throws(StoreError) -> Claim

    /// For a worker that found nothing: waits for what this process submits next, and takes it, as `claim` does, in the
    /// transaction of the submit. Returns `nil` when the task is cancelled, or at once where a store has no such way;
    /// jobs that others submit are announced by `changes` as ever.
    func claimWithNextSubmit(for worker: WorkerID, upTo slots: [QueueName: Int]) async throws(StoreError) -> Claim?

    /// The leases that a worker holds: what it runs and does not find here, it must stop.
    func leases(of worker: WorkerID) async throws(StoreError) -> Set<Lease>

    /// Notes how far jobs have come. Reports under a void lease are passed over.
    func report(_ progress: [ProgressReport]) async throws(StoreError)

    /// The journal of a job in order. Throws `leaseLost`, so that a worker does not begin what is no longer its own.
    func steps(of lease: Lease) async throws(StoreError) -> [Step]

    /// Journals a step with its effects. When `replacingFrom` is given, the steps from there on are dropped first.
    /// Returns the step's place in the journal.
    ///
    /// The same name, occurrence and input hash again is the step that is there (the first acknowledgement was lost);
    /// another input hash in its place drops the journal from there on.
    func append(
        _ step: Step, replacingFrom sequence: Int64?, effects: [Effect], under lease: Lease
    ) async throws(StoreError) -> Int64

    /// Stores the result, settles the hold and applies the effects. Completing again at the epoch that completed the
    /// job is success: the first acknowledgement was lost.
    func complete(_ lease: Lease, with result: JSON, effects: [Effect]) async throws(StoreError)

    /// Ends an attempt without a result. Failing again at the epoch that failed is success.
    func fail(_ lease: Lease, with failure: JobFailure) async throws(StoreError)

    /// Gives jobs back to pending without costing an attempt, claimable after a pause. Void leases are passed over.
    func handBack(_ leases: [Lease], after pause: Duration) async throws(StoreError)

    // MARK: For whoever keeps watch

    func beats() async throws(StoreError) -> [WorkerBeat]

    /// Declares a worker dead and requeues its jobs, unless its counter moved since it was read.
    func rescue(_ beat: WorkerBeat) async throws(StoreError) -> Rescue

    /// Fails unfinished jobs whose deadline has passed and releases their holds; up to `limit`, returns which.
    func expire(limit: Int) async throws(StoreError) -> [JobID]

    /// Deletes finished jobs that ended before the moment, with their journal and their idempotency key; up to `limit`,
    /// in an order of the store's own. A job whose idempotency key is younger than a day stays, so that a repeated
    /// submit is answered. The ledger and the model calls stay. Returns how many were deleted.
    func deleteFinished(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int

    // MARK: Money

    /// A user's credits; one who has done nothing yet has the starting credits.
    func balance(of user: UserID, startingCredits: Int) async throws(StoreError) -> CreditBalance

    /// Adds credits (or takes unheld, unused ones away, when negative; never below zero remaining).
    /// Returns `nil` when there are not as many to take away.
    func grant(_ amount: Int, to user: UserID, note: String, startingCredits: Int) async throws(StoreError)
        -> CreditBalance?

    /// Recomputes every balance from the ledger and every hold from its job; what differs.
    func auditCredits() async throws(StoreError) -> [CreditDiscrepancy]

    /// Micro-dollars spent on models for a user since a moment.
    func modelSpend(of user: UserID, since timestamp: Timestamp) async throws(StoreError) -> Int64

    func modelCosts(by grouping: CostGrouping, since timestamp: Timestamp) async throws(StoreError) -> [CostLine]

    // MARK: Time and change

    /// The store's clock.
    func now() async throws(StoreError) -> Timestamp

    /// Fires after commits of this or any other process that may have made a job claimable (`ready`) or changed what
    /// a client sees (`visible`). Bursts arrive as one signal; a signal without a change is possible, a change without
    /// a signal is not (a slow poll stands behind the quick paths). The first signal comes at once.
    func changes(_ topic: ChangeTopic) -> AsyncStream<Void>
}

/// What a watcher wants to hear of.
package enum ChangeTopic: Sendable, CaseIterable {
    case ready, visible
}
