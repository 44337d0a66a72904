import SQLSupport
import Testing

@testable import PostgresStore

@Suite struct TokenBucketTests {
    private let start = ContinuousClock.now

    @Test func aBurstGoesAtOnceAndTheRestOneInEachInterval() {
        var pace = TokenBucket(every: .milliseconds(2), burst: 3, at: start)
        for _ in 0..<3 {
            #expect(pace.wait(at: start) == .zero)
            pace.note(at: start)
        }
        for turn in 1...5 {
            let now = start + .milliseconds(2 * turn)
            #expect(pace.wait(at: now - .milliseconds(1)) == .milliseconds(1))
            #expect(pace.wait(at: now) == .zero)
            pace.note(at: now)
        }
    }

    @Test func aPauseAllowsNoMoreThanOneBurst() {
        var pace = TokenBucket(every: .milliseconds(2), burst: 3, at: start)
        let later = start + .seconds(60)
        for _ in 0..<3 { pace.note(at: later) }
        #expect(pace.wait(at: later) == .milliseconds(2))
    }

    @Test func whatWentOutOfTurnDelaysTheNextByOneIntervalAtMost() {
        var pace = TokenBucket(every: .milliseconds(10), burst: 1, at: start)
        for _ in 0..<100 { pace.note(at: start) }
        #expect(pace.wait(at: start) == .milliseconds(10))
    }
}
