import Synchronization

/// A value that several tasks change.
final class Kept<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock(\.self) }

    func change(_ body: (inout Value) -> Void) {
        state.withLock { value in
            var copy = value
            body(&copy)
            value = copy
        }
    }
}
