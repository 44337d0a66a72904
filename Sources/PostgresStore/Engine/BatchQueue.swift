internal import JobQueue

/// The waiting requests of one operation, with their types erased. Guarded by the monitor of its executor.
protocol AnyBatchQueue: AnyObject {
    var activity: QueueActivity { get set }
    /// Whether the executor lists the queue among those with waiting requests.
    var isListed: Bool { get set }
    /// The queue whose requests are sent in the transactions of this one's batches.
    var piggybacked: (any AnyBatchQueue)? { get set }
    /// Whether its requests are only sent with the batches of another queue.
    var isPiggybacked: Bool { get set }
    /// Whether its statements may take longer than usual.
    var isLong: Bool { get }
    /// Whether its statements read whole tables.
    var scansTables: Bool { get }
    /// The arrival of the oldest waiting request; `nil` when none waits.
    var oldest: ContinuousClock.Instant? { get }
    var waitingCount: Int { get }
    /// The time before which nothing is sent, after a transaction that waited too long for a lock.
    var notBefore: ContinuousClock.Instant? { get set }
    /// The number of transactions in a row that waited too long for a lock.
    var lostLocks: Int { get set }

    /// Takes the requests of one statement.
    func takeBatch() -> (any AnyBatch)?

    /// Takes the requests that a caller no longer waits for: the time is over, or the caller is impatient and
    /// `isAway` says that the database is away.
    func takeExpired(at now: ContinuousClock.Instant, isAway: Bool) -> (any AnyBatch)?
}

/// The batches of a queue that run, and the policy for the next one.
struct QueueActivity {
    /// Running batches.
    fileprivate var batches = 0
    /// Their requests that are not answered yet.
    fileprivate var requests = 0
    fileprivate var policy: BatchingPolicy
    fileprivate let overflow: Int
}

extension AnyBatchQueue {
    /// The time from which the next batch may be sent; `nil` when no request waits.
    var due: ContinuousClock.Instant? {
        guard !isPiggybacked else { return nil }
        let waiting = waitingCount
        guard let oldest else { return nil }
        let due = activity.policy.due(oldest, waiting: waiting, active: activity.requests + waiting)
        return notBefore.map { max($0, due) } ?? due
    }

    /// Whether another batch may run, where `concurrency` is the usual number of batches at the same time.
    func mayBegin(beside concurrency: Int) -> Bool {
        activity.batches < concurrency
            || (activity.batches == concurrency && waitingCount >= activity.overflow)
    }

    func begin(_ batch: any AnyBatch) {
        activity.batches += 1
        activity.requests += batch.size
        batch.isActive = true
        activity.policy.noteDeparture(active: activity.requests + waitingCount)
    }

    /// Counts the requests of a batch as answered just before they are, since a caller may return at once.
    func settle(_ batch: any AnyBatch) {
        if batch.isActive { activity.requests -= batch.size }
        batch.isActive = false
    }

    func end(_ batch: any AnyBatch) {
        settle(batch)
        activity.batches -= 1
    }
}

/// The waiting requests of one operation.
///
/// `@unchecked Sendable`: its state is touched only under the monitor of its executor.
final class BatchQueue<Input: Sendable, Output: Sendable>: AnyBatchQueue, @unchecked Sendable {
    let operation: BatchOperation<Input, Output>
    var activity: QueueActivity
    var isListed = false
    var piggybacked: (any AnyBatchQueue)?
    var isPiggybacked = false
    var notBefore: ContinuousClock.Instant?
    var lostLocks = 0
    /// Requests from `head` on wait; earlier ones were taken, and are removed from time to time, since moving the rest
    /// each time would cost more than the work itself when thousands wait.
    private var waiting: [Batch<Input, Output>.Request] = []
    private var head = 0

    /// The approximate number of bytes in one statement from which no further request is added.
    private static var weightLimit: Int { 4 << 20 }

    init(_ operation: BatchOperation<Input, Output>) {
        self.operation = operation
        activity = QueueActivity(policy: BatchingPolicy(operation.batching), overflow: operation.overflow)
    }

    var oldest: ContinuousClock.Instant? { head < waiting.count ? waiting[head].arrival : nil }
    var waitingCount: Int { waiting.count - head }
    var isLong: Bool { operation.timeout != nil }
    var scansTables: Bool { operation.scansTables }

    func append(_ request: Batch<Input, Output>.Request) {
        waiting.append(request)
        activity.policy.noteArrival(active: activity.requests + waitingCount)
    }

    /// Removes unwanted requests, and returns them as a batch.
    func remove(inputs isUnwanted: (Input) -> Bool) -> (any AnyBatch)? { remove { isUnwanted($0.input) } }

    /// Puts undecided requests back before all others.
    func prepend(_ requests: [Batch<Input, Output>.Request]) {
        waiting.replaceSubrange(..<head, with: requests)
        head = 0
    }

    func takeBatch() -> (any AnyBatch)? {
        guard head < waiting.count else { return nil }
        var taken: [Batch<Input, Output>.Request] = []
        var left: [Batch<Input, Output>.Request] = []
        var keys: Set<BatchKey> = []
        var weight = 0
        var isRepetition = false
        while head < waiting.count, taken.count < operation.limit, weight <= Self.weightLimit {
            let request = waiting[head]
            head += 1
            let own = operation.keys(request.input)
            // A request stays after an earlier one with which it shares a key.
            let isFree = !own.contains(where: keys.contains)
            keys.formUnion(own)
            if isFree {
                weight += operation.weight(request.input)
                isRepetition = isRepetition || request.isRepetition
                taken.append(request)
            } else {
                left.append(request)
            }
        }
        head -= left.count
        waiting.replaceSubrange(head..<(head + left.count), with: left)
        if head > waiting.count / 2 {
            waiting.removeFirst(head)
            head = 0
        }
        return Batch(inLockOrder(taken), isRepetition: isRepetition, queue: self)
    }

    /// Sorts indices in place of the requests, which generic code moves slowly.
    private func inLockOrder(_ requests: [Batch<Input, Output>.Request]) -> [Batch<Input, Output>.Request] {
        guard let lockOrder = operation.lockOrder, requests.count > 1 else { return requests }
        let order = requests.map { lockOrder($0.input) }
        return requests.indices.sorted { (order[$0], $0) < (order[$1], $1) }.map { requests[$0] }
    }

    func takeExpired(at now: ContinuousClock.Instant, isAway: Bool) -> (any AnyBatch)? {
        let isExpired = { (request: Batch<Input, Output>.Request) in
            request.caller.deadline <= now || (isAway && request.caller.isImpatient)
        }
        guard waiting[head...].contains(where: isExpired) else { return nil }
        return remove(where: isExpired)
    }

    private func remove(where isUnwanted: (Batch<Input, Output>.Request) -> Bool) -> (any AnyBatch)? {
        waiting.removeFirst(head)
        head = 0
        let removed = waiting.filter(isUnwanted)
        guard !removed.isEmpty else { return nil }
        waiting.removeAll(where: isUnwanted)
        return Batch(removed, isRepetition: false, queue: self)
    }
}
