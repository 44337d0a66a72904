import SQLSupport

/// When the waiting requests of a verb may go.
///
/// A caller that is alone never waits. Where several ask at once, their requests may wait a little for others, since a
/// statement and a commit for ten cost little more than for two. The pause ends early when nobody else is to be
/// expected: when as many wait as lately were on their way together.
struct BatchingPolicy {
    /// How long a verb may hold requests back, and for how many.
    struct Rule: Sendable {
        /// The longest that a request waits for others.
        var pause: Duration
        /// With so many, waiting longer would hardly pay.
        var enough: Int

        /// Everything goes at once.
        static let none = Rule(pause: .zero, enough: 1)
        /// A client waits for its answer.
        static let polls = Rule(pause: .milliseconds(5), enough: 16)
        static let submits = Rule(pause: .milliseconds(20), enough: 16)
        /// What running jobs write: hardly noticed beside a model's answer.
        static let running = Rule(pause: .milliseconds(50), enough: 64)
    }

    /// The share that the past keeps in what is expected, at each batch.
    private static let memory = 0.5

    let rule: Rule
    /// How many requests were on their way at once, lately.
    private var expected = 1.0

    init(_ rule: Rule) { self.rule = rule }

    /// A request came; so many are now on their way, waiting or running.
    mutating func note(arrivalOf present: Int) { expected = max(expected, Double(present)) }

    /// A batch goes; so many are on their way, its own among them.
    mutating func note(departureAmong present: Int) {
        expected = max(1, expected * Self.memory + Double(present) * (1 - Self.memory))
    }

    /// When requests may go of which the first came at this moment.
    func due(_ oldest: ContinuousClock.Instant, waiting: Int, present: Int) -> ContinuousClock.Instant {
        let isWorthIt = rule.pause > .zero && waiting < rule.enough && Double(present) < expected.rounded()
        return isWorthIt ? oldest + rule.pause : oldest
    }
}
