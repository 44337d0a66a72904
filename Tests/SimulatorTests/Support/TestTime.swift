import Simulator
import Synchronization

/// A time that a test moves, for a simulator's limits and caches.
final class TestTime: Sendable {
    private let milliseconds = Mutex<Int64>(1_900_000_000_000)

    func advance(_ seconds: Double) { milliseconds.withLock { $0 += Int64(seconds * 1_000) } }

    var now: Int64 { milliseconds.withLock { $0 } }

    /// A configuration with this time and, unless it says otherwise, without pauses.
    func configuration(
        _ limits: String = "", isStrict: Bool = true, pacing: Pacing = Pacing(), latency: Latency? = nil,
        faults: [FaultRule] = [], sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) throws -> SimulatorConfiguration {
        SimulatorConfiguration(
            pacing: pacing, latency: latency,
            limits: limits.isEmpty ? ModelLimit.generous : try ModelLimit.list(limits), isStrict: isStrict,
            faults: faults, now: { [self] in now }, sleep: sleep)
    }
}

extension Harness {
    /// Runs a body with a simulator whose time the test moves.
    static func run(
        at time: TestTime, limits: String = "", isStrict: Bool = true, faults: [FaultRule] = [],
        _ body: (Harness) async throws -> Void
    ) async throws {
        try await run(try time.configuration(limits, isStrict: isStrict, faults: faults), body)
    }
}
