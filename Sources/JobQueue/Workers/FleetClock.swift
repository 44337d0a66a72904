/// The time that passes while some process observes the workers, by which the silence of a worker is measured.
///
/// The database keeps it, so that the next observer goes on where the last one ended, even when no process lives long
/// enough to watch another. Every observation adds the time since the last one, whichever process made that. A gap that
/// is too long, or a clock that jumped, counts as such a gap and no more, and all workers have the whole time again to
/// be heard: after a restart of the database, in a fleet that was suspended, or behind a database that could be read
/// and not written, no counter moved, and no worker is to blame.
///
/// `Functions/observe_workers.sql` has the same rules for PostgreSQL.
package struct FleetClock: Sendable, Hashable {
    /// The time of the last observation, by the store's clock.
    package var observedAt: Timestamp
    /// The milliseconds that have passed.
    package var elapsed: Int64
    /// The value of `elapsed` at the end of the last gap.
    package var resumedAt: Int64
    /// The value of `elapsed` when a worker last took its turn at the duties that one worker does for all.
    package var turnAt: Int64

    /// A longer time between two observations is a gap.
    package static let longestGap: Duration = .seconds(3)
    /// The silence of a dead worker, if there is no other sign of its death.
    package static let silence: Duration = .seconds(12)
    /// The silence of a dead worker whose connection to the database is closed.
    package static let silenceWhenClosed: Duration = .milliseconds(3500)
    /// The time from one worker's turn to the next one's.
    package static let turn: Duration = .seconds(1)
    /// The time for which an observation stands for the next ones: they are not stored, and their observers look only at
    /// the workers of their own machine. So the cost of a heartbeat does not grow with the fleet.
    package static let look: Duration = .milliseconds(500)

    package init(observedAt: Timestamp, elapsed: Int64, resumedAt: Int64, turnAt: Int64) {
        self.observedAt = observedAt
        self.elapsed = elapsed
        self.resumedAt = resumedAt
        self.turnAt = turnAt
    }

    /// Moves to the time of an observation.
    ///
    /// - Returns: Whether the clock is to be stored, and its observer looks at all workers.
    @discardableResult
    package mutating func advance(to now: Timestamp) -> Bool {
        let passed = (now - observedAt).wholeMilliseconds
        let gap = Self.longestGap.wholeMilliseconds
        elapsed += min(max(passed, 0), gap)
        if passed > gap || passed < -gap { resumedAt = elapsed }
        observedAt = now
        return passed >= Self.look.wholeMilliseconds || passed < -gap
    }

    /// Takes the turn at the duties that one worker does for all, if it is time for them.
    package mutating func takeTurn() -> Bool {
        guard elapsed - turnAt >= Self.turn.wholeMilliseconds else { return false }
        turnAt = elapsed
        return true
    }

    /// The time for which a worker was not heard.
    package func silence(since heardAt: Int64) -> Duration { .milliseconds(elapsed - max(heardAt, resumedAt)) }
}

/// A process that looks after the workers.
package struct FleetObserver: Sendable, Hashable {
    /// The worker whose heartbeat this is; `nil` for a broker without one.
    package var worker: WorkerID?
    /// The number of jobs that the worker runs.
    package var running: Int
    /// The machine of the process, as `ProcessIdentity` names it.
    package var machine: String

    package init(worker: WorkerID?, running: Int = 0, machine: String = "") {
        self.worker = worker
        self.running = running
        self.machine = machine
    }
}

/// The state of the fleet at a heartbeat.
package struct FleetObservation: Sendable, Hashable {
    /// The number of jobs that the observing worker holds.
    package var leases: Int
    /// Whether it is the observing worker's turn at the duties that one worker does for all.
    package var hasTurn: Bool
    /// The bundle whose kinds and schedules are in force.
    package var bundle: String?
    /// The store's time.
    package var now: Timestamp
    /// The other workers on the observer's machine and, when it looks at all workers, those that are silent.
    package var others: [ObservedWorker]

    package init(leases: Int, hasTurn: Bool, bundle: String?, now: Timestamp, others: [ObservedWorker]) {
        self.leases = leases
        self.hasTurn = hasTurn
        self.bundle = bundle
        self.now = now
        self.others = others
    }
}

/// Another worker, as an observer sees it.
package struct ObservedWorker: Sendable, Hashable {
    package var heartbeat: WorkerHeartbeat
    package var processID: Int32
    /// The start of the process as `ProcessIdentity` tells it; `nil` when it runs on another machine.
    package var processStart: Int64?
    /// Whether its silence shows that it is dead.
    package var isSilent: Bool

    package init(heartbeat: WorkerHeartbeat, processID: Int32, processStart: Int64?, isSilent: Bool) {
        self.heartbeat = heartbeat
        self.processID = processID
        self.processStart = processStart
        self.isSilent = isSilent
    }
}
