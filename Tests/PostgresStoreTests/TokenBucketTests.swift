import SQLSupport
import Testing

@testable import PostgresStore

@Suite struct TokenBucketTests {
    private let start = ContinuousClock.now

    @Test func aBurstIsSentAtOnceAndThenOneNoticeInEachInterval() {
        var bucket = TokenBucket(every: .milliseconds(2), burst: 3, at: start)
        for _ in 0..<3 {
            #expect(bucket.wait(at: start) == .zero)
            bucket.take(at: start)
        }
        for count in 1...5 {
            let now = start + .milliseconds(2 * count)
            #expect(bucket.wait(at: now - .milliseconds(1)) == .milliseconds(1))
            #expect(bucket.wait(at: now) == .zero)
            bucket.take(at: now)
        }
    }

    @Test func aQuietTimeAllowsNoMoreThanOneBurst() {
        var bucket = TokenBucket(every: .milliseconds(2), burst: 3, at: start)
        let later = start + .seconds(60)
        for _ in 0..<3 { bucket.take(at: later) }
        #expect(bucket.wait(at: later) == .milliseconds(2))
    }

    @Test func noticesSentTooEarlyDelayTheNextByOneIntervalAtMost() {
        var bucket = TokenBucket(every: .milliseconds(10), burst: 1, at: start)
        for _ in 0..<100 { bucket.take(at: start) }
        #expect(bucket.wait(at: start) == .milliseconds(10))
    }
}
