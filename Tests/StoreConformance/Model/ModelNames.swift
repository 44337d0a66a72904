import JSON
import JobQueue
import TestSupport

/// The names in the store for the small numbers of a sequence. Each run has names of its own, so that runs can share a
/// database.
struct ModelNames: Sendable {
    /// The number of the run on this database.
    let run: Int

    func user(_ number: Int) -> UserID { UserID(rawValue: Int64(run * 10 + number + 1)) }
    var users: [UserID] { (0..<OperationGenerator.users).map(user) }
    /// The owner of shared jobs.
    static let owner = 8
    var owner: UserID { user(Self.owner) }
    func worker(_ number: Int) -> WorkerID { WorkerID(rawValue: "run-\(run)-worker-\(number)") }
    var workers: [WorkerID] { (0..<OperationGenerator.workers).map(worker) }
    func kind(_ number: Int) -> String { "run-\(run)-kind-\(number)" }
    func schedule(_ number: Int) -> String { "run-\(run)-schedule-\(number)" }
    func budget(_ number: Int) -> String { "run-\(run)-budget-\(number)" }

    func job(_ label: Int) -> JobID {
        JobID(high: 0x019A_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(run) << 16 | UInt64(label))
    }

    /// The number of a job of this run.
    func label(of id: JobID) -> Int? { id == job(Int(id.low & 0xFFFF)) ? Int(id.low & 0xFFFF) : nil }

    func lease(_ hold: Operation.Hold) -> Lease { Lease(job: job(hold.job), epoch: hold.epoch) }

    func call(_ number: Int?, user: Int = 0) -> [Effect] {
        guard let number else { return [] }
        let count = Int64(number)
        return [
            .recordModelCall(
                ModelCall(
                    id: "run-\(run)-call-\(number)", provider: "p", model: "m\(number % 2)", inputTokens: 10 + count,
                    outputTokens: 20 + count, cacheReadTokens: count, cacheWriteTokens: 1,
                    costMicroDollars: 100 + count))
        ]
    }

    func runningCall(_ number: Int) -> ModelCall {
        ModelCall(
            id: "run-\(run)-call-\(number)", provider: "p", model: "m\(number % 2)", state: .running,
            certainty: .estimated, inputTokens: 50, outputTokens: 60, cacheReadTokens: 0, cacheWriteTokens: 0,
            costMicroDollars: 500 + Int64(number))
    }

    /// An end of a call; each state belongs to some calls.
    func endedCall(_ number: Int, _ certainty: Int) -> ModelCall {
        var call = runningCall(number)
        call.state = [.cancelled, .failed, .stalled, .cut][number % 4]
        call.certainty = ModelCall.Certainty(rawValue: certainty) ?? .told
        (call.inputTokens, call.costMicroDollars) = (40, 100 * Int64(certainty) + Int64(number))
        return call
    }

    /// Deadlines never coincide, since the contract does not order equal ones.
    func newJob(_ submit: Submit, at now: Timestamp) -> NewJob {
        var job = NewJob(
            id: job(submit.job), user: user(submit.user), kind: kind(submit.kind),
            input: ["job": JSON(submit.job)], bundle: "b\(submit.job % 2)", cost: submit.cost,
            deadline: now + .seconds(submit.time) + .milliseconds(submit.job), startingCredits: 5)
        job.queue = submit.isInteractive ? .interactive : .background
        job.priority = submit.priority
        job.runAt = submit.delay.map { now + .seconds($0) }
        job.maxAttempts = 3
        job.concurrencyKey = submit.concurrencyKey.map { "key-\($0)" }
        job.uniqueKey = submit.uniqueKey.map { "unique-\($0)" }
        job.idempotency = submit.idempotencyKey.map {
            Idempotency(key: "key-\($0)", fingerprint: "\(submit.fingerprint)")
        }
        job.limits = ConcurrencyLimits(fleet: submit.fleet, perUser: submit.perUser)
        job.requestID = "request-\(submit.job)"
        if let key = submit.sharedKey, let sharedJob = submit.sharedJob {
            var work = SharedWork(
                id: self.job(sharedJob), key: "unique-\(key)", input: ["sharedJob": JSON(sharedJob)],
                deadline: now + .seconds(submit.time) + .milliseconds(sharedJob))
            work.owner = owner
            job.source = .shared(work)
        }
        if submit.isStored { job.source = .stored(["stored": JSON(submit.job)]) }
        return job
    }
}
