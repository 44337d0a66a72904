/// When the waiting requests of a verb may go.
///
/// A caller that is alone never waits. Where several ask at once, their requests may wait a little for others, since a
/// statement and a commit for ten cost little more than for two. The pause ends early when nobody else is to be
/// expected: when as many wait as lately were on their way together.
struct Gathering {
    /// For writes that come in great numbers: short beside a model's answer, long beside a commit.
    static let writes: Duration = .milliseconds(20)
    /// For polls.
    static let reads: Duration = .milliseconds(5)

    /// Requests for which waiting longer would hardly pay.
    private static let enough = 16
    /// The share that the past keeps in what is expected, at each batch.
    private static let memory = 0.5

    /// The longest that a request waits for others.
    let pause: Duration
    /// How many requests were on their way at once, lately.
    private var expected = 1.0

    init(pause: Duration) { self.pause = pause }

    /// A request came; so many are now on their way, waiting or running.
    mutating func note(arrivalOf present: Int) { expected = max(expected, Double(present)) }

    /// A batch goes; so many are on their way, its own among them.
    mutating func note(departureAmong present: Int) {
        expected = max(1, expected * Self.memory + Double(present) * (1 - Self.memory))
    }

    /// When requests may go of which the first came at this moment.
    func due(_ oldest: ContinuousClock.Instant, waiting: Int, present: Int) -> ContinuousClock.Instant {
        let isWorthIt = pause > .zero && waiting < Self.enough && Double(present) < expected.rounded()
        return isWorthIt ? oldest + pause : oldest
    }
}
