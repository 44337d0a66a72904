import JobQueue
import Testing

/// The usual time of calls is that of the output under way, not of the calls that have ended.
@Suite struct UsualTimeTests {
    @Test func shortCallsThatEndFirstDoNotStandForThoseUnderWay() {
        var time = UsualTime()
        // Twenty answers of 1,000 tokens at fifty a second, and two that were short.
        for second in 1...5 { time.note(20 * 50, of: 20, at: .seconds(second)) }
        time.end(after: .seconds(1), output: 50)
        time.end(after: .seconds(2), output: 90)
        let value = time.value(expecting: 20_000, of: 20)
        #expect((15.5...20).contains(value / .seconds(1)), "\(value)")
    }

    @Test func beforeAnyOutputTheCallsThatHaveEndedTellIt() {
        var time = UsualTime()
        #expect(time.value(expecting: 1000, of: 1) == .zero)
        time.end(after: .seconds(10), output: 1000)
        time.end(after: .seconds(1), output: 1)
        let value = time.value(expecting: 1000, of: 1)
        #expect((9.9...10).contains(value / .seconds(1)), "a call of one token hardly counts: \(value)")
        #expect(time.value(expecting: 0, of: 0) == value)
    }

    @Test func aTwelfthOfAUsualAnswerIsEnoughToTellIt() {
        var time = UsualTime()
        time.note(0, of: 1, at: .seconds(0))
        time.note(80, of: 1, at: .seconds(2))
        #expect(time.value(expecting: 1000, of: 1) == .zero)
        time.note(20, of: 1, at: .milliseconds(2500))
        let value = time.value(expecting: 1000, of: 1)
        #expect((23...27).contains(value / .seconds(1)), "\(value)")
    }

    @Test func itFollowsAProviderThatBecomesSlow() {
        var time = UsualTime()
        for second in 1...60 { time.note(800, of: 10, at: .seconds(second)) }
        let before = time.value(expecting: 8000, of: 10)
        for second in 61...90 { time.note(400, of: 10, at: .seconds(second)) }
        let after = time.value(expecting: 8000, of: 10)
        #expect((9.5...10.5).contains(before / .seconds(1)), "\(before)")
        #expect((16...20).contains(after / .seconds(1)), "\(after)")
    }

    @Test func tooManyTokensThatWereNotedAreTakenBack() {
        var time = UsualTime()
        time.note(100, of: 1, at: .seconds(0))
        time.note(-500, of: 1, at: .seconds(1))
        #expect(time.value(expecting: 1000, of: 1) == .zero)
    }
}
