/// Waiting for a signal, but not for ever.
enum Deadline {
    enum Tick: Sendable { case signal, timeIsUp }

    /// The signals, and at the deadline one last tick.
    static func merging(_ signals: AsyncStream<Void>, until deadline: ContinuousClock.Instant) -> AsyncStream<Tick> {
        AsyncStream { continuation in
            let forwarding = Task {
                for await _ in signals { continuation.yield(.signal) }
                continuation.finish()
            }
            let timing = Task {
                if (try? await Task.sleep(until: deadline, clock: .continuous)) != nil { continuation.yield(.timeIsUp) }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                forwarding.cancel()
                timing.cancel()
            }
        }
    }
}
