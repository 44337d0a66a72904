import SQLSupport
internal import JobQueue
internal import Synchronization

/// What a process remembers of its looks for late jobs.
///
/// A look goes back a little beyond the last one, since a commit may come some time after its moment, and once a minute
/// to the beginning: while a transaction is held open, the jobs that ended since are still in the indexes.
final class DeadlineMemory: Sendable {
    private struct State {
        /// When a look from the beginning last found all there was.
        var whole: ContinuousClock.Instant?
        /// When a look last did.
        var last: ContinuousClock.Instant?
        var isWhole = false
    }

    private let state = Mutex(State())

    private static let wholePause: Duration = .seconds(60)
    private static let overlap: Duration = .seconds(20)

    /// How far back the next look goes; `nil` is to the beginning.
    func window(at now: ContinuousClock.Instant) -> Duration? {
        state.withLock { state in
            guard let whole = state.whole, let last = state.last, now - whole < Self.wholePause else {
                state.isWhole = true
                return nil
            }
            state.isWhole = false
            return now - last + Self.overlap
        }
    }

    /// Whether a look found all late jobs there were.
    func note(foundAll: Bool, at now: ContinuousClock.Instant) {
        state.withLock { state in
            guard foundAll else { return }
            if state.isWhole { state.whole = now }
            state.last = now
        }
    }
}
