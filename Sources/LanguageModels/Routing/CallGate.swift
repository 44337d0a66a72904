internal import Synchronization

/// Bounds how many calls, or pieces of other work, are in flight. Who has to wait is let in in the order of arrival;
/// callers in front of a screen first, and with places that others cannot take.
package final class AsyncSemaphore: Sendable {
    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var limit: Int
        let reserve: Int
        var inFlight = 0
        var lastID: UInt64 = 0
        var interactive: [Waiter] = []
        var background: [Waiter] = []

        /// Background calls leave the reserve free, though never more than half of a limit that has shrunk.
        var backgroundLimit: Int { max(1, limit - min(reserve, limit / 2)) }

        mutating func enter(_ isInteractive: Bool) -> Bool {
            let isFree =
                isInteractive
                ? interactive.isEmpty && inFlight < limit : background.isEmpty && inFlight < backgroundLimit
            if isFree { inFlight += 1 }
            return isFree
        }

        /// Takes those out of the lines who may enter now.
        mutating func admitted() -> [Waiter] {
            var admitted: [Waiter] = []
            while !interactive.isEmpty, inFlight < limit {
                admitted.append(interactive.removeFirst())
                inFlight += 1
            }
            while !background.isEmpty, inFlight < backgroundLimit {
                admitted.append(background.removeFirst())
                inFlight += 1
            }
            return admitted
        }

        mutating func remove(_ id: UInt64) -> Waiter? {
            if let place = interactive.firstIndex(where: { $0.id == id }) { return interactive.remove(at: place) }
            if let place = background.firstIndex(where: { $0.id == id }) { return background.remove(at: place) }
            return nil
        }
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: How many are let in at once.
    ///   - reserve: Places that those without a caller in front of a screen leave free.
    package init(limit: Int, reserve: Int) { state = Mutex(State(limit: max(1, limit), reserve: max(0, reserve))) }

    var inFlight: Int { state.withLock(\.inFlight) }
    var limit: Int { state.withLock(\.limit) }
    var waiting: Int { state.withLock { $0.interactive.count + $0.background.count } }

    /// Waits for a place; whoever gets one must `leave`.
    ///
    /// - Returns: Whether there is a place; `false` when the task was cancelled.
    package func enter(isInteractive: Bool) async -> Bool {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancellation marks the task before its handler runs: either the mark is seen here, or the handler
                // finds the waiter in its line.
                let answer: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.enter(isInteractive) { return true }
                    let waiter = Waiter(id: id, continuation: continuation)
                    if isInteractive { state.interactive.append(waiter) } else { state.background.append(waiter) }
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.remove(id) }?.continuation.resume(returning: false)
        }
    }

    /// Gives the place to who waits for it.
    package func leave() {
        let admitted = state.withLock { state in
            state.inFlight -= 1
            return state.admitted()
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    func setLimit(_ limit: Int) {
        let admitted = state.withLock { state in
            state.limit = max(1, limit)
            return state.admitted()
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }
}
