/// The monotonic clock and the sleep that pacing and caching use; tests bring their own.
package struct Timekeeper: Sendable {
    /// The time since some fixed moment; never goes backwards.
    package let now: @Sendable () -> Duration
    /// Returns after the given time, earlier only by throwing on cancellation.
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's monotonic clock.
    package static let continuous: Timekeeper = {
        let origin = ContinuousClock.now
        return Timekeeper(
            now: { origin.duration(to: .now) },
            sleep: { try await ContinuousClock().sleep(for: $0) })
    }()
}
