import Dispatch
import Synchronization

/// Something that happens once, for tasks and for threads to wait for.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let group = DispatchGroup()

    init() { group.enter() }

    func fire() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            if state.hasFired { return nil }
            state.hasFired = true
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return }
        group.leave()
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasFired = state.withLock { state in
                if !state.hasFired { state.waiters.append(continuation) }
                return state.hasFired
            }
            if hasFired { continuation.resume() }
        }
    }

    /// For scripts; gives up after two minutes, so that a failed test does not keep its server's threads.
    func waitOnThread() { _ = group.wait(timeout: .now() + 120) }
}

/// A number that several threads raise.
final class Counter: Sendable {
    private let value = Atomic(0)

    func increase(by amount: Int = 1) { value.add(amount, ordering: .relaxed) }

    var count: Int { value.load(ordering: .relaxed) }
}
