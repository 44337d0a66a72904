internal import Basics
internal import JobQueue
import SQLSupport

/// A queue of work from tasks for threads that wait for it.
///
/// `@unchecked Sendable`: the monitor guards all state.
final class WorkQueue<Item: Sendable>: @unchecked Sendable {
    private let monitor = Monitor()
    private let condition = Monitor.Condition()
    private var items: [Item] = []
    private var sleepers = 0
    private var isClosed = false

    /// Adds an item; `false` when the queue is closed.
    func append(_ item: Item) -> Bool {
        monitor.withLock {
            guard !isClosed else { return false }
            items.append(item)
            if sleepers > 0 { condition.signal() }
            return true
        }
    }

    /// Waits for an item; `false` when the queue is closed and empty.
    func wait() -> Bool { monitor.withLock { awaitItems() } }

    /// Waits for an item and takes up to `limit`, oldest first; `nil` when the queue is closed and empty.
    func take(upTo limit: Int) -> [Item]? { monitor.withLock { awaitItems() ? remove(limit) : nil } }

    /// Takes up to `limit` items without waiting, oldest first.
    func takePresent(upTo limit: Int) -> [Item] { monitor.withLock { remove(limit) } }

    /// Takes all items that satisfy a condition, without waiting.
    func takePresent(where isWanted: (Item) -> Bool) -> [Item] {
        monitor.withLock {
            guard items.contains(where: isWanted) else { return [] }
            let taken = items.filter(isWanted)
            items.removeAll(where: isWanted)
            return taken
        }
    }

    /// Refuses further items; present ones can still be taken.
    func close() {
        monitor.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    private func awaitItems() -> Bool {
        while items.isEmpty {
            if isClosed { return false }
            sleepers += 1
            condition.wait(in: monitor)
            sleepers -= 1
        }
        return true
    }

    private func remove(_ limit: Int) -> [Item] {
        if items.count <= limit {
            let taken = items
            items = []
            return taken
        }
        let taken = Array(items.prefix(limit))
        items.removeFirst(limit)
        return taken
    }
}

/// A request to the thread that owns a connection, from a task that waits for the outcome.
///
/// `@unchecked Sendable`: created by the waiting task, then used only by the thread that took it from the queue.
class Request<Context>: @unchecked Sendable {
    /// The time until which the task waits for the work to begin; `nil` for as long as the store tries.
    let deadline: ContinuousClock.Instant?
    /// The error with which SQLite ended the last attempt.
    fileprivate(set) var breakage: (any Error)?

    init() { deadline = StoreTimeout.current.map { .now + $0 } }

    /// Does the work and keeps the outcome. May be called again.
    func attempt(in context: Context) -> AttemptEnd { .done }

    /// Answers the waiting task with the outcome, or with a later failure.
    func answer(failing failure: StoreError? = nil) {}
}

/// The end of an attempt at a request.
enum AttemptEnd {
    case done
    /// The work threw a `StoreError`.
    case refused
    /// SQLite returned an error: the transaction may be unusable or gone.
    case broken
}

/// A request with a value as outcome. The work may run more than once, so it keeps no state.
final class ValueRequest<Context, Value: Sendable>: Request<Context>, @unchecked Sendable {
    private let body: (Context) throws -> Value
    private let continuation: CheckedContinuation<Result<Value, StoreError>, Never>
    private var outcome: Result<Value, StoreError> = .failure(.unavailable(reason: "the store is closed"))

    init(
        _ continuation: CheckedContinuation<Result<Value, StoreError>, Never>, body: @escaping (Context) throws -> Value
    ) {
        self.continuation = continuation
        self.body = body
    }

    override func attempt(in context: Context) -> AttemptEnd {
        breakage = nil
        do {
            outcome = .success(try body(context))
            return .done
        } catch let error as StoreError {
            outcome = .failure(error)
            return .refused
        } catch {
            outcome = .failure(StoreError(error))
            breakage = error
            return .broken
        }
    }

    override func answer(failing failure: StoreError?) {
        continuation.resume(returning: failure.map { .failure($0) } ?? outcome)
    }
}

extension WorkQueue {
    /// Adds a request and waits for its outcome.
    func perform<Context, Value: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Value
    ) async throws(StoreError) -> Value where Item == Request<Context> {
        let result = await withCheckedContinuation { continuation in
            let request = ValueRequest(continuation, body: body)
            if !append(request) { request.answer(failing: .unavailable(reason: "the store is closed")) }
        }
        return try result.get()
    }
}
