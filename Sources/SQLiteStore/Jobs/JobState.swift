internal import JobQueue
import SQLSupport

/// The columns of a job by which the operations decide.
struct JobState {
    var number: Int64
    var id: JobID
    var user: UserID
    var kind: String
    var queue: QueueName
    var priority: Int
    var cost: Int
    /// The ledger entry that holds the credits; `nil` for a job without cost.
    var hold: Int64?
    var concurrencyKey: String?
    var status: JobStatus
    /// Whether another job holds its concurrency key.
    var isBlocked: Bool
    var runAt: Timestamp?
    var epoch: Int64
    var failedEpoch: Int64?
    /// Deaths of workers in a row while they ran it.
    var deaths: Int
    /// The number of the worker that runs it.
    var worker: Int64?
    /// Whether it needs a permit of its kind.
    var isLimited: Bool
    /// Whether it waits for a permit.
    var isWaiting: Bool
    /// The first step that a retry by a person does not reuse.
    var dropStepsFrom: Int64?
    /// The number of the shared job that it waits for.
    var subscribedTo: Int64?
    /// Whether it has a unique key, so that other jobs may subscribe to it.
    var mayHaveSubscribers: Bool
    /// The reason for which it was postponed last.
    var waitsFor: WaitReason?

    init(_ row: inout SQLiteRow) throws {
        number = row.integer()
        id = row.jobID()
        user = row.user()
        kind = row.text()
        queue = try row.queue()
        priority = row.int()
        cost = row.int()
        hold = row.integerIfAny()
        concurrencyKey = row.textIfAny()
        status = try row.status()
        isBlocked = row.flag()
        runAt = row.timestampIfAny()
        epoch = row.integer()
        failedEpoch = row.integerIfAny()
        deaths = row.int()
        worker = row.integerIfAny()
        isLimited = row.flag()
        isWaiting = row.flag()
        dropStepsFrom = row.integerIfAny()
        subscribedTo = row.integerIfAny()
        mayHaveSubscribers = row.flag()
        waitsFor = row.textIfAny().flatMap(WaitCause.init(stored:))?.reason
    }

    /// The error of a job whose deadline has passed.
    var deadlinePassed: JobError {
        guard status == .pending else { return .deadlinePassed }
        let isReady = !isBlocked && runAt == nil && !isWaiting && subscribedTo == nil && !mayHaveSubscribers
        return .deadlinePassed(waitingFor: waitsFor ?? (isReady && epoch == 0 ? .noWorker : nil))
    }

    /// Whether it holds a permit of its kind, since it is ready or runs.
    var holdsPermit: Bool {
        guard isLimited else { return false }
        return status == .processing || (status == .pending && !isBlocked && !isWaiting && runAt == nil)
    }

    /// Whether the lease is in force.
    func isHeld(by lease: Lease) -> Bool { status == .processing && epoch == lease.epoch }
}

extension WriteTransaction {
    func state(of job: JobID) throws -> JobState? { try database.first(.jobStateById, .id(job), read: JobState.init) }

    func state(ofNumber number: Int64) throws -> JobState? {
        try database.first(.jobStateByNumber, .integer(number), read: JobState.init)
    }

    /// The job of a lease; `nil` when the lease is void.
    func held(_ lease: Lease) throws -> JobState? {
        guard let job = try state(of: lease.job), job.isHeld(by: lease) else { return nil }
        return job
    }
}
