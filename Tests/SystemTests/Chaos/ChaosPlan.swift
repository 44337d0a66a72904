import TestSupport

/// The requests to a fleet and the faults meanwhile: a pure function of a seed, so that a run can be repeated.
struct ChaosPlan: Sendable {
    /// The shape of the fleet that a plan is drawn for.
    struct Shape: Sendable {
        var workers = 3
        var brokers = 2
        /// The requests of users of their own, and those of one user who wants much at once.
        var requests = 26
        var batch = 20
        /// Milliseconds in which things go wrong.
        var window = 16_000
        var faults: Set<ChaosFault>
    }

    struct Event: Sendable, Hashable {
        /// Milliseconds from the start.
        var at: Int
        var action: ChaosAction
    }

    let seed: UInt64
    let shape: Shape
    /// In the order of their times. Every fault is undone again.
    let events: [Event]
    /// The requests of clients, numbered from 1.
    let requests: [ChaosRequest]

    /// The number of processes that die, or that are stopped for so long that they may count as dead.
    var deaths: Int {
        events.count { event in
            switch event.action {
            case .kill, .stop, .holdNetwork, .cutNetwork: true
            default: false
            }
        }
    }

    init(seed: UInt64, shape: Shape) {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        self.shape = shape
        let single = (1...shape.requests).map { ChaosRequest(user: $0, window: shape.window, using: &random) }
        let rush = Int.random(in: 0..<shape.window / 2, using: &random)
        let many = (1...shape.batch).map { ChaosRequest(inBatch: shape.requests + $0, from: rush, using: &random) }
        requests = single + many
        var schedule = ChaosSchedule(shape: shape)
        schedule.fill(using: &random)
        events = schedule.events.sorted { ($0.at, $0.action) < ($1.at, $1.action) }
    }
}

extension ChaosPlan: CustomStringConvertible {
    var description: String {
        func line(_ at: Int, _ text: String) -> String {
            let seconds = "\(at / 1000).\(String(at % 1000 + 1000).dropFirst())"
            return String(repeating: " ", count: max(0, 8 - seconds.count)) + seconds + " s  " + text
        }
        let asked = requests.map { (at: $0.at, text: "\($0)") }
        let wrong = events.map { (at: $0.at, text: "\($0.action)") }
        return (asked + wrong).sorted { ($0.at, $0.text) < ($1.at, $1.text) }.map { line($0.at, $0.text) }
            .joined(separator: "\n")
    }
}
