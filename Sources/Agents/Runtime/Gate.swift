internal import Synchronization

/// Lets only so many tasks at once through a piece of work; the others wait in the order in which they came.
///
/// Where thousands of jobs begin at the same moment, each would otherwise hold its facts while all the others read theirs.
final class Gate: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// Those before it have been let in; they are dropped when they are more than the others.
        var head = 0
    }

    private let state: Mutex<State>

    init(_ width: Int) { state = Mutex(State(free: width)) }

    /// Does the work when it is this task's turn. A cancelled task waits, too, and leaves it to the work to notice.
    func pass<Value: Sendable, Failure: Error>(
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// The next one in the line takes over the place.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.head < state.waiting.count else {
                state.free += 1
                return nil
            }
            defer {
                state.head += 1
                if state.head > state.waiting.count / 2 {
                    state.waiting.removeFirst(state.head)
                    state.head = 0
                }
            }
            return state.waiting[state.head]
        }
        next?.resume()
    }
}
