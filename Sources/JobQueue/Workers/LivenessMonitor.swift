/// Decides which workers have died from readings of their heartbeat counters.
///
/// A pure value: readings and the observer's monotonic time go in, decisions come out. A worker is dead only when
/// several successful readings over the whole window showed the same counter. So a restart of the database (no reading
/// succeeds) and a jump of a wall clock (none is used) declare no worker dead. In a database that can be read and not
/// written no counter moves; an observer whose own heartbeat fails therefore declares no worker dead.
package struct LivenessMonitor: Sendable {
    /// With heartbeats every 3 s and 12 s of silence, a death is noticed within 15 s.
    package static let window: Duration = .seconds(12)
    /// The number of successful readings of an unchanged counter before a worker is declared dead.
    package static let readingsNeeded = 4
    /// A longer gap between two readings means that the observer itself was suspended; it starts over.
    package static let longestGap: Duration = .seconds(6)

    private struct Silence {
        var count: Int64
        var since: Duration
        var readings: Int
    }

    private var silences: [WorkerID: Silence] = [:]
    private var lastReading: Duration?

    package init() {}

    /// Records one successful reading of all counters.
    ///
    /// - Parameters:
    ///   - heartbeats: The counters of all registered workers.
    ///   - timestamp: The observer's monotonic time.
    ///   - isHeard: Whether the observer recently wrote its own heartbeat.
    /// - Returns: The heartbeats of workers to declare dead; `JobStore.rescue` checks that they have not moved since.
    package mutating func observe(
        _ heartbeats: [WorkerHeartbeat], at timestamp: Duration, isHeard: Bool = true
    ) -> [WorkerHeartbeat] {
        if let lastReading, timestamp - lastReading > Self.longestGap { silences = [:] }
        guard isHeard else {
            silences = [:]
            return []
        }
        lastReading = timestamp
        var current: [WorkerID: Silence] = [:]
        var dead: [WorkerHeartbeat] = []
        for heartbeat in heartbeats {
            var silence = silences[heartbeat.worker] ?? Silence(count: heartbeat.count, since: timestamp, readings: 0)
            if silence.count != heartbeat.count {
                silence = Silence(count: heartbeat.count, since: timestamp, readings: 0)
            }
            silence.readings += 1
            current[heartbeat.worker] = silence
            if silence.readings >= Self.readingsNeeded, timestamp - silence.since >= Self.window {
                dead.append(heartbeat)
            }
        }
        silences = current
        return dead
    }
}

/// A worker's registration.
package struct WorkerRegistration: Sendable, Hashable {
    package var id: WorkerID
    package var host: String
    package var processID: Int32
    /// The number of jobs that it runs at once.
    package var concurrency: Int

    package init(id: WorkerID, host: String, processID: Int32, concurrency: Int) {
        self.id = id
        self.host = host
        self.processID = processID
        self.concurrency = concurrency
    }
}

/// A worker's heartbeat counter at the time of a reading.
package struct WorkerHeartbeat: Sendable, Hashable {
    package var worker: WorkerID
    /// Grows with every heartbeat.
    package var count: Int64

    package init(worker: WorkerID, count: Int64) {
        self.worker = worker
        self.count = count
    }
}
