import SQLSupport
internal import JSON
internal import JobQueue

/// Jobs that follow a leader, and jobs whose result is there already.
extension WriteTransaction {
    private struct Leader {
        var number: Int64
        var id: JobID
        var revision: Int64
    }

    /// Takes in a job that waits for the leader of its work, which is brought along when there is none.
    func insert(_ job: NewJob, input: String, hold: Int64?, sharing work: SharedWork) throws -> Job {
        let sharedJob = try sharedJob(of: work) ?? bringSharedJob(of: work, for: job)
        let number = try insertRow(job, input: input, hold: hold)
        try database.run(.jobSetSharedKey, .integer(number), .user(work.owner), .text(work.key))
        try follow(sharedJob, number)
        return try accepted(job.id)
    }

    /// Takes in a job that is complete.
    func insert(_ job: NewJob, input: String, hold: Int64?, with result: String) throws -> Job {
        let number = try insertRow(job, input: input, hold: hold)
        try database.run(.jobResultInsert, .integer(number), .text(result))
        try database.run(.jobComplete, .integer(number), .timestamp(now))
        if let stored = try state(ofNumber: number) { try settle(stored) }
        return try accepted(job.id)
    }

    /// Lets a job that is tried again follow a leader, if it ever did and there can be one.
    ///
    /// - Returns: Whether it follows; else it runs itself.
    func followAgain(_ job: JobState) throws -> Bool {
        let shared = try database.first(.jobSharedKey, .integer(job.number)) { row in
            (owner: row.integerIfAny(), key: row.text(), sharedJob: row.jobIDIfAny())
        }
        guard let shared, let owner = shared.owner, let last = shared.sharedJob else { return false }
        let work = (owner: UserID(rawValue: owner), key: shared.key)
        if let sharedJob = try sharedJob(work.owner, work.key) ?? restartSharedJob(last, work.owner, work.key) {
            try follow(sharedJob, job.number)
            return true
        }
        return false
    }

    /// Ends all who follow a job as it has ended.
    func endSubscribers(of job: JobState, settling: Bool) throws {
        guard job.mayLead else { return }
        let sharedJob = SQLiteValue.integer(job.number)
        let entry = SQLiteValue.text((settling ? Entry.settle : .release).rawValue)
        if settling { try database.run(.subscriberResults, sharedJob) }
        try database.run(.subscriberLedger, sharedJob, entry, .timestamp(now))
        try database.run(.subscriberBalances, sharedJob, entry)
        try database.run(.subscriberEnd, sharedJob)
    }

    private func sharedJob(of work: SharedWork) throws -> Leader? { try sharedJob(work.owner, work.key) }

    private func sharedJob(_ owner: UserID, _ key: String) throws -> Leader? {
        try database.first(.sharedJobGet, .user(owner), .text(key)) { row in
            Leader(number: row.integer(), id: row.jobID(), revision: row.integer())
        }
    }

    private func bringSharedJob(of work: SharedWork, for job: NewJob) throws -> Leader {
        _ = try submit(job.sharedJob(of: work), input: work.input.compact)
        guard let sharedJob = try sharedJob(of: work) else {
            throw StoreError.unexpected(reason: "the id of a leader belongs to another job")
        }
        return sharedJob
    }

    private func restartSharedJob(_ last: JobID, _ owner: UserID, _ key: String) throws -> Leader? {
        let number = try database.first(.sharedJobRestartable, .id(last), .user(owner), .text(key)) { $0.integer() }
        guard let number, let job = try state(ofNumber: number) else { return nil }
        _ = try retry(job)
        return try sharedJob(owner, key)
    }

    private func follow(_ sharedJob: Leader, _ number: Int64) throws {
        try database.run(
            .jobSubscribe, .integer(number), .integer(sharedJob.number), .integer(sharedJob.revision), .id(sharedJob.id))
    }

    private func accepted(_ id: JobID) throws -> Job {
        guard let job = try record(of: id) else { throw StoreError.unexpected(reason: "an accepted job is missing") }
        return job
    }
}
