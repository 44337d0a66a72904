internal import JobQueue
internal import SQLSupport

/// An operation that many callers request and one statement performs for all of them.
struct BatchOperation<Input: Sendable, Output: Sendable>: Sendable {
    /// The outcome of one request.
    enum Verdict {
        case done(Output)
        case failed(StoreError)
        /// Undecided in this batch; the request goes into the next one.
        case again
    }

    /// The context that the statements of a batch need besides its requests.
    struct Context {
        /// The time that a test sets; `nil` is the database's clock.
        var now: Timestamp?
        /// True when the statement may have been executed before and its answer lost.
        var isRepetition: Bool
    }

    /// The answers to the statements of a batch.
    struct Answer {
        var rows: [PostgresRows]
        var isRepetition: Bool
        /// Set by the operation when the batch may have made a job claimable.
        var madeReady = false
        /// Set by the operation when the batch made a change that clients can see.
        var madeVisible = false
        /// The jobs that workers claimed in the same transaction.
        var taken: Set<JobID> = []
    }

    /// The largest number of requests in one statement.
    var limit = 256
    /// The longest time that requests wait for others while several callers are active.
    var batching = BatchingPolicy.Rule.none
    /// The number of waiting requests from which one more batch than usual may run at the same time.
    var overflow = Int.max
    /// The longest time that one statement may take; `nil` is the usual time.
    var timeout: Duration?
    /// Whether its statements read whole tables, for seconds where these are large. Such batches leave a thread to all
    /// others.
    var scansTables = false
    /// Whether its statements read or write tables, so that an answer shows that requests are answered.
    var needsTables = true
    /// The keys of a request; no two requests of a batch share a key.
    var keys: @Sendable (Input) -> [BatchKey] = { _ in [] }
    /// The order of a batch's requests, so that all transactions lock rows in the same order; `nil` is the order of
    /// arrival.
    var lockOrder: (@Sendable (Input) -> LockOrder)?
    /// The approximate number of bytes that a request adds to the statement.
    var weight: @Sendable (Input) -> Int = { _ in 0 }
    /// Makes the statements of a batch.
    var statements: @Sendable ([Input], Context) -> [Statement]
    /// Reads one verdict for each request, in their order.
    var read: @Sendable (inout Answer, [Input]) throws -> [Verdict]
    /// Called when a request ends without a known outcome.
    var abandoned: @Sendable (Input) -> Void = { _ in }
}

extension BatchOperation.Answer {
    /// The verdicts of rows that begin with the place of their request, from 1.
    func verdicts(
        _ count: Int, missing: BatchOperation.Verdict, read: (inout PostgresRow) throws -> BatchOperation.Verdict
    ) rethrows -> [BatchOperation.Verdict] {
        var verdicts = [BatchOperation.Verdict](repeating: missing, count: count)
        try rows.first?.each { row in
            let place = row.int()
            let verdict = try read(&row)
            if verdicts.indices.contains(place - 1) { verdicts[place - 1] = verdict }
        }
        return verdicts
    }
}

/// The position of a request's rows in the common order of locks.
enum LockOrder: Comparable, Sendable {
    case job(JobID)
    case user(UserID)
    case text(String)
}

/// Something that only one request of a batch may concern.
enum BatchKey: Hashable, Sendable {
    case job(JobID)
    case concurrencyKey(UserID, String)
    case uniqueKey(UserID, String)
    case idempotencyKey(UserID, String)
    case user(UserID)
    case text(String)
}

/// Decides when the waiting requests of an operation are sent.
///
/// A lone caller never waits. Where several callers are active, a request may wait a little for others, since a
/// statement and a commit for ten requests cost little more than for two. The wait ends early when as many requests
/// wait as were recently active together.
struct BatchingPolicy {
    /// The time and the number of requests up to which an operation delays a batch.
    struct Rule: Sendable {
        /// The longest time that a request waits for others.
        var pause: Duration
        /// The number of waiting requests that are sent at once.
        var enough: Int

        /// Requests are sent at once.
        static let none = Rule(pause: .zero, enough: 1)
        /// For reads of clients that wait for the answer.
        static let polls = Rule(pause: .milliseconds(5), enough: 16)
        static let submits = Rule(pause: .milliseconds(20), enough: 16)
        /// For writes of running jobs, where the pause is short beside a model's answer.
        static let running = Rule(pause: .milliseconds(50), enough: 64)
    }

    /// The share of the earlier value in the moving average of active requests.
    private static let memory = 0.5

    let rule: Rule
    /// The number of requests that were recently active at once.
    private var expected = 1.0

    init(_ rule: Rule) { self.rule = rule }

    /// Notes that a request arrived.
    ///
    /// - Parameter active: The requests that now wait or run.
    mutating func noteArrival(active: Int) { expected = max(expected, Double(active)) }

    /// Notes that a batch was sent.
    ///
    /// - Parameter active: The requests that now wait or run, including those of the batch.
    mutating func noteDeparture(active: Int) {
        expected = max(1, expected * Self.memory + Double(active) * (1 - Self.memory))
    }

    /// The time at which requests are sent of which the first arrived at `oldest`.
    func due(_ oldest: ContinuousClock.Instant, waiting: Int, active: Int) -> ContinuousClock.Instant {
        let isWorthIt = rule.pause > .zero && waiting < rule.enough && Double(active) < expected.rounded()
        return isWorthIt ? oldest + rule.pause : oldest
    }
}
