import SQLSupport
internal import JobQueue

/// The queues of everything that reads. Questions that wait together are asked in one statement.
struct Reads: Sendable {
    let job: BatchQueue<OwnedJob, Job?>
    let jobWithResult: BatchQueue<OwnedJob, JobRowWithResult?>
    let revisions: BatchQueue<[JobID], [JobID: Int64]>
    let list: BatchQueue<ListQuestion, JobList>
    let leases: BatchQueue<WorkerID, Set<Lease>>
    let beats: BatchQueue<Void, [WorkerHeartbeat]>
    let steps: BatchQueue<JournalQuestion, [StoredStep]?>
    let balance: BatchQueue<UserID, CreditBalance?>
    let audit: BatchQueue<Void, [CreditDiscrepancy]>
    let spend: BatchQueue<SpendQuestion, Int64>
    let costs: BatchQueue<CostQuestion, [CostLine]>
    let records: BatchQueue<RecordStatement, any Sendable>
    let migrations: BatchQueue<Void, [AppliedMigration]>
    let currentBundle: BatchQueue<Void, String?>
    let health: BatchQueue<Void, [HealthCount]>
    let tally: BatchQueue<Timestamp, [JobCount]>
    let clock: BatchQueue<Void, Timestamp>

    init(desk: BatchExecutor) {
        job = desk.queue(.job)
        jobWithResult = desk.queue(.jobWithResult)
        revisions = desk.queue(.revisions)
        list = desk.queue(.list)
        leases = desk.queue(.leases)
        beats = desk.queue(.beats)
        steps = desk.queue(.steps)
        balance = desk.queue(.balance)
        audit = desk.queue(.audit)
        spend = desk.queue(.spend)
        costs = desk.queue(.costs)
        records = desk.queue(.records)
        migrations = desk.queue(.migrations)
        currentBundle = desk.queue(.currentBundle)
        health = desk.queue(.health)
        tally = desk.queue(.tally)
        clock = desk.queue(.clock)
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
                WorkerHeartbeat(worker: WorkerID(rawValue: $0.text()), count: $0.integer())
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
        statements: { _, _ in [Statement(.storeNow)] },
        read: { answer, inputs in
            let now = answer.rows.first?.first { $0.timestamp() }
            return inputs.map { _ in now.map { .done($0) } ?? .failed(.unexpected(reason: "no time of day")) }
        })
}
