import TestSupport

/// Searches the reachable states of a machine, nearest first, so that the first trace to a broken promise is a shortest
/// one.
struct StateSearch<Machine: StateMachine> {
    typealias State = Machine.State

    let machine: Machine
    /// A search that reaches more states than this one gives up.
    var limit = 2_000_000

    struct Violation: Sendable, CustomStringConvertible {
        var promise: ProtocolPromise
        /// The actions from the start, in plain English.
        var trace: [String]

        var description: String {
            let lines = trace.enumerated().map { number, action in
                String(repeating: " ", count: number < 9 ? 2 : 1) + "\(number + 1). \(action)"
            }
            return (["Broken: \(promise.rawValue)."] + lines).joined(separator: "\n")
        }
    }

    struct Outcome: Sendable {
        var violation: Violation?
        var states: Int
        /// The number of actions to the farthest state.
        var depth: Int
        /// Whether every reachable state was seen.
        var isComplete: Bool
    }

    /// Looks in all reachable states for one that breaks a promise, then for one from which nothing leads to the end.
    func run(for promises: Set<ProtocolPromise> = Set(ProtocolPromise.allCases)) -> Outcome {
        var seen = Seen(machine.canonical(machine.start))
        var number = 0
        while number < seen.states.count {
            guard seen.states.count <= limit else { return outcome(seen, isComplete: false) }
            let state = seen.states[number]
            if let promise = machine.brokenPromise(in: state), promises.contains(promise) {
                return outcome(seen, Violation(promise: promise, trace: trace(to: number, in: seen)), isComplete: false)
            }
            for step in machine.steps(from: state) {
                let next = seen.number(of: machine.canonical(step.state), from: number)
                if !step.isFault { seen.fairEdges.append((number, next)) }
            }
            number += 1
        }
        if promises.contains(.progress), let stuck = firstStuck(seen) {
            var actions = trace(to: stuck, in: seen)
            actions += restOfRun(from: seen.states[stuck])
            actions.append("From here on nothing that happens leads to the end.")
            return outcome(seen, Violation(promise: .progress, trace: actions), isComplete: true)
        }
        return outcome(seen, isComplete: true)
    }

    /// The states that were reached, in the order of their distance from the start.
    private struct Seen {
        var states: [State]
        var numbers: [State: Int]
        /// The state from which each one was reached first.
        var parents = [-1]
        var depths = [0]
        var fairEdges: [(from: Int, to: Int)] = []

        init(_ start: State) {
            states = [start]
            numbers = [start: 0]
        }

        mutating func number(of state: State, from parent: Int) -> Int {
            if let number = numbers[state] { return number }
            let number = states.count
            numbers[state] = number
            states.append(state)
            parents.append(parent)
            depths.append(depths[parent] + 1)
            return number
        }
    }

    private func outcome(_ seen: Seen, _ violation: Violation? = nil, isComplete: Bool) -> Outcome {
        Outcome(violation: violation, states: seen.states.count, depth: seen.depths.last ?? 0, isComplete: isComplete)
    }

    /// The nearest state from which no fair action leads towards a state in which everything is done.
    ///
    /// A fair scheduler that chooses at random finishes everything with probability 1 when there is none.
    private func firstStuck(_ seen: Seen) -> Int? {
        var ends = [Int](repeating: 0, count: seen.states.count + 1)
        for edge in seen.fairEdges { ends[edge.to + 1] += 1 }
        for place in 1..<ends.count { ends[place] += ends[place - 1] }
        var next = ends
        var sources = [Int](repeating: 0, count: seen.fairEdges.count)
        for edge in seen.fairEdges {
            sources[next[edge.to]] = edge.from
            next[edge.to] += 1
        }
        var canFinish = seen.states.map(machine.isDone)
        var open = canFinish.indices.filter { canFinish[$0] }
        while let state = open.popLast() {
            for place in ends[state]..<ends[state + 1] where !canFinish[sources[place]] {
                canFinish[sources[place]] = true
                open.append(sources[place])
            }
        }
        return canFinish.firstIndex(of: false)
    }

    /// The actions to a state. They are found again from the start, so that equal things keep their names.
    private func trace(to number: Int, in seen: Seen) -> [String] {
        var path: [State] = []
        var place = number
        while place > 0 {
            path.append(seen.states[place])
            place = seen.parents[place]
        }
        var state = machine.start
        var actions: [String] = []
        for goal in path.reversed() {
            guard let step = machine.steps(from: state).first(where: { machine.canonical($0.state) == goal }) else {
                break
            }
            actions.append((step.isFault ? "Fault: " : "") + step.action.description)
            state = step.state
        }
        return actions
    }

    /// Fair actions from a state until all that follow were seen: a trace that ends with much in flight says little.
    private func restOfRun(from state: State) -> [String] {
        var state = state
        var seen: Set<State> = [machine.canonical(state)]
        var actions: [String] = []
        while let step = machine.steps(from: state).first(where: {
            !$0.isFault && seen.insert(machine.canonical($0.state)).inserted
        }) {
            actions.append(step.action.description)
            state = step.state
        }
        return actions
    }

    // MARK: Random walks

    /// Walks at random from the start, for machines that are too large to search. After `length` actions no more faults
    /// happen, and the walk must come to the end.
    func walk(_ walks: Int, length: Int, seed: UInt64) -> Violation? {
        for walk in 0..<UInt64(walks) {
            var random = SeededRandom(seed: seed &+ walk)
            var state = machine.start
            var actions = ["Walk \(seed &+ walk):"]
            // A fair scheduler that chooses at random is expected to need far fewer actions.
            let limit = length + 5000
            for count in 0..<limit where count < length || !machine.isDone(state) {
                let steps = machine.steps(from: state).filter { count < length || !$0.isFault }
                guard let step = steps.randomElement(using: &random) else { break }
                actions.append((step.isFault ? "Fault: " : "") + step.action.description)
                state = step.state
                if let promise = machine.brokenPromise(in: state) { return Violation(promise: promise, trace: actions) }
            }
            if !machine.isDone(state) { return Violation(promise: .progress, trace: actions) }
        }
        return nil
    }
}
