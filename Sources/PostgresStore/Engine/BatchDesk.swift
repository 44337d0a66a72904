internal import Glibc
internal import JobQueue

/// Where tasks leave requests and threads fetch them in batches: what queued while the previous batch of its verb ran is
/// the next one, so an idle desk answers at once and a busy one gathers, without any timer.
///
/// `@unchecked Sendable`: all state is behind the mutex, which with its condition lives at a fixed address as both must.
final class BatchDesk: @unchecked Sendable {
    /// How long a caller waits for an answer.
    let patience: Duration
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    /// Batches of one verb that may run at the same time.
    private let concurrency: Int
    private var queues: [AnyBatchQueue] = []
    private var sleepers = 0
    private var isClosed = false

    static let closed = StoreError.unavailable(reason: "the store is closed")

    init(patience: Duration, concurrency: Int) {
        self.patience = patience
        self.concurrency = concurrency
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Makes the queue of a verb.
    func queue<Input, Output>(_ verb: BatchVerb<Input, Output>) -> BatchQueue<Input, Output> {
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
                input: input, came: now, deadline: now + patience, continuation: continuation)
            let isLeft = locked {
                guard !isClosed else { return false }
                queue.append(request)
                if sleepers > 0, queue.inFlight < concurrency { pthread_cond_signal(condition) }
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
                if let queue = longestWaiting(), let batch = queue.takeBatch() {
                    queue.begin()
                    // Others may find work too: a second batch of this verb, or another verb's.
                    if sleepers > 0, longestWaiting() != nil { pthread_cond_signal(condition) }
                    return batch
                }
                if isClosed { return nil }
                sleepers += 1
                pthread_cond_wait(condition, mutex)
                sleepers -= 1
            }
        }
    }

    /// The queue whose first request has waited longest, of those that may start another batch.
    private func longestWaiting() -> AnyBatchQueue? {
        var longest: (queue: AnyBatchQueue, since: ContinuousClock.Instant)?
        for queue in queues where queue.inFlight < concurrency {
            guard let since = queue.oldest else { continue }
            if let found = longest, found.since <= since { continue }
            longest = (queue, since)
        }
        return longest?.queue
    }

    /// The thread is done with a batch.
    func finish(_ batch: AnyBatch) {
        locked { batch.queue.end() }
    }

    /// Puts what was not decided back to the head of its queue.
    func putBack(_ batch: AnyBatch) {
        locked { batch.putBackUndecided() }
    }

    /// Answers all who have waited longer than they want to.
    func answerExpired(with error: StoreError) {
        let now = ContinuousClock.now
        let expired = locked { queues.compactMap { $0.takeExpired(at: now) } }
        for batch in expired { batch.answer(failing: error) }
    }

    /// Refuses further requests; what is there is still handed out.
    func close() {
        locked {
            isClosed = true
            pthread_cond_broadcast(condition)
        }
    }

    var hasClosed: Bool { locked { isClosed } }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
