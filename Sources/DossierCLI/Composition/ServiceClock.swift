import Basics
import JobQueue
import Observability
import Synchronization

/// The store's clock, for a process that needs the time too often to ask the store each time.
///
/// A broker computes deadlines from it; by a wall clock that is wrong or jumps, jobs would be late at once, or never.
final class ServiceClock: Sendable {
    private struct State {
        /// The amount to add to the time since the start.
        var offset: Int64
        var checked: ContinuousClock.Instant
        var isChecking = false
    }

    private let store: any JobStore
    private let logger: Logger
    private let start = ContinuousClock.now
    private let state: Mutex<State>

    /// The time for which an answer of the store is trusted.
    private static let trust: Duration = .seconds(5)

    private init(_ store: any JobStore, offset: Int64, logger: Logger) {
        self.store = store
        self.logger = logger
        state = Mutex(State(offset: offset, checked: .now))
    }

    /// Asks the store for the first time. If it does not answer, the machine's clock serves until it does.
    static func start(of store: any JobStore, logger: Logger) async -> ServiceClock {
        let clock = ServiceClock(store, offset: WallClock.milliseconds(), logger: logger)
        await clock.check()
        return clock
    }

    /// Milliseconds since 1970.
    var now: @Sendable () -> Int64 {
        { [self] in
            let passed = (ContinuousClock.now - start).wholeMilliseconds
            let (offset, isOld) = state.withLock { state in
                let isOld = !state.isChecking && .now - state.checked > Self.trust
                if isOld { state.isChecking = true }
                return (state.offset, isOld)
            }
            if isOld { Task { await check() } }
            return offset + passed
        }
    }

    private func check() async {
        var timestamp: Timestamp?
        do {
            timestamp = try await store.now()
        } catch {
            logger.warning("cannot read the store's clock", ["reason": .string(error.description)])
        }
        let passed = (ContinuousClock.now - start).wholeMilliseconds
        state.withLock { state in
            if let timestamp { state.offset = timestamp.milliseconds - passed }
            state.checked = .now
            state.isChecking = false
        }
    }
}
