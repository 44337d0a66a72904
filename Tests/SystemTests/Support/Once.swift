import Synchronization

/// A value that comes once and that any number of tasks wait for.
final class Once<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [AsyncStream<Value>.Continuation] = []
    }

    private let state = Mutex(State())

    func set(_ value: Value) {
        let waiting = state.withLock { state in
            guard state.value == nil else { return [AsyncStream<Value>.Continuation]() }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting {
            continuation.yield(value)
            continuation.finish()
        }
    }

    /// The value as soon as it is there; `nil` when the task is cancelled before.
    func value() async -> Value? {
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        let present = state.withLock { state in
            if state.value == nil { state.waiting.append(continuation) }
            return state.value
        }
        if let present { return present }
        return await stream.first { _ in true }
    }
}
