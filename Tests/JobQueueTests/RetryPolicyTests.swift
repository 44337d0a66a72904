import JobQueue
import Testing

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

    @Test func theLastAttemptIsFollowedByNone() { #expect(pause(after: 4) == nil) }

    @Test func aFinalErrorIsNotTriedAgain() { #expect(pause(after: 1, isTransient: false) == nil) }

    @Test func aProvidersHintIsALowerBound() { #expect(pause(after: 1, retryAfter: .seconds(37)) == .seconds(37)) }

    @Test func aPauseBeyondTheDeadlineIsNotBegun() {
        #expect(pause(after: 1, retryAfter: .seconds(37), remaining: .seconds(30)) == nil)
    }
}
