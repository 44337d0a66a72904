/// How many calls of one provider may be in flight: halves when the provider says "too many", grows by one for each
/// limit's worth of successes. Failures of the provider's own say nothing about our rate and change nothing.
struct AdaptiveLimit {
    private let highest: Double
    private var limit: Double
    private var lastShrink: Duration?
    private var blockedUntil: Duration?
    /// The pause after "too many" without a hint.
    private static let defaultPause: Duration = .seconds(1)

    init(highest: Int) {
        self.highest = Double(max(1, highest))
        limit = self.highest
    }

    var current: Int { max(1, Int(limit)) }

    /// How long the provider wants to be left alone; `nil` when it may be asked.
    func blocked(at now: Duration) -> Duration? {
        guard let blockedUntil, blockedUntil > now else { return nil }
        return blockedUntil - now
    }

    mutating func succeeded() { limit = min(highest, limit + 1 / limit) }

    /// Learns of a "too many". Calls that were under way when the limit shrank are answered in the same way; only a call
    /// begun (`start`) after that shrinks it again.
    mutating func wasRateLimited(callFrom start: Duration, at now: Duration, retryAfter: Duration?) {
        block(for: retryAfter ?? Self.defaultPause, at: now)
        if let lastShrink, start <= lastShrink { return }
        limit = max(1, limit / 2)
        lastShrink = now
    }

    /// Leaves the provider alone, as it asks.
    mutating func block(for pause: Duration, at now: Duration) {
        blockedUntil = max(blockedUntil ?? now, now + pause)
    }
}
