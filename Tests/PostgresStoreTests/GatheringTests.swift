import SQLSupport
import Testing

@testable import PostgresStore

@Suite struct GatheringTests {
    private static let pause: Duration = .milliseconds(20)
    private let came = ContinuousClock.now
    private var gathering = BatchingPolicy(BatchingPolicy.Rule(pause: Self.pause, enough: 16))

    private func isDelayed(waiting: Int, present: Int) -> Bool {
        gathering.due(came, waiting: waiting, present: present) == came + Self.pause
    }

    @Test mutating func aCallerThatIsAloneNeverWaits() {
        for _ in 0..<100 {
            gathering.note(arrivalOf: 1)
            #expect(!isDelayed(waiting: 1, present: 1))
            gathering.note(departureAmong: 1)
        }
    }

    @Test mutating func whereSeveralAskAtOnceOneWaitsForOthers() {
        gathering.note(arrivalOf: 4)
        #expect(isDelayed(waiting: 1, present: 1))
        #expect(isDelayed(waiting: 3, present: 3))
    }

    @Test mutating func nobodyWaitsWhenAllThatLatelyCameTogetherAreThere() {
        gathering.note(arrivalOf: 4)
        #expect(!isDelayed(waiting: 4, present: 4))
        #expect(!isDelayed(waiting: 1, present: 4), "the others are in a batch that runs")
    }

    /// As a benchmark with a few connections asks: whoever is answered comes again at once.
    @Test(arguments: [1, 2, 3, 8]) mutating func callersWhoAskAgainAtOnceWaitForNobody(callers: Int) {
        for round in 0..<50 {
            for present in 1...callers { gathering.note(arrivalOf: present) }
            if round > 0 { #expect(!isDelayed(waiting: callers, present: callers)) }
            gathering.note(departureAmong: callers)
        }
    }

    @Test mutating func soManyThatOthersHardlyMatterGoAtOnce() {
        gathering.note(arrivalOf: 500)
        #expect(isDelayed(waiting: 15, present: 15) && !isDelayed(waiting: 16, present: 16))
    }

    @Test mutating func whoIsAloneAgainSoonDoesNotWaitAnyMore() {
        gathering.note(arrivalOf: 8)
        var delays = 0
        for _ in 0..<20 {
            gathering.note(arrivalOf: 1)
            if isDelayed(waiting: 1, present: 1) { delays += 1 }
            gathering.note(departureAmong: 1)
        }
        #expect(delays <= 4)
    }

    @Test func verbsWithoutAPauseGoAtOnce() {
        var gathering = BatchingPolicy(.none)
        gathering.note(arrivalOf: 9)
        #expect(gathering.due(came, waiting: 1, present: 1) == came)
    }
}
