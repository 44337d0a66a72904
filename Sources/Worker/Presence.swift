internal import JobQueue
internal import Synchronization

/// Under which id this worker is known to the store, and whether the store has heard of it lately.
final class Liveness: Sendable {
    private struct State {
        var id: WorkerID
        var lastBeat: ContinuousClock.Instant
    }

    private let state: Mutex<State>
    private let timeout: Duration

    init(id: WorkerID, timeout: Duration) {
        state = Mutex(State(id: id, lastBeat: .now))
        self.timeout = timeout
    }

    var id: WorkerID { state.withLock { $0.id } }

    /// Whether a heartbeat was written recently enough to start something that costs money.
    var isFresh: Bool { state.withLock { .now - $0.lastBeat < timeout } }

    func beatSucceeded() { state.withLock { $0.lastBeat = .now } }

    /// Takes a new id, after the old one was declared dead.
    func rename(_ id: WorkerID) { state.withLock { $0.id = id } }
}
