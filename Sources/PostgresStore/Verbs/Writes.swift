import SQLSupport
internal import JobQueue

/// The queues of everything that writes.
struct Writes: Sendable {
    let submit: BatchQueue<SubmitInput, SubmitOutcome>
    /// Jobs that share work or are complete.
    let submitShared: BatchQueue<SubmitInput, SubmitOutcome>
    let cancel: BatchQueue<OwnedJob, Bool>
    let retry: BatchQueue<OwnedJob, RetryOutcome>
    let claim: BatchQueue<ClaimInput, ClaimOutcome>
    /// Claims in the transactions of submits.
    let claimWithSubmit: BatchQueue<ClaimInput, ClaimOutcome>
    let report: BatchQueue<[ProgressReport], Void>
    let append: BatchQueue<AppendInput, Int64?>
    let complete: BatchQueue<CompleteInput, Bool>
    let fail: BatchQueue<FailInput, Bool>
    let snooze: BatchQueue<SnoozeInput, Void>
    let register: BatchQueue<WorkerRegistration, Void>
    let beat: BatchQueue<WorkerID, Bool>
    let deregister: BatchQueue<WorkerID, Void>
    let rescue: BatchQueue<WorkerHeartbeat, Rescue>
    let expire: BatchQueue<Int, [JobID]>
    let deleteFinished: BatchQueue<Retention, Int>
    let grant: BatchQueue<GrantInput, CreditBalance?>
    let adopt: BatchQueue<Adoption, Void>
    let fire: BatchQueue<FireInput, FireOutcome>
    let exchange: BatchQueue<[BudgetRequest], [BudgetReply]>
    let records: BatchQueue<RecordStatement, any Sendable>

    init(desk: BatchExecutor, claims: ClaimMemory) {
        submit = desk.queue(.submit)
        submitShared = desk.queue(.submitShared)
        cancel = desk.queue(.cancel)
        retry = desk.queue(.retry)
        claim = desk.queue(.claim(claims))
        claimWithSubmit = desk.queue(.claim(claims), ridingOn: submit)
        report = desk.queue(.report)
        append = desk.queue(.append)
        complete = desk.queue(.complete)
        fail = desk.queue(.fail)
        snooze = desk.queue(.snooze)
        register = desk.queue(.register)
        beat = desk.queue(.beat)
        deregister = desk.queue(.deregister)
        rescue = desk.queue(.rescue)
        expire = desk.queue(.expire(DeadlineMemory()))
        deleteFinished = desk.queue(.deleteFinished)
        grant = desk.queue(.grant)
        adopt = desk.queue(.adopt)
        fire = desk.queue(.fire)
        exchange = desk.queue(.exchange(BudgetMemory()))
        records = desk.queue(.records)
    }
}

/// A job as somebody asks for it: its owner, or an operator when there is no user.
struct OwnedJob: Sendable {
    var id: JobID
    var user: UserID?
}

extension BatchOperation.Answer {
    /// The verdicts of rows that begin with the place of their request, from 1.
    func verdicts(
        _ count: Int, missing: BatchOperation.Verdict, read: (inout PostgresRow) throws -> BatchOperation.Verdict
    ) rethrows -> [BatchOperation.Verdict] {
        var verdicts = [BatchOperation.Verdict](repeating: missing, count: count)
        try rows.first?.each { row in
            let place = row.int()
            let verdict = try read(&row)
            if verdicts.indices.contains(place - 1) { verdicts[place - 1] = verdict }
        }
        return verdicts
    }
}
