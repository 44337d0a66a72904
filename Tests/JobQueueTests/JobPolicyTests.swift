import JobQueue
import Testing

/// The fleet's time, by which the silence of workers is measured.
@Suite struct FleetClockTests {
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)

    /// The silence at the last of these times, in seconds, of a worker that was heard at the first.
    private func silence(observedAt times: [Int]) -> Duration {
        var clock = FleetClock(observedAt: Self.start, elapsed: 0, resumedAt: 0, turnAt: 0)
        var heardAt: Int64?
        for second in times {
            clock.advance(to: Self.start + .seconds(second))
            if heardAt == nil { heardAt = clock.elapsed }
        }
        return clock.silence(since: heardAt ?? 0)
    }

    @Test func theTimeOfManyShortLivedObserversAddsUp() {
        #expect(silence(observedAt: Array(1...13)) == .seconds(12))
    }

    @Test func aGapBetweenObservationsGivesAllWorkersTheWholeTimeAgain() {
        #expect(silence(observedAt: [1, 2, 3, 4, 60]) == .zero)
        #expect(silence(observedAt: [1, 2, 3, 4, 60, 61, 63]) == .seconds(3))
    }

    @Test func aClockThatJumpsMakesNoWorkerSilent() {
        #expect(silence(observedAt: [1, 2, 3, 7200, 7201]) == .seconds(1))
        #expect(silence(observedAt: [7200, 7201, 1, 2]) == .seconds(1))
    }

    @Test func observersOfHalfASecondShareALookAtAllWorkers() {
        var stored = FleetClock(observedAt: Self.start, elapsed: 0, resumedAt: 0, turnAt: 0)
        let looks = (1...50).count { place in
            var clock = stored
            guard clock.advance(to: Self.start + .milliseconds(100 * place)) else { return false }
            stored = clock
            return true
        }
        #expect(looks == 10)
        #expect(stored.elapsed == 5000)
    }

    @Test func oneWorkerASecondHasTheTurn() {
        var clock = FleetClock(observedAt: Self.start, elapsed: 0, resumedAt: 0, turnAt: 0)
        let turns = (1...50).count { place in
            clock.advance(to: Self.start + .milliseconds(100 * place))
            return clock.takeTurn()
        }
        #expect(turns == 5)
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
