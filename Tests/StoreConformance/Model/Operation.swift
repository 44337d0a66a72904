import JobQueue
import TestSupport

/// One call of a store in a random sequence. Jobs, users, workers and kinds are small numbers with the same meaning in
/// every run, so that a sequence keeps its meaning when calls are removed.
enum Operation: Sendable, Equatable {
    /// A lease, possibly of an old epoch.
    struct Hold: Sendable, Equatable {
        var job: Int
        var epoch: Int64

        init(_ job: Int, _ epoch: Int64) {
            self.job = job
            self.epoch = epoch
        }
    }

    case submit(Submit)
    case cancel(job: Int, user: Int? = nil)
    case retry(job: Int, user: Int? = nil)
    case register(worker: Int)
    case heartbeat(worker: Int)
    case deregister(worker: Int)
    case claim(worker: Int, interactive: Int, background: Int)
    case report(Hold, progress: Int, step: Int)
    /// `replacing` is the position of a step in the journal, from 0.
    case append(Hold, step: Int, hash: Int, replacing: Int? = nil, call: Int? = nil)
    case complete(Hold, call: Int? = nil)
    /// `pause` is in seconds; without it the job is given up.
    case fail(Hold, pause: Int? = nil, dropping: Int? = nil, call: Int? = nil)
    case snooze([Hold], pause: Int)
    /// `limit` is the highest sum of the user's day.
    case begin(Hold, call: Int, limit: Int64?)
    /// `certainty` is that of `ModelCall.Certainty`.
    case settle(Hold, call: Int, certainty: Int)
    case closeCalls
    /// `age` is the number of heartbeats since the counter was read.
    case rescue(worker: Int, age: Int64)
    case expire(limit: Int)
    /// `age` is the number of seconds since the jobs ended.
    case deleteFinished(age: Int, limit: Int)
    case grant(user: Int, amount: Int)
    case adopt(kind: Int, fleet: Int?, perUser: Int?)
    case enqueueScheduledRun(schedule: Int, minute: Int, Submit)
    case borrow(budget: Int, tokens: Int64, isInteractive: Bool)
    case list(user: Int, status: Int?, kind: Int?, page: Int, perPage: Int)
    case advance(seconds: Int)
}

/// A submit, with defaults for all but job and user.
struct Submit: Sendable, Equatable {
    var job: Int
    var user: Int
    var kind = 0
    var cost = 0
    var isInteractive = false
    var priority = 0
    /// The seconds until the job may run.
    var delay: Int?
    /// The seconds until the deadline.
    var time = 3600
    var concurrencyKey: Int?
    var uniqueKey: Int?
    var idempotencyKey: Int?
    var fingerprint = 0
    var fleet: Int?
    var perUser: Int?
    /// The key of its shared work, and the shared job to submit if there is none.
    var sharedKey: Int?
    var sharedJob: Int?
    /// Whether it is submitted with a result.
    var isStored = false

    init(job: Int, user: Int) {
        self.job = job
        self.user = user
    }
}

extension Submit: CustomStringConvertible {
    /// Only the values that differ from the defaults, so that a minimal sequence is short.
    var description: String {
        let plain = Submit(job: job, user: user)
        var parts = ["job: \(job)", "user: \(user)"]
        if kind != plain.kind { parts.append("kind: \(kind)") }
        if cost != plain.cost { parts.append("cost: \(cost)") }
        if isInteractive { parts.append("isInteractive: true") }
        if priority != plain.priority { parts.append("priority: \(priority)") }
        if let delay { parts.append("delay: \(delay)") }
        if time != plain.time { parts.append("time: \(time)") }
        if let concurrencyKey { parts.append("concurrencyKey: \(concurrencyKey)") }
        if let uniqueKey { parts.append("uniqueKey: \(uniqueKey)") }
        if let idempotencyKey { parts.append("idempotencyKey: \(idempotencyKey)") }
        if fingerprint != plain.fingerprint { parts.append("fingerprint: \(fingerprint)") }
        if let fleet { parts.append("fleet: \(fleet)") }
        if let perUser { parts.append("perUser: \(perUser)") }
        if let sharedKey { parts.append("sharedKey: \(sharedKey)") }
        if let sharedJob { parts.append("sharedJob: \(sharedJob)") }
        if isStored { parts.append("isStored: true") }
        return "Submit(" + parts.joined(separator: ", ") + ")"
    }
}

extension Operation.Hold: CustomStringConvertible {
    var description: String { "Hold(\(job), \(epoch))" }
}

/// Generates calls that are likely to have an effect in the model's state, and sometimes calls that are not: old
/// epochs, unknown jobs, other users' jobs, dead workers.
struct OperationGenerator {
    private var random: SeededRandom
    private var jobs = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    static let users = 3
    static let workers = 3
    static let kinds = 2

    mutating func next(_ model: ReferenceStore, _ names: ModelNames) -> Operation {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<24: return .submit(submit())
        case 24..<40:
            return .claim(worker: worker(), interactive: below(3), background: below(4))
        case 40..<44: return .cancel(job: job(), user: oneIn(3) ? user() : nil)
        case 44..<49: return .retry(job: job(), user: oneIn(3) ? user() : nil)
        case 49..<53: return .register(worker: worker())
        case 53..<54: return .heartbeat(worker: worker())
        case 54..<55: return .deregister(worker: worker())
        case 55..<59: return .report(hold(model, names), progress: 25 * below(5), step: below(2))
        case 59..<65:
            return .append(
                hold(model, names), step: below(3), hash: below(2), replacing: maybe(4, below: 2),
                call: maybe(3, below: 4))
        case 65..<71: return .complete(hold(model, names), call: maybe(4, below: 4))
        case 71..<77:
            return .fail(
                hold(model, names), pause: oneIn(3) ? nil : 10 * below(3), dropping: maybe(3, below: 2),
                call: maybe(4, below: 4))
        case 77..<80: return .snooze((0...below(2)).map { _ in hold(model, names) }, pause: 10 * below(2))
        case 80..<84: return .rescue(worker: worker(), age: oneIn(6) ? 1 : 0)
        case 84..<86: return .expire(limit: 1 + below(3))
        case 86..<87: return .deleteFinished(age: 10 * below(3), limit: 1 + below(4))
        case 87..<89: return .grant(user: user(), amount: below(7) - 3)
        case 89..<91: return .adopt(kind: below(Self.kinds), fleet: maybe(2, above: 0), perUser: maybe(2, above: 0))
        case 91..<93: return .enqueueScheduledRun(schedule: below(2), minute: below(9), submit(isNew: true))
        case 93..<94: return .borrow(budget: below(2), tokens: Int64(below(900)), isInteractive: oneIn(2))
        case 94..<95:
            return .list(
                user: user(), status: maybe(2, below: 5), kind: maybe(3, below: Self.kinds), page: 1 + below(2),
                perPage: 1 + below(3))
        case 95..<97: return .begin(hold(model, names), call: below(6), limit: oneIn(2) ? Int64(below(2500)) : nil)
        case 97..<98: return .settle(hold(model, names), call: below(6), certainty: 1 + below(2))
        case 98..<99: return .closeCalls
        default: return .advance(seconds: [1, 10, 60, 4000, 90_000][min(below(5), below(5))])
        }
    }

    private mutating func submit(isNew: Bool = false) -> Submit {
        // Sometimes the same job again, except for a scheduled run.
        let isRepeat = !isNew && jobs > 0 && oneIn(12)
        if !isRepeat { jobs += 1 }
        var submit = Submit(job: isRepeat ? job() : jobs, user: user())
        submit.kind = below(Self.kinds)
        submit.cost = oneIn(2) ? below(4) : 0
        submit.isInteractive = oneIn(4)
        if oneIn(3) { submit.priority = below(4) - 1 }
        if oneIn(5) { submit.delay = 10 * below(4) }
        if oneIn(3) { submit.time = [20, 60, 600][below(3)] }
        if oneIn(3) { submit.concurrencyKey = below(2) }
        if oneIn(5) { submit.uniqueKey = below(2) }
        if oneIn(5) {
            submit.idempotencyKey = below(2)
            submit.fingerprint = oneIn(4) ? 1 : 0
        }
        if oneIn(2) {
            submit.fleet = maybe(2, above: 0)
            submit.perUser = maybe(2, above: 0)
        }
        if oneIn(3) { share(&submit) }
        return submit
    }

    /// Makes a submit share its work, be a shared job itself, or bring its result.
    private mutating func share(_ submit: inout Submit) {
        if !oneIn(5) { (submit.concurrencyKey, submit.delay) = (nil, nil) }
        switch below(6) {
        case 0: submit.isStored = true
        case 1: (submit.user, submit.uniqueKey) = (ModelNames.owner, below(2))
        default:
            jobs = max(jobs, submit.job) + 1
            (submit.sharedKey, submit.sharedJob) = (below(2), jobs)
        }
    }

    /// In most cases a lease in force.
    private mutating func hold(_ model: ReferenceStore, _ names: ModelNames) -> Operation.Hold {
        let running = model.jobs.filter { $0.worker != nil }
        let pool = running.isEmpty || oneIn(6) ? model.jobs : running
        guard let one = pool.randomElement(using: &random), let job = names.label(of: one.id) else {
            return Operation.Hold(jobs + 1, 1)
        }
        return Operation.Hold(job, oneIn(10) ? max(one.epoch - 1, 0) : one.epoch)
    }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    private mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
    private mutating func user() -> Int { below(Self.users) }
    private mutating func worker() -> Int { below(Self.workers) }
    private mutating func job() -> Int { 1 + below(jobs + 1) }

    private mutating func maybe(_ count: Int, below limit: Int) -> Int? { oneIn(count) ? below(limit) : nil }
    private mutating func maybe(_ count: Int, above least: Int) -> Int? { oneIn(count) ? nil : least + 1 + below(3) }
}
