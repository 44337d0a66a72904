internal import JobQueue
internal import JSON
import SQLSupport

/// Shared jobs and their subscribers, and jobs that are submitted with a result.
extension WriteTransaction {
    private struct SharedJob {
        var number: Int64
        var id: JobID
        var revision: Int64
    }

    /// Inserts a job that subscribes to the shared job of its work, which is submitted if there is none.
    func insert(_ job: NewJob, input: SubmittedInput, hold: Int64?, sharing work: SharedWork) throws -> Job {
        let sharedJob = try sharedJob(of: work) ?? submitSharedJob(of: work, for: job)
        let number = try insertRow(job, input: input, hold: hold)
        try database.run(.jobSetSharedKey, .integer(number), .user(work.owner), .text(work.key))
        try subscribe(number, to: sharedJob)
        try standIfPaused(number, job.kind, job.queue)
        return try accepted(job.id)
    }

    /// Inserts a completed job.
    func insert(_ job: NewJob, input: SubmittedInput, hold: Int64?, with result: PackedText) throws -> Job {
        let number = try insertRow(job, input: input, hold: hold)
        try database.run(.jobResultInsert, .integer(number), result.text, result.packed)
        try database.run(.jobComplete, .integer(number), .timestamp(now))
        if let stored = try state(ofNumber: number) { try settleHold(of: stored) }
        return try accepted(job.id)
    }

    /// Subscribes a job that is retried to its shared job again, if it had one that is unfinished or can be restarted.
    ///
    /// - Returns: Whether it subscribes; otherwise it runs by itself.
    func resubscribe(_ job: JobState) throws -> Bool {
        let shared = try database.first(.jobSharedKey, .integer(job.number)) { row in
            (owner: row.integerIfAny(), key: row.text(), sharedJob: row.jobIDIfAny())
        }
        guard let shared, let owner = shared.owner, let last = shared.sharedJob else { return false }
        let work = (owner: UserID(rawValue: owner), key: shared.key)
        if let sharedJob = try sharedJob(work.owner, work.key) ?? restartSharedJob(last, work.owner, work.key) {
            try subscribe(job.number, to: sharedJob)
            return true
        }
        return false
    }

    /// Ends all subscribers of a job as it has ended.
    func endSubscribers(of job: JobState, settling: Bool) throws {
        guard job.mayHaveSubscribers else { return }
        let sharedJob = SQLiteValue.integer(job.number)
        let entry = SQLiteValue.text((settling ? Entry.settle : .release).rawValue)
        if settling { try database.run(.subscriberResults, sharedJob) }
        try database.run(.subscriberLedger, sharedJob, entry, .timestamp(now))
        try database.run(.subscriberBalances, sharedJob, entry)
        try database.run(.subscriberEnd, sharedJob)
    }

    private func sharedJob(of work: SharedWork) throws -> SharedJob? { try sharedJob(work.owner, work.key) }

    private func sharedJob(_ owner: UserID, _ key: String) throws -> SharedJob? {
        try database.first(.sharedJobGet, .user(owner), .text(key)) { row in
            SharedJob(number: row.integer(), id: row.jobID(), revision: row.integer())
        }
    }

    private func submitSharedJob(of work: SharedWork, for job: NewJob) throws -> SharedJob {
        _ = try submit(job.sharedJob(of: work), input: SubmittedInput(work.input.compact))
        guard let sharedJob = try sharedJob(of: work) else {
            throw StoreError.unexpected(reason: "the id of a shared job belongs to another job")
        }
        return sharedJob
    }

    private func restartSharedJob(_ last: JobID, _ owner: UserID, _ key: String) throws -> SharedJob? {
        let number = try database.first(.sharedJobRestartable, .id(last), .user(owner), .text(key)) { $0.integer() }
        guard let number, let job = try state(ofNumber: number) else { return nil }
        _ = try retry(job)
        return try sharedJob(owner, key)
    }

    private func subscribe(_ number: Int64, to sharedJob: SharedJob) throws {
        try database.run(
            .jobSubscribe, .integer(number), .integer(sharedJob.number), .integer(sharedJob.revision), .id(sharedJob.id)
        )
        try note(JobEvent(.shared, at: now), of: number)
    }

    private func accepted(_ id: JobID) throws -> Job {
        guard let job = try record(of: id) else { throw StoreError.unexpected(reason: "an accepted job is missing") }
        return job
    }
}
