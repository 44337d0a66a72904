import SQLSupport
internal import JobQueue

/// Something that many callers ask for and one statement does for all of them.
struct BatchOperation<Input: Sendable, Output: Sendable>: Sendable {
    /// What became of one request.
    enum Verdict {
        case done(Output)
        case failed(StoreError)
        /// Not decided in this batch; the request goes into the next one.
        case again
    }

    /// What a batch asks, and how.
    struct Context {
        /// The moment that a test sets; `nil` is the database's clock.
        var now: Timestamp?
        /// Whether the statement may have been carried out before, its answer lost.
        var isRepetition: Bool
    }

    /// What the statements of a batch answered.
    struct Answer {
        var rows: [PostgresRows]
        var isRepetition: Bool
        /// Set by the verb when the batch may have made a job claimable.
        var madeReady = false
        /// Set by the verb when the batch changed what a client sees.
        var madeVisible = false
        /// The jobs that workers took in the same transaction.
        var taken: Set<JobID> = []
    }

    /// Requests in one statement.
    var limit = 256
    /// Whether requests wait for others to go with them, while others are about.
    var gathering = BatchingPolicy.Rule.none
    /// With so many waiting, one more batch than usual may run at the same time.
    var crowd = Int.max
    /// How long one statement may take.
    var timeout: Duration?
    /// What no two requests of a batch may share.
    var keys: @Sendable (Input) -> [BatchKey] = { _ in [] }
    /// By what a batch orders its requests, so that everybody locks rows in the same order; `nil` is the order in which
    /// they came.
    var rank: (@Sendable (Input) -> BatchRank)?
    /// How many bytes a request adds, about.
    var weight: @Sendable (Input) -> Int = { _ in 0 }
    /// What to send.
    var statements: @Sendable ([Input], Context) -> [Statement]
    /// One verdict for each request, in their order.
    var read: @Sendable (inout Answer, [Input]) throws -> [Verdict]
    /// Called when nobody will ever know what became of a request.
    var abandoned: @Sendable (Input) -> Void = { _ in }
}

/// A request's place among those of its batch.
enum BatchRank: Comparable, Sendable {
    case job(JobID)
    case user(UserID)
    case text(String)
}

/// What a request has to itself within its batch.
enum BatchKey: Hashable, Sendable {
    case job(JobID)
    case serial(UserID, String)
    case joining(UserID, String)
    case idempotency(UserID, String)
    case user(UserID)
    case text(String)
}
