internal import Synchronization

/// Calls a closure at most once.
final class OnceOnly: Sendable {
    private let closure: Mutex<(@Sendable (Bool) -> Void)?>

    init(_ closure: @escaping @Sendable (Bool) -> Void) { self.closure = Mutex(closure) }

    func call(_ value: Bool) {
        let closure = closure.withLock { closure in
            defer { closure = nil }
            return closure
        }
        closure?(value)
    }
}
