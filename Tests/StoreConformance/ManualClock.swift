package import JobQueue
import Synchronization

/// A clock that stands still until a test moves it.
package final class ManualStoreClock: Sendable {
    private let time = Mutex(Timestamp(milliseconds: 1_800_000_000_000))

    package init() {}

    package var now: Timestamp { time.withLock { $0 } }

    package func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}
