internal import JobQueue
import SQLSupport

/// The queues of operations that write.
struct WriteQueues: Sendable {
    let submit: BatchQueue<SubmitInput, SubmitOutcome>
    /// Jobs that subscribe to shared work or have a result already.
    let submitShared: BatchQueue<SubmitInput, SubmitOutcome>
    let cancel: BatchQueue<CancelInput, Bool>
    let retry: BatchQueue<RetryInput, RetryOutcome>
    let claim: BatchQueue<ClaimInput, ClaimOutcome>
    /// Claims in the transactions of submits.
    let claimWithSubmit: BatchQueue<ClaimInput, ClaimOutcome>
    let report: BatchQueue<[ProgressReport], Void>
    let append: BatchQueue<AppendInput, Int64?>
    let beginCall: BatchQueue<BeginCallInput, SpendVerdict?>
    let correctCalls: BatchQueue<[ModelCall], Void>
    let settleCalls: BatchQueue<SettleCallsInput, Void>
    let closeCalls: BatchQueue<Int, Int>
    let complete: BatchQueue<CompleteInput, Bool>
    let fail: BatchQueue<FailInput, Bool>
    let snooze: BatchQueue<SnoozeInput, Void>
    let wake: BatchQueue<WakeInput, Int>
    let register: BatchQueue<WorkerRegistration, Void>
    let deregister: BatchQueue<WorkerID, Void>
    let expire: BatchQueue<Int, [JobID]>
    let findToArchive: BatchQueue<ArchivePass, [ArchivedJob]>
    let archive: BatchQueue<(ArchivePass, [ArchivedJob]), Int>
    let history: BatchQueue<HistoryPass, Int>
    let grant: BatchQueue<GrantInput, CreditBalance?>
    let adopt: BatchQueue<Adoption, Void>
    let scheduledRun: BatchQueue<ScheduledRunInput, ScheduledRunResult>
    let settlePauses: BatchQueue<Int, Bool>
    let exchange: BatchQueue<[BudgetRequest], [BudgetReply]>
    let records: BatchQueue<RecordStatement, any Sendable>
    let modelBatches: BatchQueue<ModelBatchStatement, any Sendable>

    init(executor: BatchExecutor, claims: ClaimMemory, monitor: AvailabilityMonitor? = nil) {
        submit = executor.queue(.submit)
        submitShared = executor.queue(.submitShared)
        cancel = executor.queue(.cancel)
        retry = executor.queue(.retry)
        claim = executor.queue(.claim(claims))
        claimWithSubmit = executor.queue(.claim(claims, mayWait: false), piggybackedOn: submit)
        report = executor.queue(.report)
        append = executor.queue(.append)
        beginCall = executor.queue(.beginCall)
        correctCalls = executor.queue(.correctCalls)
        settleCalls = executor.queue(.settleCalls)
        closeCalls = executor.queue(.closeCalls)
        complete = executor.queue(.complete)
        fail = executor.queue(.fail)
        snooze = executor.queue(.snooze)
        wake = executor.queue(.wake)
        register = executor.queue(.register)
        deregister = executor.queue(.deregister)
        expire = executor.queue(.expire(DeadlineMemory(monitor: monitor)))
        findToArchive = executor.queue(.findToArchive)
        archive = executor.queue(.archive)
        history = executor.queue(.history)
        grant = executor.queue(.grant)
        adopt = executor.queue(.adopt)
        scheduledRun = executor.queue(.scheduledRun)
        settlePauses = executor.queue(.settlePauses)
        exchange = executor.queue(.exchange(BudgetMemory()))
        records = executor.queue(.records)
        modelBatches = executor.queue(.modelBatches)
    }
}

/// A job, and the user that must own it; an operator's request names no user.
struct OwnedJob: Sendable {
    var id: JobID
    var user: UserID?
}

/// The queues of operations that read.
struct ReadQueues: Sendable {
    let job: BatchQueue<OwnedJob, Job?>
    let jobWithResult: BatchQueue<OwnedJob, JobRowWithResult?>
    let revisions: BatchQueue<[JobID], [JobID: Int64]>
    let unfinishedInputs: BatchQueue<InputQuestion, [String]>
    let requestIDs: BatchQueue<[JobID], [JobID: String]>
    let list: BatchQueue<ListQuestion, JobList>
    let steps: BatchQueue<JournalQuestion, [StoredStep]?>
    let balance: BatchQueue<UserID, CreditBalance?>
    let audit: BatchQueue<Void, [CreditDiscrepancy]>
    let spend: BatchQueue<UserID, Spend>
    let modelSpend: BatchQueue<SpendQuestion, Int64>
    let costs: BatchQueue<CostQuestion, [CostLine]>
    let callsOfLastHour: BatchQueue<Void, CallSum>
    let records: BatchQueue<RecordStatement, any Sendable>
    let monitoring: BatchQueue<RecordStatement, any Sendable>
    let scans: BatchQueue<RecordStatement, any Sendable>
    let migrations: BatchQueue<Void, [AppliedMigration]>
    let currentBundle: BatchQueue<Void, String?>
    let health: BatchQueue<Retention, [HealthCount]>
    let settings: BatchQueue<Void, [ServerSetting]>
    let counts: BatchQueue<Timestamp, [JobCount]>
    let clock: BatchQueue<Void, Timestamp>

    init(executor: BatchExecutor) {
        job = executor.queue(.job)
        jobWithResult = executor.queue(.jobWithResult)
        revisions = executor.queue(.revisions)
        unfinishedInputs = executor.queue(.unfinishedInputs)
        requestIDs = executor.queue(.requestIDs)
        list = executor.queue(.list)
        steps = executor.queue(.steps)
        balance = executor.queue(.balance)
        audit = executor.queue(.audit)
        spend = executor.queue(.spend)
        modelSpend = executor.queue(.modelSpend)
        costs = executor.queue(.costs)
        callsOfLastHour = executor.queue(.callsOfLastHour)
        records = executor.queue(.records)
        monitoring = executor.queue(.monitoring)
        scans = executor.queue(.scans)
        migrations = executor.queue(.migrations)
        currentBundle = executor.queue(.currentBundle)
        health = executor.queue(.health)
        settings = executor.queue(.settings)
        counts = executor.queue(.counts)
        clock = executor.queue(.clock)
    }
}

/// The queues of the operations on which the judgement rests that a worker lives, and of the rescue that follows from
/// it. They have a connection of their own.
struct LivenessQueues: Sendable {
    let observe: BatchQueue<FleetObserver, FleetObservation?>
    let beats: BatchQueue<Void, [WorkerHeartbeat]>
    let leases: BatchQueue<WorkerID, Set<Lease>>
    let rescue: BatchQueue<WorkerHeartbeat, Rescue>

    init(executor: BatchExecutor) {
        observe = executor.queue(.observe)
        beats = executor.queue(.beats)
        leases = executor.queue(.leases)
        rescue = executor.queue(.rescue)
    }
}

extension BatchOperation where Input == WorkerID, Output == Set<Lease> {
    static let leases = BatchOperation(
        limit: 32,
        statements: { inputs, _ in inputs.map { worker in Statement(.leasesOfWorker) { $0.add(worker.rawValue) } } },
        read: { answer, _ in
            answer.rows.map { rows in
                .done(Set(rows.map { Lease(job: $0.jobID(), epoch: $0.integer()) }))
            }
        })
}

extension BatchOperation where Input == Void, Output == [WorkerHeartbeat] {
    static let beats = BatchOperation(
        statements: { _, _ in [Statement(.workerBeats)] },
        read: { answer, inputs in
            let beats = answer.rows.first?.map {
                WorkerHeartbeat(
                    worker: WorkerID(rawValue: $0.text()), count: $0.integer(),
                    missing: WorkerAbilities.missing(in: $0.text()))
            }
            return inputs.map { _ in .done(beats ?? []) }
        })
}

extension BatchOperation where Input == Void, Output == [AppliedMigration] {
    static let migrations = BatchOperation(
        statements: { _, _ in [Statement(.migrationList)] },
        read: { answer, inputs in
            let applied = answer.rows.first?.map {
                AppliedMigration(version: $0.integer(), name: $0.text(), appliedAt: $0.timestamp())
            }
            return inputs.map { _ in .done(applied ?? []) }
        })
}

extension BatchOperation where Input == Void, Output == Timestamp {
    static let clock = BatchOperation(
        needsTables: false,
        statements: { _, _ in [Statement(.storeNow)] },
        read: { answer, inputs in
            let now = answer.rows.first?.first { $0.timestamp() }
            return inputs.map { _ in
                now.map { .done($0) } ?? .failed(.unexpected(reason: "the server has told no time"))
            }
        })
}
