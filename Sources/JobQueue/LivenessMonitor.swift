/// Tells which workers have died, from what a watcher reads of their heartbeat counters.
///
/// A pure value: readings and the watcher's own monotonic time go in, verdicts come out. A worker is dead only when
/// several successful readings, spread over the whole window, all showed the same counter; so neither a restart of
/// the database (no reading succeeds) nor a jump of any wall clock (none is used) kills anybody. Nor does a database that
/// can be read and not written, in which every counter stands still: a watcher that is not heard itself judges nobody.
package struct LivenessMonitor: Sendable {
    /// Heartbeats come every 3 s; with 12 s of silence a death is noticed in at most 15 s.
    package static let window: Duration = .seconds(12)
    /// Successful readings of an unchanged counter that a verdict needs.
    package static let readingsNeeded = 4
    /// A gap between two readings beyond this means that the watcher itself was blind or asleep: it starts over.
    package static let longestGap: Duration = .seconds(6)

    private struct Silence {
        var count: Int64
        var since: Duration
        var readings: Int
    }

    private var silences: [WorkerID: Silence] = [:]
    private var lastReading: Duration?

    package init() {}

    /// Takes in one successful reading of all counters.
    ///
    /// - Parameters:
    ///   - beats: The counters of all registered workers.
    ///   - moment: The watcher's monotonic time.
    ///   - isHeard: Whether the watcher could write its own heartbeat lately.
    /// - Returns: The beats of workers to declare dead; `JobStore.rescue` makes sure that they have not moved since.
    package mutating func observe(_ beats: [WorkerBeat], at timestamp: Duration, isHeard: Bool = true) -> [WorkerBeat] {
        if let lastReading, timestamp - lastReading > Self.longestGap { silences = [:] }
        guard isHeard else {
            silences = [:]
            return []
        }
        lastReading = timestamp
        var current: [WorkerID: Silence] = [:]
        var dead: [WorkerBeat] = []
        for beat in beats {
            var silence = silences[beat.worker] ?? Silence(count: beat.count, since: timestamp, readings: 0)
            if silence.count != beat.count { silence = Silence(count: beat.count, since: timestamp, readings: 0) }
            silence.readings += 1
            current[beat.worker] = silence
            if silence.readings >= Self.readingsNeeded, timestamp - silence.since >= Self.window { dead.append(beat) }
        }
        silences = current
        return dead
    }
}
