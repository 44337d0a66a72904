import Testing

@testable import Worker

@Suite struct ClaimPaceTests {
    private var pace = ClaimThrottle()
    private let start = ContinuousClock.now

    private mutating func claim(isShort: Bool, jobEndsMeanwhile: Bool = false) -> Bool {
        pace.begin()
        if jobEndsMeanwhile, pace.jobEnded() { Issue.record("the claim under way says when to go on") }
        return pace.finish(isShort: isShort)
    }

    @Test mutating func theEndOfAJobIsNoReasonToClaimWhereThereWasRoom() {
        let goesOn = claim(isShort: false)
        let wakes = pace.jobEnded()
        #expect(!goesOn && !wakes)
    }

    @Test mutating func theEndOfAJobIsAReasonToClaimWhereThereWasTooLittleRoom() {
        let goesOn = claim(isShort: true)
        let wakes = [pace.jobEnded(), pace.jobEnded()]
        #expect(!goesOn && wakes == [true, true])
    }

    /// Its slot was counted as taken, and nobody else would claim for it.
    @Test(arguments: [true, false]) mutating func aJobThatEndsDuringAClaimIsNotForgotten(isShort: Bool) {
        let goesOn = claim(isShort: isShort, jobEndsMeanwhile: true)
        let goesOnAgain = claim(isShort: isShort)
        #expect(goesOn == isShort && !goesOnAgain)
    }

    private mutating func rests(at milliseconds: [Int], running: Int) -> [Duration] {
        milliseconds.map { pace.rest(afterClaimAt: start + .milliseconds($0), running: running) }
    }

    @Test mutating func jobsOneByOneAreClaimedAtOnce() {
        let rests = rests(at: [0, 110, 220, 330], running: 100)
        #expect(rests == [.zero, .zero, .zero, .zero])
    }

    @Test mutating func anIdleWorkerClaimsAtOnceHoweverFastJobsCome() {
        let rests = rests(at: [0, 1, 2, 3], running: 1)
        #expect(rests == [.zero, .zero, .zero, .zero])
    }

    @Test mutating func whereManyJobsRunAndMoreKeepComingClaimsKeepADistance() {
        let rests = rests(at: [0, 5, 30, 300], running: 100)
        #expect(rests == [.zero, ClaimThrottle.rest, ClaimThrottle.rest, .zero])
    }
}
