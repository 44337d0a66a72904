import SQLSupport
internal import JobQueue

/// Requests of one verb that go together. It belongs to the thread that took it.
class AnyBatch {
    let queue: AnyBatchQueue
    /// How many requests it had when it was taken.
    let size: Int
    /// Whether its requests count as being on their way. Guarded by the mutex of the desk.
    var isUnderWay = false
    /// What goes along in the transaction of this one, after it, the first time that this is tried.
    var rider: AnyBatch?

    init(queue: AnyBatchQueue, size: Int) {
        self.queue = queue
        self.size = size
    }

    var isEmpty: Bool { true }
    /// Whether it could be tried in halves.
    var isDivisible: Bool { false }
    /// When the last of its callers gives up.
    var deadline: ContinuousClock.Instant { .now }
    /// How long its statements may take, when that is not the usual time.
    var timeout: Duration? { nil }

    func statements(now: Timestamp?) -> [Statement] { [] }

    /// Answers those who went along; what they asked for may have been done.
    func leaveRiderBehind(_ failure: PostgresFailure) {
        if failure == .unknownOutcome { rider?.noteUnknownOutcome() }
        rider?.answer(failing: failure.storeError)
        rider = nil
    }

    /// Answers the callers with what the server said, once others know what the batch changed: a worker that waits has
    /// the longer way. `taken` are the jobs that workers took in this transaction, as far as it was read.
    ///
    /// - Returns: Whether something has to be asked again.
    func accept(_ rows: [PostgresRows], taken: inout Set<JobID>, announce: (News) -> Void) -> Bool { false }

    /// Answers all callers with an error.
    func answer(failing error: StoreError) {}

    /// Answers those whose patience is over.
    func answerExpired(at now: ContinuousClock.Instant, with error: StoreError) {}

    /// Remembers that the statement may have been carried out.
    func noteUnknownOutcome() {}

    func halves() -> [AnyBatch] { [] }

    /// Puts what was not decided back into the queue. Called under the mutex of the desk.
    func putBackUndecided() {}
}

/// What a commit is to others.
struct News {
    var isReady = false
    var isVisible = false
}

/// The requests of one batch with what answers them.
///
/// It uses closures where a key path would be shorter: in generic code a key path is made anew at each use, which costs
/// more than what it is used for.
final class Batch<Input: Sendable, Output: Sendable>: AnyBatch {
    /// One caller's request.
    struct Request {
        var input: Input
        var came: ContinuousClock.Instant
        var deadline: ContinuousClock.Instant
        /// Whether a statement with it may have been carried out.
        var isRepetition = false
        var continuation: CheckedContinuation<Result<Output, StoreError>, Never>
    }

    private var requests: [Request]
    private var undecided: [Request] = []
    private let typedQueue: BatchQueue<Input, Output>
    /// Whether any of the requests is one.
    private var isRepetition: Bool

    init(_ requests: [Request], isRepetition: Bool, queue: BatchQueue<Input, Output>) {
        self.requests = requests
        self.isRepetition = isRepetition
        typedQueue = queue
        super.init(queue: queue, size: requests.count)
    }

    private var verb: BatchOperation<Input, Output> { typedQueue.verb }

    override var isEmpty: Bool { requests.isEmpty }
    override var isDivisible: Bool { requests.count > 1 }
    override var deadline: ContinuousClock.Instant { requests.map { $0.deadline }.max() ?? .now }
    override var timeout: Duration? { verb.timeout }

    override func statements(now: Timestamp?) -> [Statement] {
        verb.statements(requests.map { $0.input }, .init(now: now, isRepetition: isRepetition))
    }

    override func accept(_ rows: [PostgresRows], taken: inout Set<JobID>, announce: (News) -> Void) -> Bool {
        var answer = BatchOperation<Input, Output>.Answer(rows: rows, isRepetition: isRepetition, taken: taken)
        let verdicts: [BatchOperation<Input, Output>.Verdict]
        do {
            verdicts = try verb.read(&answer, requests.map { $0.input })
        } catch {
            self.answer(failing: error as? StoreError ?? .unexpected(reason: "\(type(of: error))"))
            return false
        }
        taken = answer.taken
        announce(News(isReady: answer.madeReady, isVisible: answer.madeVisible))
        for (place, request) in requests.enumerated() {
            switch place < verdicts.count ? verdicts[place] : .failed(.unexpected(reason: "an answer is missing")) {
            case .done(let output): request.continuation.resume(returning: .success(output))
            case .failed(let error): request.continuation.resume(returning: .failure(error))
            case .again: undecided.append(request)
            }
        }
        requests = []
        return !undecided.isEmpty
    }

    override func answer(failing error: StoreError) {
        for request in requests {
            if request.isRepetition { verb.abandoned(request.input) }
            request.continuation.resume(returning: .failure(error))
        }
        requests = []
    }

    override func answerExpired(at now: ContinuousClock.Instant, with error: StoreError) {
        let expired = requests.filter { $0.deadline <= now }
        guard !expired.isEmpty else { return }
        requests.removeAll { $0.deadline <= now }
        Batch(expired, isRepetition: isRepetition, queue: typedQueue).answer(failing: error)
    }

    override func noteUnknownOutcome() {
        for index in requests.indices { requests[index].isRepetition = true }
        isRepetition = true
    }

    override func halves() -> [AnyBatch] {
        let middle = requests.count / 2
        defer { requests = [] }
        return [
            Batch(Array(requests[..<middle]), isRepetition: isRepetition, queue: typedQueue),
            Batch(Array(requests[middle...]), isRepetition: isRepetition, queue: typedQueue),
        ]
    }

    override func putBackUndecided() {
        typedQueue.prepend(undecided)
        undecided = []
    }
}
