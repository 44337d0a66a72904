import Basics
import Synchronization

@testable import DataSources

/// A clock that a test moves; sleeping returns at once.
final class ManualTime: Sendable {
    private let state = Mutex<(now: Duration, sleeps: [Duration])>((.zero, []))

    var sleeps: [Duration] { state.withLock { $0.sleeps } }
    func advance(by duration: Duration) { state.withLock { $0.now += duration } }

    var source: TimeSource {
        TimeSource(
            uptime: { self.state.withLock { $0.now } }, wallMilliseconds: { 0 },
            sleep: { duration in self.state.withLock { $0.sleeps.append(duration) } })
    }
}
