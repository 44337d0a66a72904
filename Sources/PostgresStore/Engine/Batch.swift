internal import JobQueue

/// Requests of one operation that are sent together, with their types erased. A batch belongs to the thread that took
/// it.
protocol AnyBatch: AnyObject {
    var queue: any AnyBatchQueue { get }
    /// The number of requests when the batch was taken.
    var size: Int { get }
    /// Whether its requests count as active. Guarded by the monitor of the executor.
    var isActive: Bool { get set }
    /// The batch that is sent in the same transaction, after this one, at the first try.
    var piggyback: (any AnyBatch)? { get set }
    var isEmpty: Bool { get }
    /// Whether the batch can be tried in halves.
    var isDivisible: Bool { get }
    /// The longest time that its statements may take; `nil` is the usual time.
    var timeout: Duration? { get }
    /// Whether its statements read or write tables.
    var needsTables: Bool { get }

    func statements(now: Timestamp?) -> [Statement]

    /// Answers the callers with the server's answer, after notifying others of the changes, since a waiting worker has
    /// the longer way. `taken` are the jobs that workers claimed in this transaction, as far as its answers were read.
    ///
    /// - Returns: Whether some requests are undecided.
    func accept(_ rows: [PostgresRows], taken: inout Set<JobID>, notify: (CommitNotice) -> Void) -> Bool

    /// Answers all callers with an error.
    func answer(failing error: StoreError)

    /// Drops the requests whose callers were answered meanwhile, since their time was over.
    func dropAnswered()

    /// The callers of its requests when the batch was taken.
    var callers: [any AnyCaller] { get }

    /// Notes that the statements may have been executed.
    func noteUnknownOutcome()

    /// Moves the requests to two batches.
    func halves() -> [any AnyBatch]

    /// Returns undecided requests to the queue. Called under the monitor of the executor.
    func putBackUndecided()

    /// Returns all requests to the queue, which sends nothing until the given time. Called under the monitor of the
    /// executor.
    func putBack(until time: ContinuousClock.Instant)
}

extension AnyBatch {
    /// Whether its statements may take longer than usual.
    var isLong: Bool { queue.isLong }

    /// Fails the piggybacked batch, whose statements may have been executed.
    func failPiggyback(_ failure: PostgresFailure) {
        if failure == .unknownOutcome { piggyback?.noteUnknownOutcome() }
        piggyback?.answer(failing: failure.storeError)
        piggyback = nil
    }
}

/// The notifications to send after a commit.
struct CommitNotice {
    /// A job may have become claimable.
    var isReady = false
    /// Something that clients see has changed.
    var isVisible = false

    var isEmpty: Bool { !isReady && !isVisible }

    mutating func merge(_ other: CommitNotice) {
        isReady = isReady || other.isReady
        isVisible = isVisible || other.isVisible
    }
}

/// The requests of one batch and their callers.
///
/// It uses closures where a key path would be shorter: generic code creates a key path again at each use, which costs
/// more than the work itself.
final class Batch<Input: Sendable, Output: Sendable>: AnyBatch {
    /// One caller's request.
    struct Request {
        var input: Input
        var arrival: ContinuousClock.Instant
        /// Whether a statement with this request may have been executed.
        var isRepetition = false
        var caller: Caller<Output>
    }

    let size: Int
    var isActive = false
    var piggyback: (any AnyBatch)?
    private let typedQueue: BatchQueue<Input, Output>
    private var requests: [Request]
    private var undecided: [Request] = []
    /// Whether any of the requests is a repetition.
    private var isRepetition: Bool

    init(_ requests: [Request], isRepetition: Bool, queue: BatchQueue<Input, Output>) {
        self.requests = requests
        self.isRepetition = isRepetition
        typedQueue = queue
        size = requests.count
    }

    var queue: any AnyBatchQueue { typedQueue }
    var callers: [any AnyCaller] { requests.map(\.caller) }
    var isEmpty: Bool { requests.isEmpty }
    var isDivisible: Bool { requests.count > 1 }
    var timeout: Duration? { operation.timeout }
    var needsTables: Bool { operation.needsTables }

    private var operation: BatchOperation<Input, Output> { typedQueue.operation }

    func statements(now: Timestamp?) -> [Statement] {
        operation.statements(requests.map { $0.input }, .init(now: now, isRepetition: isRepetition))
    }

    func accept(_ rows: [PostgresRows], taken: inout Set<JobID>, notify: (CommitNotice) -> Void) -> Bool {
        var answer = BatchOperation<Input, Output>.Answer(rows: rows, isRepetition: isRepetition, taken: taken)
        let verdicts: [BatchOperation<Input, Output>.Verdict]
        do {
            verdicts = try operation.read(&answer, requests.map { $0.input })
        } catch {
            // The statements were executed, whatever they answered.
            noteUnknownOutcome()
            self.answer(failing: error as? StoreError ?? .unexpected(reason: "\(type(of: error))"))
            return false
        }
        taken = answer.taken
        notify(CommitNotice(isReady: answer.madeReady, isVisible: answer.madeVisible))
        for (place, request) in requests.enumerated() {
            switch place < verdicts.count ? verdicts[place] : .failed(.unexpected(reason: "an answer is missing")) {
            case .done(let output):
                if !request.caller.answer(.success(output)) { operation.abandoned(request.input) }
            case .failed(let error): request.caller.answer(.failure(error))
            case .again: undecided.append(request)
            }
        }
        requests = []
        return !undecided.isEmpty
    }

    func answer(failing error: StoreError) {
        for request in requests {
            if request.isRepetition { operation.abandoned(request.input) }
            request.caller.answer(.failure(error))
        }
        requests = []
    }

    func dropAnswered() {
        guard requests.contains(where: \.caller.isAnswered) else { return }
        for request in requests where request.caller.isAnswered && request.isRepetition {
            operation.abandoned(request.input)
        }
        requests.removeAll(where: \.caller.isAnswered)
    }

    func noteUnknownOutcome() {
        for index in requests.indices { requests[index].isRepetition = true }
        isRepetition = true
    }

    func halves() -> [any AnyBatch] {
        let middle = requests.count / 2
        defer { requests = [] }
        return [
            Batch(Array(requests[..<middle]), isRepetition: isRepetition, queue: typedQueue),
            Batch(Array(requests[middle...]), isRepetition: isRepetition, queue: typedQueue),
        ]
    }

    func putBackUndecided() {
        typedQueue.prepend(undecided)
        undecided = []
    }

    func putBack(until time: ContinuousClock.Instant) {
        typedQueue.prepend(requests)
        typedQueue.notBefore = time
        requests = []
    }
}
