import Dispatch
import Synchronization

/// An event that happens once; tasks and threads can wait for it.
package final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let group = DispatchGroup()

    package init() { group.enter() }

    package var hasFired: Bool { state.withLock { $0.hasFired } }

    package func fire() {
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

    /// Waits whether or not the task is cancelled.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let hasFired = state.withLock { state in
                if !state.hasFired { state.waiters.append(continuation) }
                return state.hasFired
            }
            if hasFired { continuation.resume() }
        }
    }

    /// Waits on a thread of a scripted server; gives up after two minutes, so that a failed test does not keep it.
    package func waitOnThread() { _ = group.wait(timeout: .now() + 120) }

    /// Whether the signal fired before the limit.
    package func fires(within limit: Duration = .seconds(120)) async -> Bool {
        let timer = Task {
            try await Task.sleep(for: limit)
            state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters
            }.forEach { $0.resume() }
        }
        defer { timer.cancel() }
        await wait()
        return hasFired
    }
}

/// A number that several tasks and threads raise.
package final class Counter: Sendable {
    private let value = Atomic(0)

    package init() {}

    package var count: Int { value.load(ordering: .sequentiallyConsistent) }

    /// Returns the new count.
    @discardableResult
    package func increment(by amount: Int = 1) -> Int {
        value.wrappingAdd(amount, ordering: .sequentiallyConsistent).newValue
    }
}

/// Holds tasks back until a test opens it.
package actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var arrivalWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    /// The number of tasks that have reached the gate.
    package private(set) var arrivals = 0

    package init() {}

    package func pass() async {
        arrivals += 1
        for waiter in arrivalWaiters where waiter.count <= arrivals { waiter.continuation.resume() }
        arrivalWaiters.removeAll { $0.count <= arrivals }
        if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }

    package func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    package func waitForArrivals(_ count: Int) async {
        if arrivals < count { await withCheckedContinuation { arrivalWaiters.append((count, $0)) } }
    }
}

/// Polls a condition every few milliseconds; only for changes that send no signal, such as a kernel's tables.
package func eventually(
    within limit: Duration = .seconds(120), _ condition: @Sendable () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await condition()
}
