package import JSON

/// The queue's contract with its database: jobs, their journals and the credits that they hold.
///
/// Every operation is one transaction: it takes effect as a whole or not at all, and its effect is durable when it
/// returns. Every operation uses the store's own clock (the database's clock where there is one), so a worker with a
/// wrong clock does no harm. Operations may be called from any task at any time; a store commits waiting ones in
/// groups.
///
/// `Tests/StoreConformance` holds the suite that every store passes.
package protocol JobStore: ModelCallStore {
    // MARK: Clients

    /// Inserts a job, holds its credits and records its idempotency key.
    ///
    /// A job with limits becomes ready when its kind has a free permit and waits for one otherwise (see
    /// `ConcurrencyLimits`).
    func submit(_ job: NewJob) async throws(StoreError) -> Submission

    /// Reads a user's job; `nil` when the id is unknown or the job belongs to another user.
    ///
    /// A `nil` user reads the job of any user, for operators.
    func job(_ id: JobID, of user: UserID?) async throws(StoreError) -> Job?

    /// Reads a job as `job` does, with its result; a job that reads as completed always has one.
    func jobWithResult(_ id: JobID, of user: UserID?) async throws(StoreError) -> JobWithResult?

    /// Reads the revisions of those jobs that exist: the cheap query of long polls and event streams.
    func revisions(of jobs: [JobID]) async throws(StoreError) -> [JobID: Int64]

    /// Reads the inputs of a kind's jobs that run or can be claimed, of any user: among the first `limit` running ones,
    /// and the first `limit` ones of each queue.
    func unfinishedInputs(ofKind kind: String, limit: Int) async throws(StoreError) -> [JSON]

    /// Reads the ids of the HTTP requests that submitted jobs, for the log; jobs without one are left out.
    func requestIDs(of jobs: [JobID]) async throws(StoreError) -> [JobID: String]

    /// Reads one page of a user's jobs, newest first.
    func jobs(_ query: JobListQuery) async throws(StoreError) -> JobList

    /// Cancels an unfinished job at once, releases its hold and voids the lease of the worker that runs it.
    ///
    /// - Returns: The job as it is now (a finished job stays as it is), or `nil` as `job` does. The entry of the audit is
    ///   stored when the job has changed.
    func cancel(
        _ id: JobID, of user: UserID?, by canceller: JobCanceller, audit: AuditEntry?
    ) async throws(StoreError) -> Job?

    /// Restarts a failed or cancelled job at a person's request.
    ///
    /// The job gets a new hold, a fresh count of attempts and a deadline as far away as its first one. Its journal is
    /// kept up to the step that failed. The entry of the audit is stored when it restarts.
    func retry(_ id: JobID, of user: UserID?, audit: AuditEntry?) async throws(StoreError) -> Submission?

    // MARK: Workers

    /// Registers a worker, or counts a heartbeat of one that is registered.
    func register(_ worker: WorkerRegistration) async throws(StoreError)

    /// Writes what a registered worker can run into its record. One that was declared dead stays unregistered, as its
    /// next heartbeat tells it: its jobs are others' by now.
    func setAbilities(_ abilities: WorkerAbilities, of worker: WorkerID) async throws(StoreError)

    /// Counts a heartbeat of the observer's worker, and looks for other workers that have died.
    ///
    /// - Throws: `workerUnknown` after the worker was declared dead.
    func observe(as observer: FleetObserver) async throws(StoreError) -> FleetObservation

    /// Removes a worker that has stopped and returns its remaining jobs to pending without costing an attempt.
    func deregister(_ worker: WorkerID) async throws(StoreError)

    /// Claims up to the given number of ready jobs in each queue, after making due jobs ready.
    ///
    /// The order is fair between users, and by priority and age within one user: between two starts of a user with
    /// ready jobs, no other user starts more than two. Excluded jobs delay no others.
    ///
    /// - Throws: `workerUnknown` after the worker was declared dead.
    func claim(
        for worker: WorkerID, upTo capacity: [QueueName: Int], excluding: ClaimExclusions
    ) async throws(StoreError) -> Claim

    /// Reads the leases that a worker holds; the worker must stop every job whose lease is missing.
    func leases(of worker: WorkerID) async throws(StoreError) -> Set<Lease>

    /// Records the progress of jobs and ignores reports under a void lease.
    func report(_ progress: [ProgressReport]) async throws(StoreError)

    /// Reads the journal of a leased job in order.
    ///
    /// - Throws: `leaseLost`, so that a worker does not start a job that it no longer owns.
    func steps(of lease: Lease) async throws(StoreError) -> [Step]

    /// Appends a step to the journal and applies its effects.
    ///
    /// A step with a present name, occurrence and input hash is a repetition after a lost acknowledgement and changes
    /// nothing. A step with another input hash at that position drops the journal from there on.
    ///
    /// A given sequence drops the journal from that step on before the append.
    ///
    /// - Returns: The step's position in the journal.
    func append(
        _ step: Step, replacingFrom sequence: Int64?, effects: [Effect], under lease: Lease
    ) async throws(StoreError) -> Int64

    /// Stores the result, settles the hold and applies the effects.
    ///
    /// Completing again under the epoch that completed the job succeeds, since the first acknowledgement was lost.
    func complete(_ lease: Lease, with result: JSON, effects: [Effect]) async throws(StoreError)

    /// Ends an attempt without a result; failing again under the epoch that failed succeeds.
    func fail(_ lease: Lease, with failure: JobFailure) async throws(StoreError)

    /// Returns jobs to pending without costing an attempt, claimable after the pause; ignores void leases.
    ///
    /// The reason is kept until the next claim: a client sees it, and the error names it when the deadline passes.
    func snooze(_ leases: [Lease], after pause: Duration, waitingFor wait: WaitCause?) async throws(StoreError)

    /// Lets jobs go on at once that were snoozed for the same cause and whose pauses would end within a time.
    ///
    /// - Returns: The number of the jobs, which is `limit` where there may be more.
    @discardableResult
    func wake(waitingFor wait: WaitCause, within time: Duration, limit: Int) async throws(StoreError) -> Int

    // MARK: Maintenance

    /// Reads the heartbeat counters of all registered workers.
    func heartbeats() async throws(StoreError) -> [WorkerHeartbeat]

    /// Declares a worker dead and requeues its jobs, unless its counter has moved since it was read.
    func rescue(_ heartbeat: WorkerHeartbeat) async throws(StoreError) -> Rescue

    /// Fails up to `limit` unfinished jobs whose deadline has passed and releases their holds.
    ///
    /// - Returns: The jobs that failed.
    func expire(limit: Int) async throws(StoreError) -> [JobID]

    /// Deletes up to `limit` jobs that ended before a time, with their journals and idempotency keys.
    ///
    /// The store chooses the order. A job whose idempotency key is younger than a day stays, so that a repeated submit
    /// is answered. The ledger and the model calls stay.
    ///
    /// - Returns: The number of deleted jobs.
    func deleteFinished(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int

    /// Moves up to `limit` jobs that ended before a time to where they take the least space. Every operation finds them
    /// there, too.
    ///
    /// - Returns: The number of jobs; 0 in a store that has no such place.
    func archiveFinished(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int

    /// Deletes the journals of jobs that completed before a time, of up to `limit` jobs.
    ///
    /// Failed and cancelled jobs keep their journals, and so may a job that completed long after its submit.
    ///
    /// - Returns: The number of jobs that were looked at; 0 when none is left.
    func deleteJournals(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int

    /// Deletes up to `limit` ended model calls that were made before a time.
    ///
    /// - Returns: The number of deleted calls.
    func deleteModelCalls(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int

    // MARK: Credits

    /// Reads a user's credits; a user without any record has the starting credits.
    func balance(of user: UserID, startingCredits: Int) async throws(StoreError) -> CreditBalance

    /// Grants credits, or removes credits that are neither held nor used when the amount is negative.
    ///
    /// - Returns: The new balance, or `nil` when fewer credits remain than are to be removed.
    func grant(_ amount: Int, to user: UserID, note: String, startingCredits: Int) async throws(StoreError)
        -> CreditBalance?

    /// Recomputes every balance from the ledger and every hold from its job, and returns the differences.
    func auditCredits() async throws(StoreError) -> [CreditDiscrepancy]

    // MARK: Time and changes

    /// Reads the store's clock.
    func now() async throws(StoreError) -> Timestamp

    /// Signals commits, of any process, that may have made a job claimable (`ready`) or changed data that clients see
    /// (`visible`).
    ///
    /// The first signal comes at once. A burst of commits is one signal. A signal without a change is possible; a
    /// change without a signal is not, since a slow poll backs the fast path.
    func changes(_ topic: ChangeTopic) -> AsyncStream<Void>
}

/// A kind of change that `JobStore.changes` signals.
package enum ChangeTopic: Sendable, CaseIterable {
    case ready, visible
}

/// The reason that a store could not carry out an operation. In every case but `unavailable` nothing was changed.
///
/// Only `invalidText`, `overLimit` and `invalidValue` concern the operation itself. Everything else may pass: the
/// operation may be repeated later.
package enum StoreError: Error, Equatable, Sendable {
    /// The lease is void: the job was claimed again, cancelled, rescued or finished. The worker drops the job.
    case leaseLost
    /// The worker was declared dead and its jobs were requeued; it must register again.
    case workerUnknown
    /// A text holds a NUL character, which no store can keep.
    case invalidText(field: String)
    /// A job would store more than it may.
    case overLimit(JobLimit)
    /// The database refuses a value of the operation, and would refuse it each time. The code is the database's, and
    /// the detail, which names tables and constraints, is for the log only.
    case invalidValue(code: String, detail: String)
    /// The database cannot be reached, stayed busy until the timeout or gave no answer. The operation may have been
    /// carried out if it was sent.
    case unavailable(reason: String)
    /// The database has no space left.
    case full
    /// The files of the database are damaged.
    case damaged(reason: String)
    /// The database refused the operation for a reason that lies in none of its values, such as a function that another
    /// version has changed, or returned something that this version does not understand.
    case unexpected(reason: String)
}

extension StoreError {
    /// Another transaction or process is in the way.
    package static let busy = StoreError.unavailable(reason: "it is busy")
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .leaseLost: "the job is no longer this worker's"
        case .workerUnknown: "the worker is not registered"
        case .invalidText(let field): "'\(field)' must not contain a NUL character"
        case .overLimit(let limit): limit.text
        case .invalidValue(let code, _): "the database refuses a value (\(code))"
        case .unavailable(let reason): "the database is unavailable: \(reason)"
        case .full: "the database is out of space"
        case .damaged(let reason): "the database is damaged: \(reason)"
        case .unexpected(let reason): "the database answered unexpectedly: \(reason)"
        }
    }
}

extension JobStore {
    /// Cancels a job for its user; without a user, for an operator.
    package func cancel(_ id: JobID, of user: UserID?) async throws(StoreError) -> Job? {
        try await cancel(id, of: user, by: user == nil ? .operator : .user, audit: nil)
    }

    package func retry(_ id: JobID, of user: UserID?) async throws(StoreError) -> Submission? {
        try await retry(id, of: user, audit: nil)
    }

    /// Counts a heartbeat of a worker.
    package func heartbeat(_ worker: WorkerID) async throws(StoreError) {
        _ = try await observe(as: FleetObserver(worker: worker))
    }

    package func claim(for worker: WorkerID, upTo capacity: [QueueName: Int]) async throws(StoreError) -> Claim {
        try await claim(for: worker, upTo: capacity, excluding: ClaimExclusions())
    }
}

extension JobStore {
    package func snooze(_ leases: [Lease], after pause: Duration) async throws(StoreError) {
        try await snooze(leases, after: pause, waitingFor: nil)
    }
}

extension PiggybackedClaims {
    package func claimWithNextSubmit(
        for worker: WorkerID, upTo capacity: [QueueName: Int]
    ) async throws(StoreError) -> Claim? {
        try await claimWithNextSubmit(for: worker, upTo: capacity, excluding: ClaimExclusions())
    }
}

/// A store that can claim jobs in the transactions of this process's submits, which spares an idle worker a round trip.
package protocol PiggybackedClaims: JobStore {
    /// Waits for the next submit of this process, and claims its jobs as `claim` does, in the transaction of the
    /// submit.
    ///
    /// Jobs of other processes are announced by `changes`. After an error the claim may have happened all the same: the
    /// worker's next claim then returns its jobs.
    ///
    /// - Returns: The claim, which has at least one job; `nil` when the task was cancelled.
    func claimWithNextSubmit(
        for worker: WorkerID, upTo capacity: [QueueName: Int], excluding: ClaimExclusions
    ) async throws(StoreError) -> Claim?
}
