/// The deadline of a job while the clock of the database's server is set forward, back, and right again.
///
/// A process judges deadlines by the server's clock, guarded by its own monotonic one as `ClockGuard` does it: after a
/// forward step it goes on by the time that it expected, until the stepped clock has gone on evenly for some time.
/// Times are seconds. A step is taken back before it is believed; one that lasts longer is the new time.
struct DeadlineProtocol: StateMachine {
    enum Flaw: Sendable, Hashable {
        /// Deadlines are judged by the server's clock alone.
        case clockNotGuarded
    }

    struct State: Hashable, Sendable {
        /// The age of the job in right time; `nil` before its submit.
        var age: Int?
        /// The error of the server's clock at the submit, and now.
        var offsetAtSubmit = 0
        var offset = 0
        /// The seconds since the clock was right at a reading.
        var sinceStep = 0
        /// The error of the time that the process expects.
        var expected = 0
        /// The error that it saw after a step, and the seconds for which it has stayed.
        var stepped: Int?
        var secondsAtOffset = 0
        var hasExpired = false
        var faultsLeft: Int
    }

    enum Action: Sendable, CustomStringConvertible {
        case submit, secondPasses, look, set(Int), restart

        var description: String {
            switch self {
            case .submit: "A job is submitted."
            case .secondPasses: "A second passes."
            case .look: "A second passes, and the job expires."
            case .set(0): "The server's clock is set right."
            case .set(let offset):
                "The server's clock is set \(offset > 0 ? "forward" : "back") by \(abs(offset)) s."
            case .restart: "The process that looks for deadlines is started again."
            }
        }
    }

    /// The time that the job has.
    var deadline = 3
    /// The size of a step, which is more than the job has.
    var step = 5
    /// The seconds after which a stepped clock is believed.
    var quarantine = 6
    var directions = [1]
    /// Whether the looking process may be replaced by one that knows the time from its own machine alone.
    var restarts = true
    var faults = 3
    var flaws: Set<Flaw> = []

    var start: State { State(faultsLeft: faults) }

    func isDone(_ state: State) -> Bool { state.hasExpired }

    func brokenPromise(in state: State) -> ProtocolPromise? {
        if let age = state.age, state.hasExpired, age < deadline { .noEarlyExpiry } else { nil }
    }

    func steps(from state: State) -> [Step<Action, State>] {
        guard !state.hasExpired else { return [] }
        var steps: [Step<Action, State>] = []
        if state.age == nil {
            var next = state
            next.age = 0
            next.offsetAtSubmit = state.offset
            steps.append(Step(action: .submit, state: next))
        }
        if state.offset != 0 {
            var next = state
            next.offset = 0
            steps.append(Step(action: .set(0), state: next))
        }
        // A clock that stays wrong for longer is believed.
        if state.offset == 0 || state.sinceStep + 1 < quarantine {
            let next = afterASecond(state)
            steps.append(Step(action: next.hasExpired ? .look : .secondPasses, state: next))
        }
        guard state.faultsLeft > 0 else { return steps }
        if state.offset == 0 {
            for direction in directions {
                var next = state
                next.offset = direction * step
                next.faultsLeft -= 1
                steps.append(Step(action: .set(next.offset), state: next, isFault: true))
            }
        }
        if restarts {
            var next = state
            (next.expected, next.stepped, next.secondsAtOffset) = (0, nil, 0)
            next.faultsLeft -= 1
            steps.append(Step(action: .restart, state: next, isFault: true))
        }
        return steps
    }

    private func afterASecond(_ state: State) -> State {
        var next = state
        if let age = state.age { next.age = min(age + 1, deadline + step + 2 * quarantine) }
        next.sinceStep = state.offset == 0 ? 0 : state.sinceStep + 1
        // The statement judges by what the last reading taught; its own reading counts from the next one on.
        if let age = next.age {
            let limit = deadline + state.offsetAtSubmit
            let isPast = age + state.offset >= limit
            let isExpectedPast = age + state.expected >= limit || flaws.contains(.clockNotGuarded)
            next.hasExpired = isPast && isExpectedPast
        }
        observe(&next)
        return next
    }

    private func observe(_ state: inout State) {
        guard state.offset > state.expected else {
            (state.expected, state.stepped, state.secondsAtOffset) = (state.offset, nil, 0)
            return
        }
        if state.stepped == state.offset {
            state.secondsAtOffset += 1
            if state.secondsAtOffset >= quarantine {
                (state.expected, state.stepped, state.secondsAtOffset) = (state.offset, nil, 0)
            }
        } else {
            (state.stepped, state.secondsAtOffset) = (state.offset, 0)
        }
    }
}
