import SQLSupport

/// How often notices go out: so many one after the other, and one in each interval from then on.
struct TokenBucket {
    let interval: Duration
    let burst: Int
    /// When all that went out would have gone at one in each interval.
    private var paid: ContinuousClock.Instant

    /// - Parameters:
    ///   - interval: From one notice to the next, in the long run.
    ///   - burst: How many may go at once when there were none for a while; at least 1.
    ///   - now: From when on.
    init(every interval: Duration, burst: Int, at now: ContinuousClock.Instant) {
        self.interval = interval
        self.burst = burst
        paid = now
    }

    /// How long the next notice has to wait.
    func wait(at now: ContinuousClock.Instant) -> Duration { max(paid - interval * (burst - 1) - now, .zero) }

    /// A notice goes out; one that could not wait delays the next no longer than another would have.
    mutating func note(at now: ContinuousClock.Instant) {
        paid = min(max(paid, now) + interval, now + interval * burst)
    }
}
