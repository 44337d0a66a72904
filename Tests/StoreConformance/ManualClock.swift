public import JobQueue
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Sendable {
    private let time = Mutex(Timestamp(milliseconds: 1_800_000_000_000))

    public init() {}

    public var now: Timestamp { time.withLock { $0 } }

    public func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}
