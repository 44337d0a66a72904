import SQLSupport
internal import JobQueue

/// The part of a job's row by which the verbs decide what to do.
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
    /// Whether an earlier job of its serial key goes first.
    var isBlocked: Bool
    var runAt: Timestamp?
    var epoch: Int64
    var failedEpoch: Int64?
    /// Deaths of workers in a row.
    var deaths: Int
    /// The number of the worker that runs it.
    var worker: Int64?
    /// Whether it needs a slot of its kind.
    var isLimited: Bool
    /// Whether it waits for one.
    var isWaiting: Bool
    /// The first step that a retry by a person does not reuse.
    var dropStepsFrom: Int64?
    /// The number of the leader whose work it waits for.
    var following: Int64?
    /// Whether others may follow it: it has a join key.
    var mayLead: Bool

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
        following = row.integerIfAny()
        mayLead = row.flag()
    }

    /// Whether it holds a slot of its kind: it is ready or runs.
    var holdsSlot: Bool {
        guard isLimited else { return false }
        return status == .processing || (status == .pending && !isBlocked && !isWaiting && runAt == nil)
    }

    /// Whether a worker with this lease may write.
    func isHeld(by lease: Lease) -> Bool { status == .processing && epoch == lease.epoch }
}

extension WriteTransaction {
    func state(of job: JobID) throws -> JobState? { try database.first(.jobStateById, .id(job), read: JobState.init) }

    func state(ofNumber number: Int64) throws -> JobState? {
        try database.first(.jobStateByNumber, .integer(number), read: JobState.init)
    }

    /// The job of a lease that is in force.
    ///
    /// - Throws: `leaseLost`.
    func fenced(_ lease: Lease) throws -> JobState {
        guard let job = try state(of: lease.job), job.isHeld(by: lease) else { throw StoreError.leaseLost }
        return job
    }
}
