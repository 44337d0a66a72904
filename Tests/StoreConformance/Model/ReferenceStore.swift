import Foundation
import JobQueue
import JSON
import TestSupport

/// The store contract in its simplest form: values in memory, one caller, no SQL. `ModelTest` compares every store with
/// it.
///
/// Where the contract leaves a choice (the order of two users with the same position), the model takes the store's
/// choice and checks that it is allowed.
struct ReferenceStore {
    struct PaidCall {
        var call: ModelCall
        var lease: Lease
        var user: UserID
        var kind: String
        var at: Timestamp
    }

    struct UserQueue: Hashable {
        var queue: QueueName
        var user: UserID
    }

    var now: Timestamp
    /// All jobs in the order of their submission.
    var jobs: [ModelJob] = []
    var balances: [UserID: CreditBalance] = [:]
    var calls: [String: PaidCall] = [:]
    /// All workers in the order of their registration.
    var heartbeats: [WorkerHeartbeat] = []
    /// The position that each queue has reached.
    var reached: [QueueName: Int] = [:]
    /// The position of each user's last job in a queue.
    var positions: [UserQueue: Int] = [:]
    var limits: [String: ConcurrencyLimits] = [:]
    /// The users that could take a permit of a kind with a limit for the fleet, in their order.
    var rotations: [String: [UserID]] = [:]
    var bundle: String?
    var scheduledRuns: [String: Timestamp] = [:]
    var budgets: [String: SharedBudget] = [:]
    /// The number of workers of the fleet that have died.
    var deaths = 0
    private var accepted = 0

    init(now: Timestamp) { self.now = now }

    func index(of id: JobID) -> Int? { jobs.firstIndex { $0.id == id } }

    func job(_ id: JobID) -> ModelJob? { jobs.first { $0.id == id } }

    func isKnown(_ worker: WorkerID) -> Bool { heartbeats.contains { $0.worker == worker } }

    /// The unfinished jobs of a concurrency key in order: its holder, then the blocked jobs.
    func line(of key: String?, user: UserID) -> [ModelJob] {
        guard let key else { return [] }
        let line = jobs.filter { $0.user == user && $0.asked.concurrencyKey == key && !$0.isFinished }
        return line.filter { !$0.isBlocked } + line.filter(\.isBlocked)
    }

    func blockedBy(_ job: ModelJob) -> JobBlock? {
        if job.isBlocked {
            let line = line(of: job.asked.concurrencyKey, user: job.user)
            guard let place = line.firstIndex(where: { $0.id == job.id }), place > 0 else { return nil }
            return .earlierJob(line[place - 1].id)
        }
        if let runAt = job.runAt, runAt > now { return .notBefore(runAt) }
        if case .subscribed(to: let sharedJob) = job.place, self.job(sharedJob)?.status == .pending { return .shared }
        return job.place == .waiting ? .limit : nil
    }

    // MARK: Submitting

    enum Submitted: Equatable {
        case accepted(JobID)
        case existing(JobID)
        case conflict
        case insufficientCredits(CreditBalance, required: Int)
    }

    mutating func submit(_ asked: NewJob) -> Submitted {
        if let same = job(asked.id) { return same.user == asked.user ? .existing(same.id) : .conflict }
        if let promise = asked.idempotency {
            let first = jobs.first { $0.user == asked.user && $0.asked.idempotency?.key == promise.key }
            if let first { return first.asked.idempotency == promise ? .existing(first.id) : .conflict }
        }
        if let joined = unfinished(joining: asked.uniqueKey, of: asked.user) { return .existing(joined) }
        let balance = balance(of: asked.user, startingCredits: asked.startingCredits)
        guard balance.remaining >= asked.cost else { return .insufficientCredits(balance, required: asked.cost) }
        balances[asked.user] = balance
        balances[asked.user]?.held += asked.cost
        if let work = asked.sharedWork {
            append(asked, subscribingTo: sharedJob(for: work, of: asked))
            return .accepted(asked.id)
        }
        if case .stored(let result) = asked.source {
            append(asked, with: result)
            return .accepted(asked.id)
        }
        let isBlocked = !line(of: asked.concurrencyKey, user: asked.user).isEmpty
        let index = append(asked)
        if jobs[index].isLimited, limits[asked.kind] == nil { limits[asked.kind] = asked.limits }
        if isBlocked { jobs[index].place = .blocked } else { place(index) }
        return .accepted(asked.id)
    }

    @discardableResult
    mutating func append(_ asked: NewJob) -> Int {
        accepted += 1
        jobs.append(ModelJob(asked, number: accepted, at: now))
        return jobs.count - 1
    }

    func unfinished(joining key: String?, of user: UserID) -> JobID? {
        guard let key else { return nil }
        return jobs.first { $0.user == user && $0.asked.uniqueKey == key && !$0.isFinished }?.id
    }

    func balance(of user: UserID, startingCredits: Int) -> CreditBalance {
        balances[user] ?? CreditBalance(granted: startingCredits, held: 0, used: 0)
    }

    mutating func grant(_ amount: Int, to user: UserID, startingCredits: Int) -> CreditBalance? {
        var balance = balance(of: user, startingCredits: startingCredits)
        guard balance.remaining + amount >= 0 else { return nil }
        balance.granted += amount
        balances[user] = balance
        return balance
    }
}

extension ReferenceStore {
    func costs(by grouping: CostGrouping) -> Set<CostLine> {
        let groups = Dictionary(grouping: calls.values.filter { $0.call.state != .running }) { paid in
            switch grouping {
            case .day: Self.day(of: paid.at)
            case .kind: paid.kind
            case .model: paid.call.provider + "/" + paid.call.model
            case .user, .plan: "\(paid.user.rawValue)"
            case .job: paid.lease.job.description
            case .bundle: jobs.first { $0.id == paid.lease.job }?.asked.bundle ?? ""
            case .prompt: paid.call.details.prompt ?? ""
            }
        }
        return Set(
            groups.map { group, paid in
                let calls = paid.map(\.call)
                return CostLine(
                    group: group, calls: Int64(calls.count),
                    inputTokens: calls.reduce(0) { $0 + $1.inputTokens + $1.cacheReadTokens + $1.cacheWriteTokens },
                    outputTokens: calls.reduce(0) { $0 + $1.outputTokens },
                    microDollars: calls.reduce(0) { $0 + $1.costMicroDollars },
                    failedMicroDollars: calls.filter { [.failed, .stalled, .cut].contains($0.state) }
                        .reduce(0) { $0 + $1.costMicroDollars },
                    cancelledMicroDollars: calls.filter { $0.state == .cancelled }
                        .reduce(0) { $0 + $1.costMicroDollars },
                    cacheReadTokens: calls.reduce(0) { $0 + $1.cacheReadTokens })
            })
    }

    /// A user's spend on the present day.
    func spend(of user: UserID) -> Int64 {
        calls.values.filter { $0.user == user && Self.day(of: $0.at) == Self.day(of: now) }
            .reduce(0) { $0 + $1.call.costMicroDollars }
    }

    private static func day(of timestamp: Timestamp) -> String {
        String(Date(timeIntervalSince1970: Double(timestamp.milliseconds) / 1000).ISO8601Format().prefix(10))
    }
}
