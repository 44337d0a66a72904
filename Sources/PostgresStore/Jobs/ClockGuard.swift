internal import Basics
internal import JobQueue
import SQLSupport
internal import Synchronization

/// Keeps a step of the database server's clock, or of that of the server which replaced it, from ending jobs.
///
/// A process compares the store's clock with its own monotonic one, and follows small differences. After a forward step
/// it judges deadlines by the time that it expected, until the store's clock has gone on evenly for ten minutes, or has
/// gone back. Before the first comparison the wall clock of the machine takes the place of the expected time, so that a
/// process which starts after a step is not taken in either.
struct ClockGuard {
    /// A larger difference is a step.
    static let tolerance: Duration = .seconds(2)
    /// The time for which the store's clock must go on evenly after a step until it is believed.
    static let quarantine: Duration = .seconds(600)

    /// A time of the store with the instant at which it was current.
    private struct Anchor {
        var timestamp: Timestamp
        var at: ContinuousClock.Instant

        func timestamp(at now: ContinuousClock.Instant) -> Timestamp { timestamp + (now - at) }
    }

    private var expected: Anchor?
    /// The stepped clock, from its first reading on.
    private var stepped: Anchor?

    /// The time after which no deadline counts as passed, whatever the store's clock says.
    func latest(at now: ContinuousClock.Instant, wall: Timestamp) -> Timestamp {
        (expected?.timestamp(at: now) ?? wall) + Self.tolerance
    }

    /// Takes in a reading of the store's clock.
    ///
    /// - Returns: The size of a forward step that is noticed now.
    mutating func observe(_ timestamp: Timestamp, at now: ContinuousClock.Instant, wall: Timestamp) -> Duration? {
        let anchor = Anchor(timestamp: timestamp, at: now)
        let step = timestamp - (expected?.timestamp(at: now) ?? wall)
        guard step > Self.tolerance else {
            expected = anchor
            stepped = nil
            return nil
        }
        if expected == nil { expected = Anchor(timestamp: wall, at: now) }
        if let stepped, abs(timestamp - stepped.timestamp(at: now)) <= Self.tolerance {
            if now - stepped.at >= Self.quarantine {
                expected = anchor
                self.stepped = nil
            }
            return nil
        }
        stepped = anchor
        return step
    }

    private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
}

extension DeadlineMemory {
    /// The latest time by which deadlines are judged now.
    var latest: Timestamp { clock.withLock { $0.latest(at: .now, wall: Self.wall) } }

    /// Takes in a reading of the store's clock, and tells of a step.
    func observe(_ timestamp: Timestamp) {
        if let step = clock.withLock({ $0.observe(timestamp, at: .now, wall: Self.wall) }) {
            monitor?.noteClockStep(step)
        }
    }

    private static var wall: Timestamp { Timestamp(milliseconds: WallClock.milliseconds()) }
}
