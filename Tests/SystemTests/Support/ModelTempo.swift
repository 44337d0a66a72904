import Synchronization

/// The pauses of the simulated models between the pieces of their answers. A test that has to do something while a
/// model writes holds it in the middle, so that no delay of the test's own lets the answer end before.
final class ModelTempo: Sendable {
    private struct State {
        /// The number of further pauses that pass before all wait; `nil` while none has to.
        var left: Int?
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Holds every answer after the given number of further pauses, counted over all answers.
    func hold(after pauses: Int) { state.withLock { $0.left = pauses } }

    /// Lets the answers go on.
    func release() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// One pause.
    @Sendable func sleep(_ duration: Duration) async throws {
        let held = state.withLock { state -> AsyncStream<Never>? in
            guard let left = state.left else { return nil }
            guard left == 0 else {
                state.left = left - 1
                return nil
            }
            let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
            state.waiting.append(continuation)
            return stream
        }
        guard let held else { return try await Task.sleep(for: duration) }
        for await _ in held {}
    }
}

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
