import SQLSupport
import Testing

@testable import PostgresStore

@Suite struct BatchingPolicyTests {
    private static let pause: Duration = .milliseconds(20)
    private let arrival = ContinuousClock.now
    private var policy = BatchingPolicy(BatchingPolicy.Rule(pause: Self.pause, enough: 16))

    private func isDelayed(waiting: Int, active: Int) -> Bool {
        policy.due(arrival, waiting: waiting, active: active) == arrival + Self.pause
    }

    @Test mutating func aLoneCallerNeverWaits() {
        for _ in 0..<100 {
            policy.noteArrival(active: 1)
            #expect(!isDelayed(waiting: 1, active: 1))
            policy.noteDeparture(active: 1)
        }
    }

    @Test mutating func oneOfSeveralActiveCallersWaitsForTheOthers() {
        policy.noteArrival(active: 4)
        #expect(isDelayed(waiting: 1, active: 1))
        #expect(isDelayed(waiting: 3, active: 3))
    }

    @Test mutating func noRequestWaitsWhenAllRecentCallersArePresent() {
        policy.noteArrival(active: 4)
        #expect(!isDelayed(waiting: 4, active: 4))
        #expect(!isDelayed(waiting: 1, active: 4), "the others are in a running batch")
    }

    /// The load of a benchmark with a few connections, which ask again as soon as they are answered.
    @Test(arguments: [1, 2, 3, 8]) mutating func callersThatAskAgainAtOnceDoNotWait(callers: Int) {
        for round in 0..<50 {
            for active in 1...callers { policy.noteArrival(active: active) }
            if round > 0 { #expect(!isDelayed(waiting: callers, active: callers)) }
            policy.noteDeparture(active: callers)
        }
    }

    @Test mutating func enoughRequestsAreSentAtOnce() {
        policy.noteArrival(active: 500)
        #expect(isDelayed(waiting: 15, active: 15) && !isDelayed(waiting: 16, active: 16))
    }

    @Test mutating func aCallerThatIsAloneAgainSoonStopsWaiting() {
        policy.noteArrival(active: 8)
        var delays = 0
        for _ in 0..<20 {
            policy.noteArrival(active: 1)
            if isDelayed(waiting: 1, active: 1) { delays += 1 }
            policy.noteDeparture(active: 1)
        }
        #expect(delays <= 4)
    }

    @Test func requestsWithoutAPauseAreSentAtOnce() {
        var policy = BatchingPolicy(.none)
        policy.noteArrival(active: 9)
        #expect(policy.due(arrival, waiting: 1, active: 1) == arrival)
    }
}
