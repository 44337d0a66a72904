import Observability
import Synchronization

/// The wall clock in milliseconds since 1970, until a test stops it; then it moves only when told to.
final class ManualTime: Sendable {
    private let stopped = Mutex<Int64?>(nil)

    var now: Int64 { stopped.withLock { $0 } ?? Logger.systemMilliseconds() }

    func stop(at milliseconds: Int64) { stopped.withLock { $0 = milliseconds } }
}
