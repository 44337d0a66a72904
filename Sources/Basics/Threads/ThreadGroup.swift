internal import Synchronization

/// Counts threads, so that a task can wait for the end of all of them.
package final class ThreadGroup: Sendable {
    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Counts a thread in, and returns the function that counts it out.
    package func enter() -> @Sendable () -> Void {
        state.withLock { $0.running += 1 }
        return { self.leave() }
    }

    /// Waits until every thread has left.
    package func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.running > 0 { state.waiting.append(continuation) }
                return state.running == 0
            }
            if isOver { continuation.resume() }
        }
    }

    private func leave() {
        let waiting = state.withLock { state in
            state.running -= 1
            guard state.running == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
