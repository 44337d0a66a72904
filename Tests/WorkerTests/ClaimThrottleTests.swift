import Testing

@testable import Worker

@Suite struct ClaimThrottleTests {
    private var throttle = ClaimThrottle()
    private let start = ContinuousClock.now

    private mutating func claim(isShort: Bool, jobEndsMeanwhile: Bool = false) -> Bool {
        throttle.begin()
        if jobEndsMeanwhile, throttle.jobEnded() { Issue.record("a claim under way continues by itself") }
        return throttle.finish(isShort: isShort)
    }

    @Test mutating func endOfJobIsNoReasonToClaimAfterAClaimWithFreeSlots() {
        let goesOn = claim(isShort: false)
        let wakes = throttle.jobEnded()
        #expect(!goesOn && !wakes)
    }

    @Test mutating func endOfJobIsAReasonToClaimAfterAClaimThatFilledAllSlots() {
        let goesOn = claim(isShort: true)
        let wakes = [throttle.jobEnded(), throttle.jobEnded()]
        #expect(!goesOn && wakes == [true, true])
    }

    /// The claim counted its slot as taken, and no other event would claim for it.
    @Test(arguments: [true, false]) mutating func jobThatEndsDuringAClaimLeadsToAnotherClaim(isShort: Bool) {
        let goesOn = claim(isShort: isShort, jobEndsMeanwhile: true)
        let goesOnAgain = claim(isShort: isShort)
        #expect(goesOn == isShort && !goesOnAgain)
    }

    private mutating func rests(at milliseconds: [Int], running: Int) -> [Duration] {
        milliseconds.map { throttle.rest(afterClaimAt: start + .milliseconds($0), running: running) }
    }

    @Test mutating func jobsThatComeOneByOneAreClaimedAtOnce() {
        let rests = rests(at: [0, 110, 220, 330], running: 100)
        #expect(rests == [.zero, .zero, .zero, .zero])
    }

    @Test mutating func idleWorkerClaimsAtOnceAtAnyRateOfJobs() {
        let rests = rests(at: [0, 1, 2, 3], running: 1)
        #expect(rests == [.zero, .zero, .zero, .zero])
    }

    @Test mutating func claimsRestWhileManyJobsRunAndMoreKeepComing() {
        let rests = rests(at: [0, 5, 30, 300], running: 100)
        #expect(rests == [.zero, ClaimThrottle.rest, ClaimThrottle.rest, .zero])
    }
}
