internal import JSON
public import JobQueue

extension PostgresStore {
    public func submit(_ job: NewJob) async throws(StoreError) -> Submission {
        try Texts.refuseNUL(in: job)
        let input = job.input.compact
        let outcome = try await writers.perform(SubmitInput(job: job, text: input), in: writes.submit)
        switch outcome {
        case .conflict: return .conflict
        case .short(let balance): return .insufficientCredits(balance, required: job.cost)
        case .existing(let id): return .existing(try await stored(id))
        case .accepted(let now, isBlocked: false):
            return .accepted(Job(accepted: job, input: input, at: now))
        case .accepted(_, isBlocked: true): return .accepted(try await stored(job.id))
        }
    }

    /// A job that was there a moment ago.
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
    case accepted(Timestamp, isBlocked: Bool)
    case existing(JobID)
    case conflict
    case short(CreditBalance)
}

extension BatchVerb where Input == SubmitInput, Output == SubmitOutcome {
    /// Repeatable, since the caller makes the id: what was stored before is found by it, and was accepted then.
    static let submit = BatchVerb(
        keys: { input in
            let job = input.job
            var keys: [BatchKey] = [.job(job.id)]
            if let key = job.serialKey { keys.append(.serial(job.user, key)) }
            if let key = job.joinKey { keys.append(.joining(job.user, key)) }
            if let promise = job.idempotency { keys.append(.idempotency(job.user, promise.key)) }
            return keys
        },
        weight: { $0.text.utf8.count },
        statements: { inputs, context in
            let jobs = inputs.map(\.job)
            return [
                Statement(.submitJobs) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(ids: jobs.map(\.id))
                    parameters.add(integers: jobs.map(\.user.rawValue))
                    parameters.add(texts: jobs.map(\.kind))
                    parameters.add(texts: inputs.map(\.text))
                    parameters.add(texts: jobs.map(\.bundle))
                    parameters.add(texts: jobs.map(\.lane.rawValue))
                    parameters.add(integers: jobs.map { Int64($0.priority) })
                    parameters.add(integers: jobs.map { Int64($0.cost) })
                    parameters.add(integers: jobs.map { Int64($0.maxAttempts) })
                    parameters.add(texts: jobs.map(\.serialKey))
                    parameters.add(texts: jobs.map(\.joinKey))
                    parameters.add(texts: jobs.map { $0.idempotency?.key })
                    parameters.add(texts: jobs.map { $0.idempotency?.fingerprint })
                    parameters.add(texts: jobs.map(\.requestID))
                    parameters.add(integers: jobs.map(\.deadline.milliseconds))
                    parameters.add(integers: jobs.map { $0.runAt?.milliseconds })
                    parameters.add(integers: jobs.map { Int64($0.startingCredits) })
                }
            ]
        },
        read: { answer, inputs in
            var isAccepted = false
            let verdicts = try answer.verdicts(inputs.count, missing: .again) { row -> Verdict in
                let (outcome, earlier) = (row.text(), row.jobIDIfAny())
                let balance = CreditBalance(&row)
                let (now, isBlocked) = (row.timestamp(), row.flag())
                switch outcome {
                case "accepted":
                    isAccepted = true
                    return .done(.accepted(now, isBlocked: isBlocked))
                case "existing":
                    guard let earlier else { break }
                    if answer.isRepetition, inputs.contains(where: { $0.job.id == earlier }) {
                        // Nobody told of it: it is this one's own first try. Read back, since it may be on its way.
                        isAccepted = true
                        return .done(.accepted(now, isBlocked: true))
                    }
                    return .done(.existing(earlier))
                case "conflict": return .done(.conflict)
                case "short": return .done(.short(balance))
                case "again": return .again
                default: break
                }
                throw StoreError.unexpected(reason: "outcome '\(outcome)'")
            }
            answer.madeReady = isAccepted
            answer.madeVisible = isAccepted
            return verdicts
        })
}

extension CreditBalance {
    /// Reads granted, held and used.
    init(_ row: inout PostgresRow) {
        self.init(granted: row.int(), held: row.int(), used: row.int())
    }
}
