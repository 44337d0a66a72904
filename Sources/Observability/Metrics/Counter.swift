internal import Synchronization

/// A number that grows. Adding to it takes no lock.
package final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    package init() {}

    package func add(_ amount: Int = 1) { value.wrappingAdd(amount, ordering: .relaxed) }

    package var total: Int { value.load(ordering: .relaxed) }
}
