/// What is asked of a fleet and what goes wrong meanwhile: a pure function of a seed, so that a run can be had again.
struct ChaosPlan: Sendable {
    /// What a plan is drawn for.
    struct Shape: Sendable {
        var workers = 3
        var brokers = 2
        var orders = 24
        /// Milliseconds in which things go wrong. A death is noticed after 9 s at the earliest, so
        /// within 17 s no job loses three workers, which could make it count as poison.
        var window = 16_000
        var troubles: Set<ChaosTrouble>
    }

    struct Event: Sendable, Hashable {
        /// Milliseconds from the start.
        var at: Int
        var action: ChaosAction
    }

    let seed: UInt64
    let shape: Shape
    /// In the order in which they happen. Whatever goes wrong is put right again.
    let events: [Event]
    /// What clients want; each comes from a user of its own, numbered from 1.
    let orders: [ChaosOrder]

    init(seed: UInt64, shape: Shape) {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        self.shape = shape
        orders = (1...shape.orders).map { ChaosOrder(user: $0, window: shape.window, using: &random) }
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
        let asked = orders.map { (at: $0.at, text: "\($0)") }
        let wrong = events.map { (at: $0.at, text: "\($0.action)") }
        return (asked + wrong).sorted { ($0.at, $0.text) < ($1.at, $1.text) }.map { line($0.at, $0.text) }
            .joined(separator: "\n")
    }
}
