internal import JobQueue
internal import Synchronization

/// What a process remembers from one claim to the next.
///
/// Claims begin to look at a rank where a lane had come to a while ago, since the entries of jobs that were claimed
/// stand before it until they are vacuumed. It is a while ago, and now and then the beginning, because a submit takes
/// its rank some time before others see it.
final class ClaimMemory: Sendable {
    private struct State {
        var lost: [WorkerID: [Int64]] = [:]
        /// Where claims begin to look.
        var start: (interactive: Int64, background: Int64) = (0, 0)
        /// Where they will, when this is old enough.
        var next: (interactive: Int64, background: Int64) = (0, 0)
        var nextSince = ContinuousClock.now
        var fullScan: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// How old a rank is before claims begin there.
    private static let age: Duration = .seconds(2)
    /// How often claims look from the beginning.
    private static let fullScanPause: Duration = .seconds(1)

    func lostClaims(of worker: WorkerID) -> [Int64] { state.withLock { $0.lost[worker] ?? [] } }

    func lose(_ claim: Int64, of worker: WorkerID) { state.withLock { $0.lost[worker, default: []].append(claim) } }

    /// The worker has what its lost claims took.
    func forget(_ worker: WorkerID) { state.withLock { $0.lost[worker] = nil } }

    func scanStart() -> (interactive: Int64, background: Int64) {
        state.withLock { state in
            let now = ContinuousClock.now
            guard let last = state.fullScan, now - last < Self.fullScanPause else {
                state.fullScan = now
                return (0, 0)
            }
            return state.start
        }
    }

    /// Takes in where the lanes have come to.
    func note(interactive: Int64, background: Int64) {
        state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.nextSince >= Self.age else { return }
            state.start = state.next
            state.next = (interactive, background)
            state.nextSince = now
        }
    }
}
