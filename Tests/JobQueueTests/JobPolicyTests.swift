import JobQueue
import Testing

@Suite struct LivenessMonitorTests {
    private let worker = WorkerID(rawValue: "w")

    private func observe(_ readings: [(seconds: Int, count: Int64)]) -> [Int] {
        var monitor = LivenessMonitor()
        return readings.compactMap { seconds, count in
            monitor.observe([WorkerHeartbeat(worker: worker, count: count)], at: .seconds(seconds)).isEmpty
                ? nil : seconds
        }
    }

    @Test func aSilentWorkerIsDeadAfterTwelveSecondsAndNotBefore() {
        #expect(observe([(0, 7), (3, 7), (6, 7), (9, 7), (11, 7), (12, 7)]) == [12])
    }

    @Test func aHeartbeatRestartsTheWindow() {
        #expect(observe([(0, 7), (3, 7), (6, 7), (9, 8), (12, 8), (15, 8), (18, 8), (21, 8)]) == [21])
    }

    @Test func anObserverThatWasSuspendedStartsOver() {
        #expect(observe([(0, 7), (3, 7), (30, 7), (33, 7), (36, 7), (39, 7), (42, 7)]) == [42])
    }

    /// Reads succeed and writes fail, so no counter moves.
    @Test func anObserverWithoutHeartbeatsDeclaresNoWorkerDead() {
        var monitor = LivenessMonitor()
        let beats = [WorkerHeartbeat(worker: worker, count: 1)]
        for second in stride(from: 0, through: 30, by: 3) {
            #expect(monitor.observe(beats, at: .seconds(second), isHeard: second < 9).isEmpty, "after \(second) s")
        }
        // After its own heartbeat succeeds again, the other workers have the whole window.
        for second in [33, 36, 39, 42] { #expect(monitor.observe(beats, at: .seconds(second)).isEmpty) }
        #expect(monitor.observe(beats, at: .seconds(45)) == beats)
    }

    @Test func aDeregisteredWorkerIsForgotten() {
        var monitor = LivenessMonitor()
        for second in [0, 4, 8] {
            _ = monitor.observe([WorkerHeartbeat(worker: worker, count: 1)], at: .seconds(second))
        }
        #expect(monitor.observe([], at: .seconds(12)).isEmpty)
        #expect(monitor.observe([WorkerHeartbeat(worker: worker, count: 1)], at: .seconds(13)).isEmpty)
    }
}

@Suite struct RetryPolicyTests {
    private let policy = RetryPolicy(attempts: 4, initialPause: .seconds(1), longestPause: .seconds(3))
    private let remaining: Duration = .seconds(100)

    private func pause(
        after attempt: Int, retryAfter: Duration? = nil, isTransient: Bool = true, remaining: Duration = .seconds(100)
    ) -> Duration? {
        var generator = SystemRandomNumberGenerator()
        let next = policy.next(
            afterAttempt: attempt, isTransient: isTransient, retryAfter: retryAfter, remaining: remaining,
            using: &generator)
        if case .retry(let pause) = next { return pause }
        return nil
    }

    @Test(arguments: [(1, 1.0), (2, 2.0), (3, 3.0)])
    func pausesDoubleWithJitterUpToTheLongest(attempt: Int, full: Double) throws {
        for _ in 0..<50 {
            let drawn = try #require(pause(after: attempt))
            #expect(drawn >= .seconds(full / 2) && drawn <= .seconds(full))
        }
    }

    @Test func theLastAttemptIsNotRepeated() { #expect(pause(after: 4) == nil) }

    @Test func aPermanentErrorIsNotRetried() { #expect(pause(after: 1, isTransient: false) == nil) }

    @Test func aProvidersHintIsALowerBound() { #expect(pause(after: 1, retryAfter: .seconds(37)) == .seconds(37)) }

    @Test func aPauseBeyondTheDeadlineIsAFailure() {
        #expect(pause(after: 1, retryAfter: .seconds(37), remaining: .seconds(30)) == nil)
    }
}

@Suite struct JobIDTests {
    @Test func anIDIsAVersionSevenUUIDWithItsTime() throws {
        var generator = SystemRandomNumberGenerator()
        let id = JobID(at: Timestamp(milliseconds: 0x0190_1234_5678), using: &generator)
        let text = id.description
        #expect(text.hasPrefix("01901234-5678-7"))
        #expect("89ab".contains(text[text.index(text.startIndex, offsetBy: 19)]))
        #expect(JobID(text) == id)
        #expect(JobID(text.uppercased()) == id)
        #expect(id.createdAt.milliseconds == 0x0190_1234_5678)
    }

    @Test func laterIDsSortAfterEarlierOnes() {
        var generator = SystemRandomNumberGenerator()
        let ids = (0..<100).map { JobID(at: Timestamp(milliseconds: 1000 + $0), using: &generator) }
        #expect(ids == ids.sorted())
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
    }

    @Test(arguments: ["", "x", "0190123456787abc8def0123456789ab", "01901234-5678-7abc-8def-0123456789ag"])
    func whatIsNoUUIDIsRefused(text: String) { #expect(JobID(text) == nil) }
}
