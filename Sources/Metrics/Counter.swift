internal import Synchronization

/// A number that grows. Adding to it takes no lock.
public final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    public init() {}

    public func add(_ amount: Int = 1) { value.wrappingAdd(amount, ordering: .relaxed) }

    public var total: Int { value.load(ordering: .relaxed) }
}
