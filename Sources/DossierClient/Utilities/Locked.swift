internal import Foundation

/// A value behind a lock. `Mutex` needs a newer system than iOS 16.
///
/// Unchecked: the value is only touched while the lock is held.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
