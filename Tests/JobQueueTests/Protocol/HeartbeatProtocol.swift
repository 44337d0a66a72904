import JobQueue

/// Heartbeats and the time of the fleet, by which the database measures how long a worker was not heard.
///
/// `FleetClock` is the product's own. In each second a healthy worker writes its heartbeat, and another
/// process observes the fleet, each of them where it reaches the database.
struct HeartbeatProtocol: StateMachine {
    enum Flaw: Sendable, Hashable {
        /// Heartbeats use the connections of the other statements.
        case heartbeatsBehindVerbs
        /// The time in which nobody could observe the fleet counts in full.
        case gapsCount
    }

    struct State: Hashable, Sendable {
        /// Connections whose statements wait for the locked table.
        var blocked = 0
        var isTableLocked = false
        /// A server that is down, or a full disk: nobody can write.
        var isDatabaseAway = false
        var isDead = false
        /// Milliseconds before the present value of the fleet's time.
        var heard = 0
        var resumed = 0
        /// The seconds since the last observation.
        var unobserved = 0
        var isDeclaredDead = false
        var faultsLeft: Int
    }

    enum Action: Sendable, CustomStringConvertible {
        case secondPasses, lockTable, unlockTable, verb, loseDatabase, databaseReturns, die

        var description: String {
            switch self {
            case .secondPasses: "A second passes."
            case .lockTable: "A table is locked, as CREATE INDEX does."
            case .unlockTable: "The table is free again."
            case .verb: "A statement of the worker waits for the table."
            case .loseDatabase: "The database is away."
            case .databaseReturns: "The database is back."
            case .die: "The worker dies."
            }
        }
    }

    /// The connections for statements other than heartbeats.
    var connections = 3
    var faults = 2
    var flaws: Set<Flaw> = []

    private static let longest = Int(FleetClock.silence.wholeMilliseconds)

    var start: State { State(faultsLeft: faults) }

    func isDone(_ state: State) -> Bool { !state.isDead || state.isDeclaredDead }

    func brokenPromise(in state: State) -> ProtocolPromise? {
        state.isDeclaredDead && !state.isDead ? .heartbeats : nil
    }

    func steps(from state: State) -> [Step<Action, State>] {
        guard !state.isDeclaredDead else { return [] }
        var steps = [Step(action: Action.secondPasses, state: afterASecond(state))]
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
        guard state.faultsLeft > 0 else { return steps }
        if !state.isTableLocked { add(.lockTable, isFault: true) { $0.isTableLocked = true } }
        if !state.isDatabaseAway {
            add(.loseDatabase, isFault: true) {
                $0.isDatabaseAway = true
                $0.blocked = 0
            }
        }
        if !state.isDead { add(.die, isFault: true) { $0.isDead = true } }
        return steps
    }

    private func afterASecond(_ state: State) -> State {
        var next = state
        next.unobserved = min(state.unobserved + 1, 20)
        guard !state.isDatabaseAway else { return next }
        var clock = FleetClock(
            observedAt: Timestamp(milliseconds: 0), elapsed: 0, resumedAt: Int64(-state.resumed), turnAt: 0)
        let now = Timestamp(milliseconds: Int64(next.unobserved * 1000))
        if flaws.contains(.gapsCount) {
            clock.elapsed += now.milliseconds
        } else {
            clock.advance(to: now)
        }
        next.unobserved = 0
        let elapsed = Int(clock.elapsed)
        let hasConnection = state.blocked < connections || !flaws.contains(.heartbeatsBehindVerbs)
        // The observer comes first, which is the worse order for the worker.
        next.isDeclaredDead = clock.silence(since: Int64(-state.heard)) >= FleetClock.silence
        next.resumed = min(elapsed - Int(clock.resumedAt), Self.longest)
        next.heard = !state.isDead && hasConnection ? 0 : min(state.heard + elapsed, Self.longest)
        return next
    }
}
