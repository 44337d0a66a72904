import Basics
import TestSupport
import Testing

@testable import LanguageModels

@Suite struct StallWatchTests {
    private let clock = ManualClock()

    private func activity() -> CallActivity { CallActivity(clock.source) { _ in } }

    private func watch(
        deadline: Double = 600, candidates: Int = 1, nextCall: Double? = nil, usual: UsualAnswer = .unknown,
        isKnown: Bool = false
    ) -> StallWatch {
        StallWatch(
            .standard, usual: usual, isKnown: isKnown, at: clock.source.uptime(), deadline: .seconds(deadline),
            candidates: candidates, next: .other(wholeCall: nextCall.map { .seconds($0) }))
    }

    private func verdict(_ watch: StallWatch, _ call: CallActivity) -> StallWatch.Verdict {
        watch.verdict(call.snapshot, at: clock.source.uptime())
    }

    /// Lets a call get content once a second until the watch ends it.
    private func end(
        of call: CallActivity, _ watch: StallWatch, bytes: (_ second: Int) -> Int
    ) -> (verdict: StallWatch.Verdict, second: Int) {
        for second in 0..<1000 {
            let verdict = verdict(watch, call)
            guard case .wait = verdict else { return (verdict, second) }
            call.received(bytes(second))
            clock.advance(by: .seconds(1))
        }
        return (verdict(watch, call), 1000)
    }

    /// A model whose answers are known: 4,000 bytes at 400 bytes a second.
    private var usual: UsualAnswer {
        var history = LatencyHistory()
        for _ in 0..<20 {
            var clock = Duration.zero
            var call = CallActivity.Snapshot(startedAt: .zero)
            for _ in 0..<11 {
                call.receive(364, at: clock)
                clock += .seconds(1)
            }
            history.add(call, endedAt: clock)
        }
        return UsualAnswer(history, at: .zero)
    }

    /// Of a model whose answers are not known, and of one whose answers are: five times as long, and then on and on.
    @Test(arguments: [false, true]) func anEndlessAnswerMakesWayWhileAnotherCandidateStillHasTime(isKnown: Bool) {
        let watch = watch(deadline: 30, nextCall: 10, usual: isKnown ? usual : .unknown, isKnown: isKnown)
        let ended = end(of: activity(), watch) { _ in isKnown ? 2000 : 200 }
        guard case .makesWay = ended.verdict else {
            Issue.record("\(ended)")
            return
        }
        #expect(30 - ended.second >= 12, "\(ended)")
    }

    @Test func aProviderThatAcceptsAndNeverAnswersStallsAtTheFirstByte() {
        let (watch, call) = (watch(), activity())
        #expect(verdict(watch, call) == .wait(until: .seconds(30)))
        clock.advance(by: .seconds(30))
        #expect(verdict(watch, call) == .stalled(Stall(.firstByte, silence: .seconds(30))))
    }

    @Test func pingsAndEmptyDeltasStopOnlyTheFirstClock() {
        let (watch, call) = (watch(), activity())
        for _ in 0..<9 {
            clock.advance(by: .seconds(10))
            call.receivedHead()
            call.received(0)
        }
        #expect(verdict(watch, call) == .stalled(Stall(.firstContent, silence: .seconds(90))))
    }

    @Test func aStreamThatStopsStallsAtTheGap() {
        let (watch, call) = (watch(), activity())
        clock.advance(by: .seconds(20))
        call.received(4000)
        clock.advance(by: .seconds(29))
        call.received(4000)
        #expect(verdict(watch, call) == .wait(until: .seconds(55)))
        clock.advance(by: .seconds(30))
        #expect(verdict(watch, call) == .stalled(Stall(.gap, silence: .seconds(30))))
    }

    @Test(arguments: [30.0, 170])
    func anAnswerThatStopsAfterAFastBeginningMakesWayInTime(deadline: Double) {
        let (watch, call) = (watch(deadline: deadline, candidates: 2), activity())
        for _ in 0..<20 { call.received(40) }
        var now = Duration.zero
        while case .wait(let next) = verdict(watch, call) {
            clock.advance(by: next - now)
            now = next
        }
        #expect(verdict(watch, call) == .stalled(Stall(.gap, silence: now)))
        #expect(now <= .seconds(30) && now <= .seconds(deadline * 0.3))
    }

    // MARK: Drips

    @Test(arguments: [1, 5, 10, 40], [30.0, 60, 170])
    func anEndlessDripMakesWayForAnotherCandidateInTime(bytes: Int, deadline: Double) {
        for next in [nil, 1.0, 60] {
            let clock = StallWatchTests()
            let (watch, call) = (clock.watch(deadline: deadline, nextCall: next), clock.activity())
            let end = clock.end(of: call, watch) { _ in bytes }
            #expect(end.verdict == .stalled(Stall(.pace, silence: .seconds(end.second))), "next \(next ?? 0) s")
            #expect(Double(end.second) <= max(11, deadline * 0.3 + 1), "next \(next ?? 0) s")
        }
    }

    @Test func aDripOfAModelThatIsUsuallyFastMakesWayAtOnce() {
        let (watch, call) = (watch(deadline: 170, usual: usual, isKnown: true), activity())
        let end = end(of: call, watch) { _ in 30 }
        #expect(end.verdict == .stalled(Stall(.pace, silence: .seconds(end.second))))
        #expect(end.second <= 12)
    }

    @Test func aDripAfterAFastBeginningMakesWayToo() {
        let (watch, call) = (watch(deadline: 170, usual: usual, isKnown: true), activity())
        let end = end(of: call, watch) { $0 == 0 ? 2000 : 1 }
        #expect(end.verdict == .stalled(Stall(.pace, silence: .seconds(end.second))))
        #expect(end.second <= 30)
    }

    @Test func anAnswerThatCannotEndInTimeMakesWay() {
        let (watch, call) = (watch(deadline: 40, usual: usual, isKnown: true), activity())
        let end = end(of: call, watch) { _ in 80 }
        #expect(end.verdict == .makesWay(Stall(.pace, silence: .seconds(end.second))))
        #expect(end.second <= 12, "4,000 bytes would take 50 s")
    }

    @Test(arguments: [nil, 2.0, 8])
    func aGoodAnswerIsNotEndedForWantOfTimeWhereNoOtherCallCouldEndEither(nextCall: Double?) {
        let next = nextCall.map { TimeShare.Next.other(wholeCall: .seconds($0)) } ?? .same(wholeCall: .seconds(1))
        let watch = StallWatch(
            .standard, usual: usual, isKnown: true, at: .zero, deadline: .seconds(8), candidates: 1, next: next)
        let call = activity()
        let end = end(of: call, watch) { _ in 400 }
        // The answer takes ten seconds, and six are left.
        let isOther = nextCall == 2
        let stall = Stall(isOther ? .pace : .gap, silence: .seconds(isOther ? end.second : 1))
        #expect(end.verdict == (isOther ? .makesWay(stall) : .outOfTime(stall, isStalled: false)))
        #expect(isOther ? end.second <= 4 : end.second == 6)
    }

    @Test func aGoodAnswerGoesOnAfterItsShareOfTheTime() {
        let (watch, call) = (watch(deadline: 30, candidates: 2, usual: usual, isKnown: true), activity())
        for second in 0..<22 {
            guard case .wait = verdict(watch, call) else {
                Issue.record("ended after \(second) s")
                return
            }
            call.received(200)
            clock.advance(by: .seconds(1))
        }
    }

    @Test func aModelThatIsAlwaysSlowMayBeSlow() {
        var history = LatencyHistory()
        for _ in 0..<20 {
            var clock = Duration.zero
            var call = CallActivity.Snapshot(startedAt: .zero)
            for _ in 0..<80 {
                call.receive(10, at: clock)
                clock += .seconds(1)
            }
            history.add(call, endedAt: clock)
        }
        let slow = UsualAnswer(history, at: .zero)
        let (watch, call) = (watch(deadline: 170, usual: slow, isKnown: true), activity())
        for second in 0..<80 {
            guard case .wait = verdict(watch, call) else {
                Issue.record("ended after \(second) s")
                return
            }
            call.received(10)
            clock.advance(by: .seconds(1))
        }
    }

    @Test func aServerWithLongerLimitsHasALowerPace() {
        let start = CallTimeouts(firstByte: .seconds(30), firstContent: .seconds(90), gap: .seconds(120))
        #expect(UsualAnswer(LatencyHistory(), start: start, at: .zero).slowestPace == 2)
    }

    // MARK: The last candidate

    @Test func theLastCandidateIsNotEndedEarlyButCountsAsStalled() {
        let (watch, call) = (watch(deadline: 170, candidates: 0), activity())
        #expect(verdict(watch, call) == .wait(until: .seconds(168)))
        clock.advance(by: .seconds(29))
        #expect(watch.overdue(call.snapshot, at: clock.source.uptime()) == nil)
        clock.advance(by: .seconds(1))
        #expect(
            watch.overdue(call.snapshot, at: clock.source.uptime()) == Stall(.firstByte, silence: .seconds(30)))
        clock.advance(by: .seconds(138))
        #expect(verdict(watch, call) == .outOfTime(Stall(.firstByte, silence: .seconds(168)), isStalled: true))
    }

    @Test func aStopOrADripAtTheEndOfAShortTimeCountsAsAStall() {
        let (watch, call) = (watch(deadline: 30, candidates: 0), activity())
        call.received(800)
        clock.advance(by: .seconds(28))
        #expect(verdict(watch, call) == .outOfTime(Stall(.gap, silence: .seconds(28)), isStalled: true))
        let other = StallWatchTests()
        let (otherWatch, drip) = (other.watch(deadline: 30, candidates: 0), other.activity())
        let end = other.end(of: drip, otherWatch) { _ in 5 }
        #expect(end.verdict == .outOfTime(Stall(.pace, silence: .seconds(28)), isStalled: true))
    }
}
