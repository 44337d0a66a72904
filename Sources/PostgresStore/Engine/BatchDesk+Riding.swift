import SQLSupport
internal import JobQueue

/// Requests that go along with the batches of another verb, in their transactions, and never by themselves.
extension BatchExecutor {
    /// Makes the queue of a verb whose requests go along with the batches of another queue.
    func queue<Input, Output>(
        _ verb: BatchOperation<Input, Output>, ridingOn host: AnyBatchQueue
    ) -> BatchQueue<Input, Output> {
        let queue = queue(verb)
        locked { host.carry(queue) }
        return queue
    }

    /// Leaves a request to go along with the next batch, and waits for its answer; `isOwn` tells it from others of its
    /// queue. It is tried once: when that batch fails, it fails with it. `nil` when the task was cancelled before the
    /// request went.
    func ride<Input: Sendable, Output: Sendable>(
        _ input: Input, in queue: BatchQueue<Input, Output>, knownBy isOwn: @escaping @Sendable (Input) -> Bool
    ) async throws(StoreError) -> Output? {
        let result: Result<Output, StoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = ContinuousClock.now
                let request = Batch<Input, Output>.Request(
                    input: input, came: now, deadline: now + Self.forever, continuation: continuation)
                let isLeft = locked {
                    if !isClosed { queue.append(request) }
                    return !isClosed
                }
                if !isLeft { continuation.resume(returning: .failure(Self.closed)) }
                // Whoever cancelled before found nothing to withdraw.
                if Task.isCancelled { withdraw(from: queue, where: isOwn) }
            }
        } onCancel: {
            withdraw(from: queue, where: isOwn)
        }
        if case .failure = result, Task.isCancelled { return nil }
        return try result.get()
    }

    private static let forever: Duration = .seconds(100 * 365 * 86_400)

    private func withdraw<Input, Output>(
        from queue: BatchQueue<Input, Output>, where isUnwanted: (Input) -> Bool
    ) {
        locked { queue.remove(where: isUnwanted) }?.answer(failing: .unavailable(reason: "it was withdrawn"))
    }
}
