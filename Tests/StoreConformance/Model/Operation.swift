/// One call of a store in a random sequence. Jobs, users, workers and kinds are small numbers that mean the same in
/// every run, so that a sequence from which calls were taken away still says what it said.
enum Operation: Sendable, Equatable {
    /// A worker's right to a job; the epoch may be an old one.
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
    /// Replaces from the step of that place in the journal, counted from 0.
    case append(Hold, step: Int, hash: Int, replacing: Int? = nil, call: Int? = nil)
    case complete(Hold, call: Int? = nil)
    /// Without a pause in seconds the job is given up.
    case fail(Hold, pause: Int? = nil, dropping: Int? = nil, call: Int? = nil)
    case snooze([Hold], pause: Int)
    /// With a reading of the counter that is so many beats old.
    case rescue(worker: Int, age: Int64)
    case expire(limit: Int)
    /// Those that ended so many seconds ago.
    case deleteFinished(age: Int, limit: Int)
    case grant(user: Int, amount: Int)
    case adopt(kind: Int, fleet: Int?, perUser: Int?)
    case fire(schedule: Int, minute: Int, Submit)
    case borrow(budget: Int, tokens: Int64, isInteractive: Bool)
    case list(user: Int, status: Int?, kind: Int?, page: Int, perPage: Int)
    case advance(seconds: Int)
}

/// A submit; what is not named is nothing special.
struct Submit: Sendable, Equatable {
    var job: Int
    var user: Int
    var kind = 0
    var cost = 0
    var isInteractive = false
    var priority = 0
    /// Seconds until the job may run.
    var delay: Int?
    /// Seconds until the deadline.
    var time = 3600
    var concurrencyKey: Int?
    var uniqueKey: Int?
    var idempotencyKey: Int?
    var fingerprint = 0
    var fleet: Int?
    var perUser: Int?
    /// What the work that it shares makes, and the job that leads if there is none yet.
    var sharedKey: Int?
    var sharedJob: Int?
    /// Whether its result is there already.
    var isStored = false

    init(job: Int, user: Int) {
        self.job = job
        self.user = user
    }
}

extension Submit: CustomStringConvertible {
    /// Only what is special, so that a minimal sequence reads as one.
    var description: String {
        let plain = Submit(job: job, user: user)
        var parts = ["job: \(job)", "user: \(user)"]
        if kind != plain.kind { parts.append("kind: \(kind)") }
        if cost != plain.cost { parts.append("cost: \(cost)") }
        if isInteractive { parts.append("isInteractive: true") }
        if priority != plain.priority { parts.append("priority: \(priority)") }
        if let delay { parts.append("delay: \(delay)") }
        if time != plain.time { parts.append("time: \(time)") }
        if let concurrencyKey { parts.append("serialKey: \(concurrencyKey)") }
        if let uniqueKey { parts.append("joinKey: \(uniqueKey)") }
        if let idempotencyKey { parts.append("idempotencyKey: \(idempotencyKey)") }
        if fingerprint != plain.fingerprint { parts.append("fingerprint: \(fingerprint)") }
        if let fleet { parts.append("fleet: \(fleet)") }
        if let perUser { parts.append("perUser: \(perUser)") }
        if let sharedKey { parts.append("sharedKey: \(sharedKey)") }
        if let sharedJob { parts.append("leader: \(sharedJob)") }
        if isStored { parts.append("isStored: true") }
        return "Submit(" + parts.joined(separator: ", ") + ")"
    }
}

extension Operation.Hold: CustomStringConvertible {
    var description: String { "Hold(\(job), \(epoch))" }
}
