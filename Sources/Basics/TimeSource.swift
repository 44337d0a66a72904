internal import Glibc

/// The clocks of a process and its sleep, as functions, so that a test can bring its own.
package struct TimeSource: Sendable {
    /// The time since a fixed point in the past; it only grows, so durations and pauses are measured by it.
    package var uptime: @Sendable () -> Duration
    /// Milliseconds since 1970-01-01T00:00:00Z by the machine's wall clock, which may be set at any time.
    package var wallMilliseconds: @Sendable () -> Int64
    /// Returns after the given time, earlier only by throwing on cancellation.
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        uptime: @escaping @Sendable () -> Duration, wallMilliseconds: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await ContinuousClock().sleep(for: $0) }
    ) {
        self.uptime = uptime
        self.wallMilliseconds = wallMilliseconds
        self.sleep = sleep
    }

    /// Whole seconds of `wallMilliseconds`.
    package var wallSeconds: Int64 { wallMilliseconds() / 1000 }

    /// The day in UTC.
    package var today: CalendarDate { CalendarDate(secondsSinceEpoch: wallSeconds) }

    /// The machine's own clocks.
    package static let system: TimeSource = {
        let start = ContinuousClock.now
        return TimeSource(uptime: { ContinuousClock.now - start }, wallMilliseconds: { WallClock.milliseconds() })
    }()
}

/// The machine's wall clock.
package enum WallClock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
