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
        let leader = try leader(of: work) ?? bringLeader(of: work, for: job)
        let number = try insertRow(job, input: input, hold: hold)
        try database.run(.jobShare, .integer(number), .user(work.owner), .text(work.key))
        try follow(leader, number)
        return try accepted(job.id)
    }

    /// Takes in a job that is complete.
    func insert(_ job: NewJob, input: String, hold: Int64?, with result: String) throws -> Job {
        let number = try insertRow(job, input: input, hold: hold)
        try database.run(.jobResultInsert, .integer(number), .text(result))
        try database.run(.jobComplete, .integer(number), .moment(now))
        if let stored = try state(ofNumber: number) { try settle(stored) }
        return try accepted(job.id)
    }

    /// Lets a job that is tried again follow a leader, if it ever did and there can be one.
    ///
    /// - Returns: Whether it follows; else it runs itself.
    func followAgain(_ job: JobState) throws -> Bool {
        let shared = try database.first(.jobShared, .integer(job.number)) { row in
            (owner: row.integerIfAny(), key: row.text(), leader: row.jobIDIfAny())
        }
        guard let shared, let owner = shared.owner, let last = shared.leader else { return false }
        let work = (owner: UserID(rawValue: owner), key: shared.key)
        if let leader = try leader(work.owner, work.key) ?? restartLeader(last, work.owner, work.key) {
            try follow(leader, job.number)
            return true
        }
        return false
    }

    /// Ends all who follow a job as it has ended.
    func endFollowers(of job: JobState, settling: Bool) throws {
        guard job.mayLead else { return }
        let leader = SQLiteValue.integer(job.number)
        let entry = SQLiteValue.text((settling ? Entry.settle : .release).rawValue)
        if settling { try database.run(.followerResults, leader) }
        try database.run(.followerLedger, leader, entry, .moment(now))
        try database.run(.followerBalances, leader, entry)
        try database.run(.followerEnd, leader)
    }

    private func leader(of work: SharedWork) throws -> Leader? { try leader(work.owner, work.key) }

    private func leader(_ owner: UserID, _ key: String) throws -> Leader? {
        try database.first(.leaderGet, .user(owner), .text(key)) { row in
            Leader(number: row.integer(), id: row.jobID(), revision: row.integer())
        }
    }

    private func bringLeader(of work: SharedWork, for job: NewJob) throws -> Leader {
        _ = try submit(job.leader(of: work), input: work.input.compact)
        guard let leader = try leader(of: work) else {
            throw StoreError.unexpected(reason: "the id of a leader belongs to another job")
        }
        return leader
    }

    private func restartLeader(_ last: JobID, _ owner: UserID, _ key: String) throws -> Leader? {
        let number = try database.first(.leaderLast, .id(last), .user(owner), .text(key)) { $0.integer() }
        guard let number, let job = try state(ofNumber: number) else { return nil }
        _ = try retry(job)
        return try leader(owner, key)
    }

    private func follow(_ leader: Leader, _ number: Int64) throws {
        try database.run(
            .jobFollow, .integer(number), .integer(leader.number), .integer(leader.revision), .id(leader.id))
    }

    private func accepted(_ id: JobID) throws -> Job {
        guard let job = try record(of: id) else { throw StoreError.unexpected(reason: "an accepted job is missing") }
        return job
    }
}
