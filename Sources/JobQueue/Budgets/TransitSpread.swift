/// How much longer one call may take to the provider than another: a pure value, learned from the provider's refusals.
///
/// A bucket that holds one call refills only once that call has arrived. So two calls must begin a refill and this time
/// apart, or the second may arrive first. It costs such a bucket a part of its limit, and larger ones nothing. It begins
/// at the time that a call may take at all, and shrinks fast with each call that is let in after a wait or while others wait,
/// until the first refusal. That and each further one makes it twice as long; then it shrinks slowly.
package struct TransitSpread: Hashable, Sendable {
    /// In microseconds.
    static let longest: Int64 = 250_000
    static let shortest: Int64 = 20_000
    /// The parts that it loses with a call before and after the first refusal.
    private static let (fast, slow): (Int64, Int64) = (8, 1024)

    private(set) var microseconds = Self.longest
    /// Whether a call was refused while it was shrinking.
    private(set) var isFound = false

    package init() {}

    init(microseconds: Int64, isFound: Bool) {
        self.microseconds = min(max(microseconds, Self.shortest), Self.longest)
        self.isFound = isFound
    }

    package var milliseconds: Int64 { microseconds / 1000 }

    /// Calls were let in while others had to wait for the limit.
    package mutating func letIn(_ calls: Int) {
        for _ in 0..<max(0, calls) {
            microseconds = max(Self.shortest, microseconds - microseconds / (isFound ? Self.slow : Self.fast))
        }
    }

    package mutating func wasRefused() {
        isFound = isFound || microseconds < Self.longest
        microseconds = min(Self.longest, microseconds * 2)
    }
}
