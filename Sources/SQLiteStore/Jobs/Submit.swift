package import JobQueue
internal import JSON
import SQLSupport

extension SQLiteStore {
    package func submit(_ job: NewJob) async throws(StoreError) -> Submission {
        try monitor.checkForNewWork()
        try Texts.rejectNUL(in: job)
        let input = SubmittedInput(job.input.compact)
        return try await writer.perform { transaction in try transaction.submit(job, input: input) }
    }
}

/// A job's input as the caller sees it, and as it is stored.
struct SubmittedInput: Sendable {
    let text: String
    let stored: PackedText

    init(_ text: String) {
        self.text = text
        stored = PackedText(text)
    }
}

extension WriteTransaction {
    func submit(_ job: NewJob, input: SubmittedInput) throws -> Submission {
        if let earlier = try earlierSubmission(of: job) { return earlier }
        let stored = try storedBalance(of: job.user)
        let balance = stored ?? CreditBalance(granted: job.startingCredits, held: 0, used: 0)
        guard balance.remaining >= job.cost else { return .insufficientCredits(balance, required: job.cost) }
        if stored == nil { try openBalance(of: job.user, startingCredits: job.startingCredits) }
        let hold = job.cost > 0 ? try hold(job.cost, of: job.user, for: job.id) : nil
        if let work = job.sharedWork { return .accepted(try insert(job, input: input, hold: hold, sharing: work)) }
        if case .stored(let result) = job.source {
            return .accepted(try insert(job, input: input, hold: hold, with: PackedText(result.compact)))
        }
        return .accepted(try insert(job, input: input, hold: hold))
    }

    /// The answer for a job with the same id, idempotency key or unique key.
    private func earlierSubmission(of job: NewJob) throws -> Submission? {
        if let owner = try database.first(.jobOwner, .id(job.id), read: { UserID(rawValue: $0.integer()) }) {
            return owner == job.user ? try existing(job.id) : .conflict
        }
        if let idempotency = job.idempotency {
            let first = try database.first(.jobByIdempotencyKey, .user(job.user), .text(idempotency.key)) { row in
                (id: row.jobID(), fingerprint: row.text())
            }
            if let first { return first.fingerprint == idempotency.fingerprint ? try existing(first.id) : .conflict }
        }
        return try jobWithUniqueKey(job.uniqueKey, of: job.user)
    }

    /// The unfinished job with a unique key.
    func jobWithUniqueKey(_ key: String?, of user: UserID) throws -> Submission? {
        guard let key else { return nil }
        let id = try database.first(.jobByUniqueKey, .user(user), .text(key)) { $0.jobID() }
        return try id.flatMap { try existing($0) }
    }

    private func existing(_ id: JobID) throws -> Submission? { try record(of: id).map { .existing($0) } }

    /// A job as its owner sees it.
    func record(of id: JobID, user: UserID? = nil) throws -> Job? {
        let now = now
        return try database.first(.jobGet, .id(id), .user(user)) { try Job(&$0, now: now) }
    }

    private func insert(_ job: NewJob, input: SubmittedInput, hold: Int64?) throws -> Job {
        let now = now
        let holder = try concurrencyKeyHolder(of: job.concurrencyKey, user: job.user)
        let runAt = job.runAt.flatMap { $0 > now ? $0 : nil }
        let isLimited = !job.limits.isNone
        if isLimited { try setFirstLimits(job.limits, of: job.kind) }
        let number = try insertRow(
            job, input: input, hold: hold, isLimited: isLimited, isBlocked: holder != nil, notBefore: runAt)
        if holder != nil {
            try note(JobEvent(.blocked, at: now), of: number)
        } else if let runAt {
            try note(JobEvent(.scheduled, at: now, until: runAt, code: .scheduled), of: number)
        }
        var accepted = Job(accepted: job, input: input.text, at: now, notBefore: runAt)
        guard holder == nil else {
            try standIfPaused(number, job.kind, job.queue)
            return try record(of: job.id) ?? accepted
        }
        let pending = PendingJob(
            number: number, queue: job.queue, user: job.user, priority: job.priority, kind: job.kind,
            isLimited: isLimited)
        guard let block = try enqueue(pending, notBefore: runAt) else { return accepted }
        if case .paused = block { return try record(of: job.id) ?? accepted }
        accepted.blockedBy = block
        return accepted
    }

    /// Inserts a pending job that is in no place yet, and returns its number.
    func insertRow(
        _ job: NewJob, input: SubmittedInput, hold: Int64?, isLimited: Bool = false, isBlocked: Bool = false,
        notBefore runAt: Timestamp? = nil
    ) throws -> Int64 {
        let now = now
        try database.run(.bundleNumberInsert, .text(job.bundle))
        try database.run(
            .jobInsert, .id(job.id), .user(job.user), .text(job.kind), .text(job.bundle), .text(job.queue.rawValue),
            .integer(job.priority), .integer(job.cost), .integer(job.maxAttempts), .text(job.concurrencyKey),
            .text(job.uniqueKey), .text(job.idempotency?.key), .text(job.idempotency?.fingerprint),
            .timestamp(now), .integer((job.deadline - now).wholeMilliseconds),
            .timestamp(job.deadline), .integer(isLimited), .integer(isBlocked), .timestamp(runAt), .integer(hold),
            .integer(job.within?.wholeMilliseconds), .text(job.subject))
        let number = database.lastInsertedRow
        try database.run(
            .jobInputInsert, .integer(number), input.stored.text, input.stored.packed, .text(job.origin))
        if let billedUser = job.billedUser { try database.run(.jobBilledUserSet, .integer(number), .user(billedUser)) }
        noteVisible()
        return number
    }
}
