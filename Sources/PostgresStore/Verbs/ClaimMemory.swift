import SQLSupport
internal import JobQueue
internal import Synchronization

/// What a process remembers from one claim to the next.
///
/// Claims begin to look at a rank where a lane had come to a while ago, since the entries of jobs that were claimed
/// stand before it until they are vacuumed, which a transaction that is held open prevents. It is a while ago because a
/// submit takes its rank some time before others see it.
///
/// 1. Most claims begin where the lane was two seconds ago.
/// 2. Once a second one begins where it was ten seconds ago: by then a submit has committed, or the server has ended it.
/// 3. Once a minute one looks from the beginning, whatever may stand there.
///
/// A process that has just begun has nothing to begin at: it looks from the beginning a few times a second until it has.
final class ClaimMemory: Sendable {
    typealias Ranks = (interactive: Int64, background: Int64)

    private struct Mark {
        var ranks: Ranks
        var at: ContinuousClock.Instant
    }

    private struct State {
        var lost: [WorkerID: [Int64]] = [:]
        /// Claims under way that do not look as far back as jobs can stand.
        var short: Set<Int64> = []
        /// Where the lanes were, oldest first.
        var marks: [Mark] = []
        var lastLong: ContinuousClock.Instant?
        var lastWhole: ContinuousClock.Instant?

        func latest(before timestamp: ContinuousClock.Instant) -> Ranks? { marks.last { $0.at <= timestamp }?.ranks }

        mutating func begin(at now: ContinuousClock.Instant) -> Ranks {
            lastWhole = now
            lastLong = now
            return beginning
        }
    }

    private let state = Mutex(State())

    private static let beginning: Ranks = (0, 0)
    private static let short: Duration = .seconds(2)
    /// Longer than the server lets a statement of ours run.
    private static let long: Duration = .seconds(10)
    private static let markPause: Duration = .milliseconds(500)
    private static let longPause: Duration = .seconds(1)
    private static let wholePause: Duration = .seconds(60)
    private static let earlyPause: Duration = .milliseconds(200)
    /// After so long the next claim looks farther back.
    static let timeout = longPause

    func lostClaims(of worker: WorkerID) -> [Int64] { state.withLock { $0.lost[worker] ?? [] } }

    func lose(_ claim: Int64, of worker: WorkerID) { state.withLock { $0.lost[worker, default: []].append(claim) } }

    /// Where a claim begins to look; whether that was far enough is told once it was answered.
    func scanStart(of claim: Int64, at now: ContinuousClock.Instant) -> Ranks {
        let start = scanStart(at: now)
        state.withLock { state in
            if start.isShort { state.short.insert(claim) } else { state.short.remove(claim) }
        }
        return start.ranks
    }

    /// Whether a claim that was answered may have missed a job whose submit took long.
    func tookShortLook(_ claim: Int64) -> Bool { state.withLock { $0.short.remove(claim) != nil } }

    /// The worker has what its lost claims took.
    func forget(_ worker: WorkerID) { state.withLock { $0.lost[worker] = nil } }

    /// Where the next claim begins to look, and whether a job may stand before that.
    func scanStart(at now: ContinuousClock.Instant) -> (ranks: Ranks, isShort: Bool) {
        state.withLock { state in
            guard let whole = state.lastWhole, now - whole < Self.wholePause else {
                return (state.begin(at: now), false)
            }
            guard let short = state.latest(before: now - Self.short) else {
                if now - whole >= Self.earlyPause { return (state.begin(at: now), false) }
                return (state.marks.last?.ranks ?? Self.beginning, true)
            }
            guard let long = state.lastLong, now - long < Self.longPause else {
                state.lastLong = now
                return (state.latest(before: now - Self.long) ?? Self.beginning, false)
            }
            return (short, true)
        }
    }

    /// Takes in where the lanes have come to.
    func note(interactive: Int64, background: Int64, at now: ContinuousClock.Instant) {
        state.withLock { state in
            if let last = state.marks.last, now - last.at < Self.markPause { return }
            state.marks.append(Mark(ranks: (interactive, background), at: now))
            // One that is old enough for the long look stays.
            let old = state.marks.lastIndex { $0.at <= now - Self.long } ?? 0
            state.marks.removeFirst(old)
        }
    }
}
