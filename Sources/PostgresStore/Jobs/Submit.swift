import SQLSupport
internal import JSON
package import JobQueue

extension PostgresStore {
    package func submit(_ job: NewJob) async throws(StoreError) -> Submission {
        try monitor.checkForNewWork()
        try Texts.rejectNUL(in: job)
        let input = job.input.compact
        let queue = job.hasOwnRun ? writes.submit : writes.submitShared
        let outcome = try await writers.perform(SubmitInput(job: job, text: input), in: queue)
        return try await submission(outcome, of: job, input: input)
    }

    func submission(
        _ outcome: SubmitOutcome, of job: NewJob, input: String
    ) async throws(StoreError) -> Submission {
        switch outcome {
        case .conflict: return .conflict
        case .short(let balance): return .insufficientCredits(balance, required: job.cost)
        case .existing(let id): return .existing(try await stored(id))
        case .accepted(let now, isToBeRead: false):
            return .accepted(
                Job(
                    accepted: job, input: input, at: now, notBefore: job.runAt.flatMap { $0 > now ? $0 : nil }))
        case .accepted(_, isToBeRead: true): return .accepted(try await stored(job.id))
        }
    }

    /// Reads a job that is known to have been stored.
    func stored(_ id: JobID) async throws(StoreError) -> Job {
        guard let job = try await self.job(id, of: nil) else {
            throw .unavailable(reason: "the job was deleted meanwhile")
        }
        return job
    }
}

struct SubmitInput: Sendable {
    var job: NewJob
    /// The input as compact JSON.
    var text: String
}

enum SubmitOutcome: Sendable {
    /// `isToBeRead` is true when the stored job differs from the submitted one, as when it is blocked.
    case accepted(Timestamp, isToBeRead: Bool)
    case existing(JobID)
    case conflict
    case short(CreditBalance)

    /// Reads the columns after the outcome's name in a row of `submit_jobs`.
    init(_ word: String, _ row: inout PostgresRow) throws {
        let earlier = row.jobIDIfAny()
        let balance = CreditBalance(&row)
        let (now, isToBeRead) = (row.timestamp(), row.flag())
        switch (word, earlier) {
        case ("accepted", _): self = .accepted(now, isToBeRead: isToBeRead)
        case ("existing", let earlier?): self = .existing(earlier)
        case ("conflict", _): self = .conflict
        case ("short", _): self = .short(balance)
        default: throw StoreError.unexpected(reason: "outcome '\(word)'")
        }
    }
}

extension BatchOperation where Input == SubmitInput, Output == SubmitOutcome {
    /// Repeatable: the caller makes the id, by which a repetition finds the job that was accepted before.
    static let submit = submitting { inputs, context in
        let oneEach = Set(inputs.map(\.job.user)).count == inputs.count && inputs.allSatisfy(\.job.isReadyAtOnce)
        return Statement(oneEach ? .submitOneEach : .submitJobs) { parameters in
            parameters.add(context.now?.milliseconds)
            parameters.add(submits: inputs, oneEach: oneEach)
        }
    }

    static let submitShared = submitting { inputs, context in
        Statement(.submitSharedJobs) { parameters in
            parameters.add(context.now?.milliseconds)
            parameters.add(submits: inputs)
            parameters.add(sharing: inputs.map(\.job))
        }
    }

    private static func submitting(_ statement: @escaping @Sendable ([Input], Context) -> Statement) -> BatchOperation {
        BatchOperation(
            batching: .submits,
            // The server process of one connection is busy with so large a batch while this process could send more.
            overflow: 64,
            keys: { input in
                let job = input.job
                var keys: [BatchKey] = [.job(job.id)]
                if let key = job.concurrencyKey { keys.append(.concurrencyKey(job.user, key)) }
                if let key = job.uniqueKey { keys.append(.uniqueKey(job.user, key)) }
                if let promise = job.idempotency { keys.append(.idempotencyKey(job.user, promise.key)) }
                return keys
            },
            weight: { $0.text.utf8.count },
            statements: { inputs, context in
                let jobs = inputs.map(\.job)
                return [statement(inputs, context)] + Statement.billedUsers(of: jobs) + Statement.withins(of: jobs)
            },
            read: { answer, inputs in
                let verdicts = try answer.verdicts(inputs.count, missing: .again) { row -> Verdict in
                    let word = row.text()
                    if word == "again" { return .again }
                    var outcome = try SubmitOutcome(word, &row)
                    if case .existing(let earlier) = outcome, answer.isRepetition,
                        inputs.contains(where: { $0.job.id == earlier })
                    {
                        // Its own first try stored it. It is read back, since a worker may have it by now.
                        outcome = .accepted(Timestamp(milliseconds: 0), isToBeRead: true)
                    }
                    return .done(outcome)
                }
                for (input, verdict) in zip(inputs, verdicts) {
                    guard case .done(.accepted) = verdict else { continue }
                    answer.madeVisible = true
                    if !answer.taken.contains(input.job.id) { answer.madeReady = true }
                }
                return verdicts
            })
    }
}

extension NewJob {
    /// Whether the job can be claimed as soon as it is stored, independent of other jobs.
    fileprivate var isReadyAtOnce: Bool {
        concurrencyKey == nil && runAt == nil && limits.fleet == nil && limits.perUser == nil
    }
}

extension Parameters {
    /// Adds the arguments of `submit_jobs` after the time, or those of `submit_one_each`, which are fewer.
    mutating func add(submits inputs: [SubmitInput], oneEach: Bool = false) {
        let jobs = inputs.map(\.job)
        add(ids: jobs.map(\.id))
        add(integers: jobs.map(\.user.rawValue))
        add(texts: jobs.map(\.kind))
        add(texts: inputs.map(\.text))
        add(texts: jobs.map(\.bundle))
        add(texts: jobs.map(\.queue.rawValue))
        add(integers: jobs.map { Int64($0.priority) })
        add(integers: jobs.map { Int64($0.cost) })
        add(integers: jobs.map { Int64($0.maxAttempts) })
        if !oneEach { add(texts: jobs.map(\.concurrencyKey)) }
        add(texts: jobs.map(\.uniqueKey))
        add(texts: jobs.map { $0.idempotency?.key })
        add(texts: jobs.map { $0.idempotency?.fingerprint })
        add(texts: jobs.map(\.origin))
        add(integers: jobs.map(\.deadline.milliseconds))
        if !oneEach { add(integers: jobs.map { $0.runAt?.milliseconds }) }
        add(integers: jobs.map { Int64($0.startingCredits) })
        if !oneEach {
            add(integers: jobs.map { $0.limits.fleet.map(Int64.init) })
            add(integers: jobs.map { $0.limits.perUser.map(Int64.init) })
        }
        add(texts: jobs.map(\.subject))
    }
}

extension Parameters {
    /// Adds the further arguments of `submit_shared_jobs`: the shared work of jobs, or their results.
    mutating func add(sharing jobs: [NewJob]) {
        let works = jobs.map(\.sharedWork)
        add(integers: works.map { $0?.owner.rawValue })
        add(texts: works.map { $0?.key })
        add(ids: works.map { $0?.id })
        add(texts: works.map { $0?.input.compact })
        add(integers: works.map { $0?.deadline.milliseconds })
        add(texts: jobs.map { if case .stored(let result) = $0.source { result.compact } else { nil } })
    }
}

extension CreditBalance {
    /// Reads granted, held and used.
    init(_ row: inout PostgresRow) {
        self.init(granted: row.int(), held: row.int(), used: row.int())
    }
}
