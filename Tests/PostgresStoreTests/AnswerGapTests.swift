import Testing

@testable import PostgresStore

/// When unanswered requests become an outage, by a clock that the tests set.
@Suite struct AnswerGapTests {
    private let gap = AnswerGap()
    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test func requestsThatFailForTwoSecondsWithoutAnAnswerAreAnOutage() {
        gap.noteAnswer(at: at(0))
        #expect(gap.noteFailure(of: at(100), at: at(1400)) == nil)
        #expect(gap.noteFailure(of: at(700), at: at(2000)) == nil)
        #expect(gap.noteFailure(of: at(900), at: at(2200)) == at(100))
    }

    @Test func anAnswerEndsTheGap() {
        #expect(gap.noteFailure(of: at(0), at: at(1300)) == nil)
        gap.noteAnswer(at: at(1500))
        // It waited from before the answer: the gap begins with the answer.
        #expect(gap.noteFailure(of: at(800), at: at(2600)) == nil)
        #expect(gap.noteFailure(of: at(2300), at: at(3600)) == at(1500))
    }

    @Test func twoFailuresWithALongPauseBetweenThemAreNoOutage() {
        #expect(gap.noteFailure(of: at(0), at: at(1300)) == nil)
        #expect(gap.noteFailure(of: at(60_000), at: at(61_300)) == nil)
    }

    @Test func requestsThatOnlyWaitAreAnOutageAfterTwoHeartbeats() {
        gap.noteAnswer(at: at(0))
        #expect(gap.noteWait(since: at(100), at: at(3900)) == nil)
        #expect(gap.noteWait(since: at(100), at: at(4200)) == at(100))
        gap.noteAnswer(at: at(4300))
        #expect(gap.noteWait(since: at(100), at: at(4400)) == nil)
    }
}
