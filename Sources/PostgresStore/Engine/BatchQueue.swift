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
    private var waiting: [Batch<Input, Output>.Request] = []

    /// Bytes in one statement, about, beyond which no further request is added.
    private static var weightLimit: Int { 4 << 20 }

    init(_ verb: BatchVerb<Input, Output>) { self.verb = verb }

    override var oldest: ContinuousClock.Instant? { waiting.first?.came }

    func append(_ request: Batch<Input, Output>.Request) { waiting.append(request) }

    /// Puts back what was not decided, before everything else.
    func prepend(_ requests: [Batch<Input, Output>.Request]) { waiting.insert(contentsOf: requests, at: 0) }

    /// Takes what can go into one statement.
    override func takeBatch() -> AnyBatch? {
        guard !waiting.isEmpty else { return nil }
        var taken: [Batch<Input, Output>.Request] = []
        var left: [Batch<Input, Output>.Request] = []
        var keys: Set<BatchKey> = []
        var weight = 0
        for (place, request) in waiting.enumerated() {
            if taken.count >= verb.limit || weight > Self.weightLimit {
                left.append(contentsOf: waiting[place...])
                break
            }
            let own = verb.keys(request.input)
            if own.contains(where: keys.contains) {
                // Those behind it that share a key stay behind it.
                keys.formUnion(own)
                left.append(request)
            } else {
                keys.formUnion(own)
                weight += verb.weight(request.input)
                taken.append(request)
            }
        }
        waiting = left
        if let order = verb.order { taken.sort { order($0.input, $1.input) } }
        return Batch(taken, queue: self)
    }

    /// Takes the requests that have waited longer than their callers want to.
    override func takeExpired(at now: ContinuousClock.Instant) -> AnyBatch? {
        guard waiting.contains(where: { $0.deadline <= now }) else { return nil }
        let expired = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        return Batch(expired, queue: self)
    }
}

extension AnyBatchQueue {
    func begin() { inFlight += 1 }

    func end() { inFlight -= 1 }
}
