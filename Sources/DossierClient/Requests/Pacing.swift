/// The clock, the pauses and the dice of a client; tests set their own.
package struct Pacing: Sendable {
    /// The time since some fixed point, which runs on evenly.
    package var now: @Sendable () -> Duration
    /// Pauses; throws when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// 0 to 1.
    package var random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    private static let start = ContinuousClock.now

    package static let standard = Pacing(
        now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) },
        random: { .random(in: 0...1) })

    /// Runs the work, but not longer than the limit.
    func limited<Value: Sendable>(
        to limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: work)
            group.addTask {
                try await sleep(limit)
                throw DossierError(.timedOut, message: "The call took longer than \(limit).")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
