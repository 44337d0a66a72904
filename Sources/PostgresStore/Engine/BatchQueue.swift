internal import JobQueue

/// The requests of one verb that wait for a thread. Guarded by the mutex of the desk that it belongs to.
class AnyBatchQueue {
    fileprivate(set) var inFlight = 0

    /// When the request that has waited longest came; `nil` when none waits.
    var oldest: ContinuousClock.Instant? { nil }

    func takeBatch() -> AnyBatch? { nil }

    func takeExpired(at now: ContinuousClock.Instant) -> AnyBatch? { nil }
}

/// `@unchecked Sendable`: its state is touched only under the mutex of its desk.
final class BatchQueue<Input: Sendable, Output: Sendable>: AnyBatchQueue, @unchecked Sendable {
    let verb: BatchVerb<Input, Output>
    /// Those from `head` on wait; the others were taken and are dropped now and then, since moving the rest each time
    /// would cost more than the work itself when thousands wait.
    private var waiting: [Batch<Input, Output>.Request] = []
    private var head = 0

    /// Bytes in one statement, about, beyond which no further request is added.
    private static var weightLimit: Int { 4 << 20 }

    init(_ verb: BatchVerb<Input, Output>) { self.verb = verb }

    override var oldest: ContinuousClock.Instant? { head < waiting.count ? waiting[head].came : nil }

    func append(_ request: Batch<Input, Output>.Request) { waiting.append(request) }

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
        if let order = verb.order { taken.sort { order($0.input, $1.input) } }
        return Batch(taken, isRepetition: isRepetition, queue: self)
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

extension AnyBatchQueue {
    func begin() { inFlight += 1 }

    func end() { inFlight -= 1 }
}
