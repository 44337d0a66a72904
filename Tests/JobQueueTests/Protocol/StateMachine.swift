/// A protocol as a machine: the actions that are possible in a state, each with the state after it.
///
/// The actions of one state are alternatives, so a search over them sees every order of the processes' steps.
protocol StateMachine: Sendable {
    associatedtype State: Hashable, Sendable
    associatedtype Action: CustomStringConvertible, Sendable

    var start: State { get }

    /// Every possible action with its result. The function is pure: equal states have equal actions.
    func steps(from state: State) -> [Step<Action, State>]

    /// The promise that a state breaks, as far as one state shows it.
    func brokenPromise(in state: State) -> ProtocolPromise?

    /// Whether all work is done; from every reachable state such a state must be reachable without further faults.
    func isDone(_ state: State) -> Bool

    /// The same for all states that differ only in the names of equal things.
    func canonical(_ state: State) -> State
}

extension StateMachine {
    func canonical(_ state: State) -> State { state }
}

struct Step<Action: Sendable, State: Sendable>: Sendable {
    var action: Action
    var state: State
    /// Whether the environment did it: a loss, a death, a refusal. Progress must not need one.
    var isFault = false
}

/// The promises of the protocol, each checked by its model in all reachable states.
enum ProtocolPromise: String, Sendable, CaseIterable {
    case oneResult = "a job has one result, of one worker"
    case settledOnce = "a credit is settled once, and with the result"
    case holdersWrite = "only the worker that holds a job's lease writes to the job"
    case passingReasons = "no job fails for a reason that passes"
    case progress = "from every state, without further faults, every job can be completed"
    case fairTurns = "a user with ready jobs is overtaken a bounded number of times"
    case noEarlyExpiry = "no job expires before its time is over"
    case expiry = "a job whose time is over expires"
    case heartbeats = "a heartbeat waits for no verb, and no healthy worker is declared dead"
}
