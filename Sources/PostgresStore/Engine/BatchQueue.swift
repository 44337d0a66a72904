import SQLSupport
internal import JobQueue

/// The requests of one verb that wait for a thread. Guarded by the mutex of the desk that it belongs to.
class AnyBatchQueue {
    /// Batches that run.
    private(set) var inFlight = 0
    /// Requests in them that are not answered yet.
    private var running = 0
    private var gathering: BatchingPolicy
    private let crowd: Int
    /// Whether its desk knows that requests wait.
    var isListed = false
    /// Whose requests go along with this one's batches.
    private(set) var riders: AnyBatchQueue?
    /// Whether its requests never go by themselves.
    private(set) var isRider = false

    init(_ rule: BatchingPolicy.Rule, crowd: Int) {
        gathering = BatchingPolicy(rule)
        self.crowd = crowd
    }

    /// When the request that has waited longest came; `nil` when none waits.
    var oldest: ContinuousClock.Instant? { nil }
    /// How many requests wait.
    var waitingCount: Int { 0 }
    /// When the next batch may go; `nil` when none waits.
    var due: ContinuousClock.Instant? {
        guard !isRider else { return nil }
        return oldest.map { gathering.due($0, waiting: waitingCount, present: running + waitingCount) }
    }

    /// Whether another batch may run where usually so many do.
    func mayBegin(beside concurrency: Int) -> Bool {
        inFlight < concurrency || (inFlight == concurrency && waitingCount >= crowd)
    }

    /// Takes requests of a queue along with its batches.
    func carry(_ queue: AnyBatchQueue) {
        queue.isRider = true
        riders = queue
    }

    func noteArrival() { gathering.note(arrivalOf: running + waitingCount) }

    func begin(_ batch: AnyBatch) {
        inFlight += 1
        running += batch.size
        batch.isUnderWay = true
        gathering.note(departureAmong: running + waitingCount)
    }

    /// The batch is about to be answered: who comes now may be one of its callers again.
    func settle(_ batch: AnyBatch) {
        if batch.isUnderWay { running -= batch.size }
        batch.isUnderWay = false
    }

    func end(_ batch: AnyBatch) {
        settle(batch)
        inFlight -= 1
    }

    func takeBatch() -> AnyBatch? { nil }

    func takeExpired(at now: ContinuousClock.Instant) -> AnyBatch? { nil }
}

/// `@unchecked Sendable`: its state is touched only under the mutex of its desk.
final class BatchQueue<Input: Sendable, Output: Sendable>: AnyBatchQueue, @unchecked Sendable {
    let verb: BatchOperation<Input, Output>
    /// Those from `head` on wait; the others were taken and are dropped now and then, since moving the rest each time
    /// would cost more than the work itself when thousands wait.
    private var waiting: [Batch<Input, Output>.Request] = []
    private var head = 0

    /// Bytes in one statement, about, beyond which no further request is added.
    private static var weightLimit: Int { 4 << 20 }

    init(_ verb: BatchOperation<Input, Output>) {
        self.verb = verb
        super.init(verb.gathering, crowd: verb.crowd)
    }

    override var oldest: ContinuousClock.Instant? { head < waiting.count ? waiting[head].came : nil }
    override var waitingCount: Int { waiting.count - head }

    func append(_ request: Batch<Input, Output>.Request) {
        waiting.append(request)
        noteArrival()
    }

    /// Takes the requests that somebody no longer wants to go.
    func remove(where isUnwanted: (Input) -> Bool) -> AnyBatch? {
        waiting.removeFirst(head)
        head = 0
        let removed = waiting.filter { isUnwanted($0.input) }
        guard !removed.isEmpty else { return nil }
        waiting.removeAll { isUnwanted($0.input) }
        return Batch(removed, isRepetition: false, queue: self)
    }

    /// Puts back what was not decided, before everything else.
    func prepend(_ requests: [Batch<Input, Output>.Request]) {
        waiting.replaceSubrange(..<head, with: requests)
        head = 0
    }

    /// Takes what can go into one statement.
    override func takeBatch() -> AnyBatch? {
        guard head < waiting.count else { return nil }
        var taken: [Batch<Input, Output>.Request] = []
        var left: [Batch<Input, Output>.Request] = []
        var keys: Set<BatchKey> = []
        var weight = 0
        var isRepetition = false
        while head < waiting.count, taken.count < verb.limit, weight <= Self.weightLimit {
            let request = waiting[head]
            head += 1
            let own = verb.keys(request.input)
            // Those behind it that share a key stay behind it.
            let isFree = !own.contains(where: keys.contains)
            keys.formUnion(own)
            if isFree {
                weight += verb.weight(request.input)
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
        return Batch(ranked(taken), isRepetition: isRepetition, queue: self)
    }

    /// Sorts small ranks in place of the requests, which are costly to move in generic code.
    private func ranked(_ requests: [Batch<Input, Output>.Request]) -> [Batch<Input, Output>.Request] {
        guard let rank = verb.rank, requests.count > 1 else { return requests }
        let ranks = requests.map { rank($0.input) }
        return requests.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { requests[$0] }
    }

    /// Takes the requests that have waited longer than their callers want to.
    override func takeExpired(at now: ContinuousClock.Instant) -> AnyBatch? {
        waiting.removeFirst(head)
        head = 0
        guard waiting.contains(where: { $0.deadline <= now }) else { return nil }
        let expired = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        return Batch(expired, isRepetition: false, queue: self)
    }
}
