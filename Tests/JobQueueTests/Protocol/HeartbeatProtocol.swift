/// Heartbeats and the watcher: a worker counts up, a watcher counts its own readings without a change.
///
/// A tick is the interval of heartbeats. Within it each healthy worker writes its heartbeat once if it can, and then
/// the watcher reads the counters.
struct HeartbeatProtocol: StateMachine {
    enum Flaw: Sendable, Hashable {
        /// Heartbeats use the connections of the other statements.
        case heartbeatsBehindVerbs
        /// The watcher trusts its readings while its own heartbeats cannot be written.
        case watcherIgnoresItsOwnHeartbeat
    }

    struct State: Hashable, Sendable {
        /// Connections whose statements wait for the locked table.
        var blocked = 0
        var isTableLocked = false
        var isDatabaseAway = false
        /// A full disk: the database can be read and not written.
        var isReadOnly = false
        var isDead = false
        /// The watcher's readings in a row without a change.
        var silence = 0
        /// The ticks since the watcher wrote its own heartbeat, and since it read the counters.
        var ownSilence = 0
        var blindness = 0
        var isDeclaredDead = false
        var faultsLeft: Int
    }

    enum Action: Sendable, CustomStringConvertible {
        case tick, lockTable, unlockTable, verb, loseDatabase, databaseReturns, fillDisk, freeDisk, die

        var description: String {
            switch self {
            case .tick: "Three seconds pass."
            case .lockTable: "A table is locked, as CREATE INDEX does."
            case .unlockTable: "The table is free again."
            case .verb: "A statement of the worker waits for the table."
            case .loseDatabase: "The database is away."
            case .databaseReturns: "The database is back."
            case .fillDisk: "The database can be read and not written."
            case .freeDisk: "The database can be written again."
            case .die: "The worker dies."
            }
        }
    }

    /// The connections for statements other than heartbeats.
    var connections = 3
    var faults = 2
    var flaws: Set<Flaw> = []

    /// Four readings over twelve seconds.
    private static let readings = 4
    /// The watcher judges nobody after more than two ticks without a heartbeat of its own, and starts over after as
    /// long without a reading.
    private static let trust = 2

    var start: State { State(faultsLeft: faults) }

    func isDone(_ state: State) -> Bool { !state.isDead || state.isDeclaredDead }

    func brokenPromise(in state: State) -> ProtocolPromise? {
        state.isDeclaredDead && !state.isDead ? .heartbeats : nil
    }

    func steps(from state: State) -> [Step<Action, State>] {
        guard !state.isDeclaredDead else { return [] }
        var steps = [Step(action: Action.tick, state: ticking(state))]
        func add(_ action: Action, isFault: Bool = false, _ change: (inout State) -> Void) {
            var next = state
            change(&next)
            if isFault { next.faultsLeft -= 1 }
            steps.append(Step(action: action, state: next, isFault: isFault))
        }
        if state.isTableLocked {
            if state.blocked < connections, !state.isDead { add(.verb) { $0.blocked += 1 } }
            add(.unlockTable) {
                $0.isTableLocked = false
                $0.blocked = 0
            }
        }
        if state.isDatabaseAway { add(.databaseReturns) { $0.isDatabaseAway = false } }
        if state.isReadOnly { add(.freeDisk) { $0.isReadOnly = false } }
        guard state.faultsLeft > 0 else { return steps }
        if !state.isTableLocked { add(.lockTable, isFault: true) { $0.isTableLocked = true } }
        if !state.isDatabaseAway {
            add(.loseDatabase, isFault: true) {
                $0.isDatabaseAway = true
                $0.blocked = 0
            }
        }
        if !state.isReadOnly { add(.fillDisk, isFault: true) { $0.isReadOnly = true } }
        if !state.isDead { add(.die, isFault: true) { $0.isDead = true } }
        return steps
    }

    private func ticking(_ state: State) -> State {
        var next = state
        let isWritable = !state.isDatabaseAway && !state.isReadOnly
        let hasConnection = state.blocked < connections || !flaws.contains(.heartbeatsBehindVerbs)
        let hasBeaten = !state.isDead && isWritable && hasConnection
        // The watcher is another process, whose connections are free.
        next.ownSilence = isWritable ? 0 : min(state.ownSilence + 1, Self.trust + 1)
        if state.isDatabaseAway {
            next.blindness = min(state.blindness + 1, Self.trust + 1)
            if next.blindness > Self.trust { next.silence = 0 }
            return next
        }
        next.blindness = 0
        guard next.ownSilence <= Self.trust || flaws.contains(.watcherIgnoresItsOwnHeartbeat) else {
            next.silence = 0
            return next
        }
        next.silence = hasBeaten ? 0 : state.silence + 1
        next.isDeclaredDead = next.silence == Self.readings
        return next
    }
}
