import Synchronization

/// Something that happens once and that a test waits for, with a limit.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var hasFired: Bool { state.withLock { $0.hasFired } }

    func fire() {
        let waiters = state.withLock { state in
            state.hasFired = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits whether or not the task is cancelled.
    func wait() async {
        await withCheckedContinuation { continuation in
            let hasFired = state.withLock { state in
                if !state.hasFired { state.waiters.append(continuation) }
                return state.hasFired
            }
            if hasFired { continuation.resume() }
        }
    }

    /// Whether it fired before the limit.
    func fires(within limit: Duration = .seconds(120)) async -> Bool {
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

/// Counts from several tasks.
final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func add(_ amount: Int = 1) -> Int { value.wrappingAdd(amount, ordering: .sequentiallyConsistent).newValue }
}

/// Waits until something is so, looking every few milliseconds; for what nobody signals, such as a kernel's tables.
func eventually(within limit: Duration = .seconds(120), _ condition: @Sendable () async throws -> Bool) async rethrows
    -> Bool
{
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await condition()
}
