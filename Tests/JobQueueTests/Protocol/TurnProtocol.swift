/// The order of claims in one queue: positions of ready jobs, the position that the queue has reached, and jobs that
/// come back after a failure, a postponement or a pause.
///
/// Positions count from the one that the queue has reached, so that a state does not grow with time. Users whose jobs
/// have equal positions are served in any order.
struct TurnProtocol: StateMachine {
    enum Flaw: Sendable, Hashable {
        /// A job that comes back enters where the queue is, and takes no turn of its user.
        case returnsTakeNoTurn
        /// The position of a cancelled job stays empty.
        case cancelledTurnsStayEmpty
    }

    struct User: Hashable, Sendable {
        /// The number of ready jobs at each position, three bits each.
        var ready = 0
        /// One more than the user's last position; 0 when the queue has passed it.
        var next = 0
        var submitsLeft: Int
        var running = 0
        /// Jobs that come back when their pause is over.
        var paused = 0
        /// The starts of other users since the user's last one, while the user had ready jobs.
        var overtaken = 0
    }

    struct State: Hashable, Sendable {
        var users: [User]
        var returnsLeft: Int
    }

    enum Action: Sendable, CustomStringConvertible {
        case submit(user: Int), start(user: Int), finish(user: Int), postpone(user: Int), comeBack(user: Int)
        case cancel(user: Int)

        var description: String {
            switch self {
            case .submit(let user): "User \(user + 1) submits a job."
            case .start(let user): "A job of user \(user + 1) is claimed."
            case .finish(let user): "A job of user \(user + 1) ends."
            case .postpone(let user): "A job of user \(user + 1) is postponed."
            case .cancel(let user): "User \(user + 1) cancels a ready job."
            case .comeBack(let user): "A postponed job of user \(user + 1) comes back."
            }
        }
    }

    /// The number of jobs of each user.
    var submits = [4, 2]
    /// The number of jobs that run at once.
    var slots = 2
    /// The number of postponements and cancels.
    var returns = 4
    /// Whether users cancel ready jobs.
    var cancels = false
    var flaws: Set<Flaw> = []

    /// Between two starts of a user with ready jobs, no other user starts more: each has one job at a position, and the
    /// user's next one has the same position or the one after it.
    static let bound = 2
    private static let positions = 20

    var start: State { State(users: submits.map { User(submitsLeft: $0) }, returnsLeft: returns) }

    func isDone(_ state: State) -> Bool {
        state.users.allSatisfy { $0.ready == 0 && $0.submitsLeft == 0 && $0.running == 0 && $0.paused == 0 }
    }

    func brokenPromise(in state: State) -> ProtocolPromise? {
        state.users.contains { $0.overtaken > Self.bound * (state.users.count - 1) } ? .fairTurns : nil
    }

    func steps(from state: State) -> [Step<Action, State>] {
        var steps: [Step<Action, State>] = []
        let first = state.users.compactMap { Self.first($0.ready) }.min()
        let running = state.users.reduce(0) { $0 + $1.running }
        for (number, user) in state.users.enumerated() {
            if user.submitsLeft > 0 {
                var next = state
                next.users[number].submitsLeft -= 1
                enter(&next.users[number], isReturning: false)
                steps.append(Step(action: .submit(user: number), state: next))
            }
            if running < slots, let first, Self.first(user.ready) == first {
                steps.append(Step(action: .start(user: number), state: starting(number, at: first, state)))
            }
            if user.running > 0 {
                var next = state
                next.users[number].running -= 1
                steps.append(Step(action: .finish(user: number), state: next))
                if state.returnsLeft > 0 {
                    next.users[number].paused += 1
                    next.returnsLeft -= 1
                    steps.append(Step(action: .postpone(user: number), state: next, isFault: true))
                }
            }
            if cancels, state.returnsLeft > 0 {
                for place in 0...Self.positions where Self.count(at: place, user.ready) > 0 {
                    var next = state
                    cancel(at: place, &next.users[number])
                    next.returnsLeft -= 1
                    steps.append(Step(action: .cancel(user: number), state: next, isFault: true))
                }
            }
            if user.paused > 0 {
                var next = state
                next.users[number].paused -= 1
                enter(&next.users[number], isReturning: true)
                steps.append(Step(action: .comeBack(user: number), state: next))
            }
        }
        return steps
    }

    private func enter(_ user: inout User, isReturning: Bool) {
        if isReturning, flaws.contains(.returnsTakeNoTurn) {
            user.ready += 1
        } else {
            user.ready += 1 << (3 * min(user.next, Self.positions))
            user.next += 1
        }
    }

    /// The user's last job moves to the position of the cancelled one. A user without ready jobs waits for nothing.
    private func cancel(at place: Int, _ user: inout User) {
        if flaws.contains(.cancelledTurnsStayEmpty) {
            user.ready -= 1 << (3 * place)
        } else if let last = (place...Self.positions).last(where: { Self.count(at: $0, user.ready) > 0 }) {
            user.ready -= 1 << (3 * last)
            user.next = max(0, user.next - 1)
        }
        if user.ready == 0 { user.overtaken = 0 }
    }

    /// The queue has reached the position of the job that starts.
    private func starting(_ number: Int, at position: Int, _ state: State) -> State {
        var state = state
        state.users[number].ready -= 1 << (3 * position)
        state.users[number].running += 1
        for other in state.users.indices {
            state.users[other].ready >>= 3 * position
            state.users[other].next = max(0, state.users[other].next - position)
            let isWaiting = other != number && state.users[other].ready != 0
            state.users[other].overtaken = isWaiting ? state.users[other].overtaken + 1 : 0
        }
        return state
    }

    private static func count(at place: Int, _ ready: Int) -> Int { (ready >> (3 * place)) & 7 }

    /// The first position with a job.
    private static func first(_ ready: Int) -> Int? { ready == 0 ? nil : ready.trailingZeroBitCount / 3 }
}
