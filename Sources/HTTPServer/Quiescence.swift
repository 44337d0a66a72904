import Synchronization

/// Counts what is under way and lets one task wait until nothing is.
final class Quiescence: Sendable {
    private struct Waiter {
        var continuation: CheckedContinuation<Bool, Never>?
        /// Tells a late timer that its wait is over.
        var round = 0
    }

    private let count = Atomic(0)
    private let waiter = Mutex(Waiter())

    private var isQuiet: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

    func enter() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    func leave() {
        if count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0 { wake(true) }
    }

    /// - Returns: whether nothing was under way before the time had passed. At most one task may wait.
    func wait(atMost limit: Duration) async -> Bool {
        var timer: Task<Void, any Error>?
        defer { timer?.cancel() }
        return await withCheckedContinuation { continuation in
            let round = waiter.withLock { waiter in
                waiter.continuation = continuation
                waiter.round += 1
                return waiter.round
            }
            timer = Task {
                try await Task.sleep(for: limit)
                wake(false, round: round)
            }
            // The last may have left before the continuation stood there.
            if isQuiet { wake(true) }
        }
    }

    private func wake(_ result: Bool, round: Int? = nil) {
        let continuation = waiter.withLock { waiter -> CheckedContinuation<Bool, Never>? in
            if let round, round != waiter.round { return nil }
            defer { waiter.continuation = nil }
            return waiter.continuation
        }
        continuation?.resume(returning: result)
    }
}
