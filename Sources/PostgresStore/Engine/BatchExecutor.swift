internal import Basics
internal import JobQueue
import SQLSupport

/// Collects the requests of tasks, and hands them to threads in batches.
///
/// Requests that arrive while a batch of their operation runs form the next one: an idle executor answers at once, and
/// a busy one batches, some operations for a few milliseconds longer.
///
/// `@unchecked Sendable`: the monitor guards all state.
final class BatchExecutor: @unchecked Sendable {
    /// The longest time that a caller waits for an answer.
    let timeout: Duration
    private let monitor = Monitor()
    /// The usual number of batches of one operation that run at the same time.
    private let concurrency: Int
    /// The number of batches that may read whole tables at the same time: one thread is left to all others.
    private let scans: Int
    private var queues: [any AnyBatchQueue] = []
    /// Queues in which requests wait.
    private var busy: [any AnyBatchQueue] = []
    private let idle = IdleThreads()
    /// Whether it refuses requests. Guarded by the monitor.
    private var isClosed = false
    /// The batches that threads run. Guarded by the monitor.
    private var running: [ObjectIdentifier: Running] = [:]
    private let availability: AvailabilityMonitor
    private let watch: RequestWatch?

    /// A batch that a thread runs.
    private struct Running {
        var since: ContinuousClock.Instant
        /// Whether its statements may take longer than usual.
        var isLong: Bool
        var scansTables: Bool
        var callers: [any AnyCaller]
    }

    /// The pause after the first transaction that waited too long for a lock; it doubles with each further one.
    private static let lockPause: Duration = .milliseconds(100)

    static let closed = StoreError.unavailable(reason: "the store is closed")

    init(
        timeout: Duration, threads: Int, concurrency: Int, availability: AvailabilityMonitor = AvailabilityMonitor(),
        watch: RequestWatch? = nil
    ) {
        self.timeout = timeout
        self.concurrency = concurrency
        scans = max(1, threads - 1)
        self.availability = availability
        self.watch = watch
        watch?.add(self)
    }

    var hasClosed: Bool { locked { isClosed } }

    /// The number of threads that wait for work.
    var idleThreadCount: Int { locked { idle.count } }

    /// The number of requests that wait in a queue.
    func waitingCount(in queue: any AnyBatchQueue) -> Int { locked { queue.waitingCount } }

    private func locked<Value>(_ body: () -> Value) -> Value { monitor.withLock(body) }

    // MARK: Requests

    /// Makes the queue of an operation.
    func queue<Input, Output>(_ operation: BatchOperation<Input, Output>) -> BatchQueue<Input, Output> {
        let queue = BatchQueue(operation)
        locked { queues.append(queue) }
        return queue
    }

    /// Adds a request and waits for its answer.
    func perform<Input, Output>(
        _ input: Input, in queue: BatchQueue<Input, Output>
    ) async throws(StoreError) -> Output {
        let limit = StoreTimeout.current
        if limit != nil, isAway(at: .now) { throw awayError }
        let result: Result<Output, StoreError> = await withCheckedContinuation { continuation in
            let now = ContinuousClock.now
            let caller = Caller(
                continuation, deadline: now + min(limit ?? timeout, timeout), isImpatient: limit != nil)
            let isAdded = locked {
                guard !isClosed else { return false }
                queue.append(Batch<Input, Output>.Request(input: input, arrival: now, caller: caller))
                updateListing(of: queue)
                if mayBegin(queue), let due = queue.due { wakeThread(by: due) }
                return true
            }
            if !isAdded { caller.fail(Self.closed) }
            watch?.wake()
        }
        return try result.get()
    }

    /// Whether callers with little time need not wait for the database's return any more.
    private func isAway(at now: ContinuousClock.Instant) -> Bool {
        availability.unreachableSince.map { now - $0 > RequestWatch.grace } ?? false
    }

    private var awayError: StoreError {
        if case .unavailable(let reason) = availability.availability { return .unavailable(reason: reason) }
        return .unavailable(reason: "it does not answer")
    }

    /// Refuses further requests. Waiting requests are still sent, except piggybacked ones.
    func close() {
        let piggybacked = locked {
            isClosed = true
            idle.wakeAll()
            return queues.filter(\.isPiggybacked).flatMap { queue in Array(sequence(state: queue) { $0.takeBatch() }) }
        }
        for batch in piggybacked { batch.answer(failing: Self.closed) }
    }

    // MARK: Batches

    /// Waits for a batch; `nil` when the executor is closed and empty.
    func next() -> (any AnyBatch)? {
        locked {
            while true {
                let first = firstDue()
                if let queue = first?.queue, isClosed || first.map({ $0.due <= .now }) ?? false,
                    let batch = queue.takeBatch()
                {
                    batch.piggyback = queue.piggybacked?.takeBatch()
                    queue.begin(batch)
                    updateListing(of: queue)
                    running[ObjectIdentifier(batch)] = Running(
                        since: .now, isLong: batch.isLong, scansTables: queue.scansTables, callers: batch.callers)
                    // There may be work for another thread: a second batch of this operation, or another operation.
                    if let other = firstDue() { wakeThread(by: other.due) }
                    return batch
                }
                if isClosed { return nil }
                idle.park(in: monitor, until: first?.due)
            }
        }
    }

    /// Notes that a batch was carried out and is about to be answered.
    func settle(_ batch: any AnyBatch) {
        locked {
            batch.queue.settle(batch)
            batch.queue.lostLocks = 0
            batch.queue.notBefore = nil
        }
    }

    /// Notes that a thread has finished a batch.
    func finish(_ batch: any AnyBatch) {
        locked {
            running[ObjectIdentifier(batch)] = nil
            batch.queue.end(batch)
        }
    }

    /// Returns undecided requests to the head of their queue.
    func putBack(_ batch: any AnyBatch) {
        locked {
            batch.putBackUndecided()
            updateListing(of: batch.queue)
        }
    }

    /// Returns the requests of a batch that lost against a lock to the head of their queue, which rests for a while, so
    /// that the thread is free for other operations; `false` when the executor is closed.
    func postpone(_ batch: any AnyBatch) -> Bool {
        locked {
            guard !isClosed else { return false }
            let queue = batch.queue
            batch.putBack(until: .now + Self.lockPause * (1 << min(queue.lostLocks, 4)))
            queue.lostLocks += 1
            updateListing(of: queue)
            return true
        }
    }

    /// Whether any request waits or is carried out. Piggybacked requests that wait do not count.
    var isBusy: Bool { locked { !running.isEmpty || !busy.isEmpty } }

    /// The arrival of the oldest request that waits for a thread, or the time since which the oldest batch runs.
    ///
    /// `isUsual` leaves out requests that may take longer than others.
    func oldestWait(ofUsualLength isUsual: Bool = false) -> ContinuousClock.Instant? {
        locked {
            let waiting = busy.filter { !isUsual || !$0.isLong }.compactMap(\.oldest).min()
            let oldest = running.values.filter { !isUsual || !$0.isLong }.map(\.since).min()
            return [waiting, oldest].compactMap { $0 }.min()
        }
    }

    /// Answers all requests whose time is over, those of running batches included, and those of impatient callers when
    /// the database has been away for a while.
    ///
    /// - Returns: The arrival of the oldest request that was answered so, of those that usually take no time.
    func answerExpired(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let isAway = isAway(at: now)
        let (expired, active): ([any AnyBatch], [Running]) = locked {
            let expired = queues.compactMap { queue in
                defer { updateListing(of: queue) }
                return queue.takeExpired(at: now, isAway: isAway)
            }
            return (expired, Array(running.values))
        }
        let error = awayError
        let overdue = active.flatMap { batch in
            batch.callers.filter { caller in
                !caller.isAnswered && (caller.deadline <= now || (isAway && caller.isImpatient))
            }.map { (caller: $0, isLong: batch.isLong) }
        }
        let arrivals =
            expired.filter { !$0.isLong }.flatMap(\.callers).map(\.arrival)
            + overdue.filter { !$0.isLong }.map(\.caller.arrival)
        for batch in expired { batch.answer(failing: error) }
        for (caller, _) in overdue { caller.fail(error) }
        return arrivals.min()
    }

    /// Whether another batch of a queue may run beside those that do.
    private func mayBegin(_ queue: any AnyBatchQueue) -> Bool {
        queue.mayBegin(beside: concurrency)
            && (!queue.scansTables || running.values.count(where: \.scansTables) < scans)
    }

    /// The queue whose next batch is due first, of those that may begin another batch.
    private func firstDue() -> (queue: any AnyBatchQueue, due: ContinuousClock.Instant)? {
        var first: (queue: any AnyBatchQueue, due: ContinuousClock.Instant)?
        for queue in busy where mayBegin(queue) {
            guard let due = queue.due else { continue }
            if let found = first, found.due <= due { continue }
            first = (queue, due)
        }
        return first
    }

    /// Wakes a thread unless one wakes by itself until the given time.
    private func wakeThread(by time: ContinuousClock.Instant) {
        if let alarm = idle.nextAlarm, alarm <= time { return }
        idle.wakeOne()
    }

    /// Lists the queue as busy, or removes it, after requests came or left.
    private func updateListing(of queue: any AnyBatchQueue) {
        let isBusy = queue.waitingCount > 0 && !queue.isPiggybacked
        guard isBusy != queue.isListed else { return }
        queue.isListed = isBusy
        if isBusy { busy.append(queue) } else { busy.removeAll { $0 === queue } }
    }
}

/// Requests that are sent in the transactions of another operation's batches, and never alone.
extension BatchExecutor {
    /// Makes the queue of an operation that is sent with the batches of `host`.
    func queue<Input, Output>(
        _ operation: BatchOperation<Input, Output>, piggybackedOn host: any AnyBatchQueue
    ) -> BatchQueue<Input, Output> {
        let queue = queue(operation)
        locked {
            queue.isPiggybacked = true
            host.piggybacked = queue
        }
        return queue
    }

    /// Leaves a request for the next batch of the queue's host, and waits for its answer.
    ///
    /// The request is tried once: it fails when that batch fails. `isOwn` distinguishes it from others of its queue.
    ///
    /// - Returns: `nil` when the task was cancelled before the request was sent.
    /// - Throws: The failure of the batch, or `closed`.
    func performPiggybacked<Input: Sendable, Output: Sendable>(
        _ input: Input, in queue: BatchQueue<Input, Output>, where isOwn: @escaping @Sendable (Input) -> Bool
    ) async throws(StoreError) -> Output? {
        let result: Result<Output, StoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = ContinuousClock.now
                let caller = Caller(continuation, deadline: now + Self.forever, isImpatient: false)
                let isAdded = locked {
                    if !isClosed {
                        queue.append(Batch<Input, Output>.Request(input: input, arrival: now, caller: caller))
                    }
                    return !isClosed
                }
                if !isAdded { caller.fail(Self.closed) }
                // A cancellation before this point found no request to withdraw.
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
        locked { queue.remove(inputs: isUnwanted) }?.answer(failing: .unavailable(reason: "it was withdrawn"))
    }
}
