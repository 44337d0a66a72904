import SQLSupport
internal import Glibc
internal import JobQueue

/// Where tasks leave requests and threads fetch them in batches: what queued while the previous batch of its verb ran is
/// the next one, so an idle desk answers at once and a busy one gathers, some verbs for a few milliseconds longer.
///
/// `@unchecked Sendable`: all state is behind the mutex, which lives at a fixed address as it must.
final class BatchExecutor: @unchecked Sendable {
    /// How long a caller waits for an answer.
    let timeout: Duration
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Batches of one verb that may run at the same time.
    private let concurrency: Int
    private var queues: [AnyBatchQueue] = []
    /// Those in which requests wait.
    private var busy: [AnyBatchQueue] = []
    private let idle = IdleThreads()

    static let closed = StoreError.unavailable(reason: "the store is closed")

    init(timeout: Duration, concurrency: Int) {
        self.timeout = timeout
        self.concurrency = concurrency
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Makes the queue of a verb.
    func queue<Input, Output>(_ verb: BatchOperation<Input, Output>) -> BatchQueue<Input, Output> {
        let queue = BatchQueue(verb)
        locked { queues.append(queue) }
        return queue
    }

    /// Leaves a request and waits for its answer.
    func perform<Input, Output>(
        _ input: Input, in queue: BatchQueue<Input, Output>
    ) async throws(StoreError) -> Output {
        let result: Result<Output, StoreError> = await withCheckedContinuation { continuation in
            let now = ContinuousClock.now
            let request = Batch<Input, Output>.Request(
                input: input, came: now, deadline: now + timeout, continuation: continuation)
            let isLeft = locked {
                guard !isClosed else { return false }
                queue.append(request)
                note(queue)
                if queue.mayBegin(beside: concurrency), let due = queue.due { wakeSomebody(by: due) }
                return true
            }
            if !isLeft { continuation.resume(returning: .failure(Self.closed)) }
        }
        return try result.get()
    }

    /// Waits for a batch; `nil` when the desk is closed and empty.
    func next() -> AnyBatch? {
        locked {
            while true {
                let first = firstDue()
                if let queue = first?.queue, isClosed || first.map({ $0.timestamp <= .now }) ?? false,
                    let batch = queue.takeBatch()
                {
                    batch.rider = queue.riders?.takeBatch()
                    queue.begin(batch)
                    note(queue)
                    // Others may find work too: a second batch of this verb, or another verb's.
                    if let other = firstDue() { wakeSomebody(by: other.timestamp) }
                    return batch
                }
                if isClosed { return nil }
                idle.sleep(mutex, until: first?.timestamp)
            }
        }
    }

    /// The queue that may go first, of those that may start another batch.
    private func firstDue() -> (queue: AnyBatchQueue, timestamp: ContinuousClock.Instant)? {
        var first: (queue: AnyBatchQueue, timestamp: ContinuousClock.Instant)?
        for queue in busy where queue.mayBegin(beside: concurrency) {
            guard let timestamp = queue.due else { continue }
            if let found = first, found.timestamp <= timestamp { continue }
            first = (queue, timestamp)
        }
        return first
    }

    /// Sees to it that a thread is awake at a moment, unless one wakes by itself until then.
    private func wakeSomebody(by timestamp: ContinuousClock.Instant) {
        if let alarm = idle.nextAlarm, alarm <= timestamp { return }
        idle.wakeOne()
    }

    /// Requests came to the queue or left it.
    private func note(_ queue: AnyBatchQueue) {
        let isBusy = queue.waitingCount > 0 && !queue.isRider
        guard isBusy != queue.isListed else { return }
        queue.isListed = isBusy
        if isBusy { busy.append(queue) } else { busy.removeAll { $0 === queue } }
    }

    /// The thread is about to answer a batch.
    func settle(_ batch: AnyBatch) {
        locked { batch.queue.settle(batch) }
    }

    /// The thread is done with a batch.
    func finish(_ batch: AnyBatch) {
        locked { batch.queue.end(batch) }
    }

    /// Puts what was not decided back to the head of its queue.
    func putBack(_ batch: AnyBatch) {
        locked {
            batch.putBackUndecided()
            note(batch.queue)
        }
    }

    /// Answers all who have waited longer than they want to.
    func answerExpired(with error: StoreError) {
        let now = ContinuousClock.now
        let expired = locked {
            queues.compactMap { queue in
                defer { note(queue) }
                return queue.takeExpired(at: now)
            }
        }
        for batch in expired { batch.answer(failing: error) }
    }

    /// Refuses further requests; what is there is still handed out, but for what waits for others to go along with.
    func close() {
        let riders = locked {
            isClosed = true
            idle.wakeAll()
            return queues.filter(\.isRider).flatMap { queue in Array(sequence(state: queue) { $0.takeBatch() }) }
        }
        for batch in riders { batch.answer(failing: Self.closed) }
    }

    /// Whether it refuses requests. Guarded by the mutex.
    private(set) var isClosed = false

    var hasClosed: Bool { locked { isClosed } }

    /// Threads that wait for work.
    var sleeperCount: Int { locked { idle.count } }

    /// Requests of a verb that wait.
    func waitingCount(in queue: AnyBatchQueue) -> Int { locked { queue.waitingCount } }

    func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
