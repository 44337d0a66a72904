import Synchronization

/// Something that happens once and that any number may wait for.
final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func raise() {
        let waiters = state.withLock { state in
            state.isRaised = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits, whether or not the task is cancelled.
    func wait() async {
        await withCheckedContinuation { waiter in
            let isRaised = state.withLock { state in
                if !state.isRaised { state.waiters.append(waiter) }
                return state.isRaised
            }
            if isRaised { waiter.resume() }
        }
    }
}

/// Counts up, and tells the count.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// The new count.
    @discardableResult
    func increment() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
