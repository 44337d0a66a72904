internal import Synchronization

/// A counting semaphore whose waiting tasks suspend instead of blocking a thread.
///
/// Waiting tasks get permits in the order of arrival, those of high priority first. A number of permits can be
/// reserved for high priority.
package final class AsyncSemaphore: Sendable {
    package enum Priority: Sendable {
        /// For calls with a person waiting for the answer.
        case high
        case normal
    }

    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var permits: Int
        let reserved: Int
        var acquired = 0
        var lastID: UInt64 = 0
        var high: [Waiter] = []
        var normal: [Waiter] = []

        /// Normal priority leaves the reserved permits free, but never more than half of the permits.
        var normalPermits: Int { max(1, permits - min(reserved, permits / 2)) }

        mutating func acquire(_ priority: Priority) -> Bool {
            let isFree =
                switch priority {
                case .high: high.isEmpty && acquired < permits
                case .normal: normal.isEmpty && acquired < normalPermits
                }
            if isFree { acquired += 1 }
            return isFree
        }

        /// Removes the waiting tasks for which there is a permit now.
        mutating func admitted() -> [Waiter] {
            var admitted: [Waiter] = []
            while !high.isEmpty, acquired < permits {
                admitted.append(high.removeFirst())
                acquired += 1
            }
            while !normal.isEmpty, acquired < normalPermits {
                admitted.append(normal.removeFirst())
                acquired += 1
            }
            return admitted
        }

        mutating func remove(_ id: UInt64) -> Waiter? {
            if let index = high.firstIndex(where: { $0.id == id }) { return high.remove(at: index) }
            if let index = normal.firstIndex(where: { $0.id == id }) { return normal.remove(at: index) }
            return nil
        }
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - permits: The number of permits, at least one.
    ///   - reserved: The number of these that only tasks of high priority get.
    package init(permits: Int, reserved: Int = 0) {
        state = Mutex(State(permits: max(1, permits), reserved: max(0, reserved)))
    }

    var acquired: Int { state.withLock(\.acquired) }
    var permits: Int { state.withLock(\.permits) }
    var waiting: Int { state.withLock { $0.high.count + $0.normal.count } }

    /// Runs a body that holds a permit.
    ///
    /// - Returns: The body's value; `nil` when the task was cancelled before it got a permit.
    package func withPermit<Value, Failure>(
        priority: Priority = .normal, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        guard await acquire(priority) else { return nil }
        defer { release() }
        return try await body()
    }

    /// Waits for a permit. Each permit must be released; `withPermit` does both.
    ///
    /// - Returns: Whether there is a permit; `false` when the task was cancelled.
    package func acquire(_ priority: Priority = .normal) async -> Bool {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancellation marks the task before its handler runs: either the mark is seen here, or the handler
                // finds the waiter in its queue.
                let result: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.acquire(priority) { return true }
                    let waiter = Waiter(id: id, continuation: continuation)
                    switch priority {
                    case .high: state.high.append(waiter)
                    case .normal: state.normal.append(waiter)
                    }
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            state.withLock { $0.remove(id) }?.continuation.resume(returning: false)
        }
    }

    /// Returns a permit.
    package func release() {
        let admitted = state.withLock { state in
            state.acquired -= 1
            return state.admitted()
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    /// Changes the number of permits. Permits beyond a smaller number are not taken back, but not given again.
    func setPermits(_ permits: Int) {
        let admitted = state.withLock { state in
            state.permits = max(1, permits)
            return state.admitted()
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }
}
