internal import FoundationEssentials

/// The two clocks that model calls need, as functions so that tests can turn them.
package struct ModelClock: Sendable {
    /// A reading that only grows, for durations and pauses.
    package var uptime: @Sendable () -> Duration
    /// Seconds since 1970, for prices that change and for dates in headers.
    package var wallSeconds: @Sendable () -> Int64

    package init(uptime: @escaping @Sendable () -> Duration, wallSeconds: @escaping @Sendable () -> Int64) {
        self.uptime = uptime
        self.wallSeconds = wallSeconds
    }

    /// The machine's own clocks.
    package static let system: ModelClock = {
        let start = ContinuousClock.now
        return ModelClock(
            uptime: { ContinuousClock.now - start }, wallSeconds: { Int64(Date().timeIntervalSince1970) })
    }()

    var today: CalendarDay { CalendarDay(secondsSince1970: wallSeconds()) }
}
