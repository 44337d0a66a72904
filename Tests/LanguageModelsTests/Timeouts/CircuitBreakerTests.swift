import JobQueue
import TestSupport
import Testing

@testable import LanguageModels

@Suite struct CircuitBreakerTests {
    /// A breaker with a call that ended at each second, all with the same result.
    private func breaker(after findings: CircuitBreaker.Finding...) -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for (second, finding) in findings.enumerated() {
            breaker.report(finding, ofCallFrom: .seconds(second), at: .seconds(second))
        }
        return breaker
    }

    /// An open breaker, at 30 s after its opening at zero.
    private func expired() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { breaker.report(.failed, ofCallFrom: .zero, at: .zero) }
        return breaker
    }

    @Test func fiveFailuresInARowOpenIt() {
        #expect(breaker(after: .failed, .failed, .failed, .failed).state == .closed)
        #expect(breaker(after: .failed, .failed, .failed, .failed, .failed).state == .open(until: .seconds(34)))
        #expect(breaker(after: .failed, .failed, .failed, .failed, .alive, .failed).state == .closed)
        #expect(
            breaker(after: .failed, .nothing, .failed, .failed, .failed, .failed).state == .open(until: .seconds(35)))
    }

    @Test(arguments: CallClock.allCases)
    func twoStallsInARowOpenItWhateverTheClock(clock: CallClock) {
        #expect(breaker(after: .stalled(clock)).state == .closed)
        #expect(breaker(after: .stalled(clock), .stalled(clock)).state == .open(until: .seconds(31)))
        #expect(breaker(after: .stalled(clock), .alive, .stalled(clock)).state == .closed)
        #expect(breaker(after: .stalled(clock), .failed, .stalled(clock)).state == .open(until: .seconds(32)))
    }

    @Test func threeAnswersInARowWithoutAnEndOpenItAndOneThatEndsBetweenForgivesThem() {
        #expect(breaker(after: .endless, .endless).state == .closed)
        #expect(breaker(after: .endless, .endless, .endless).state == .open(until: .seconds(32)))
        #expect(breaker(after: .endless, .endless, .alive, .endless, .endless).state == .closed)
        var breaker = breaker(after: .endless, .endless, .endless)
        breaker.beginProbe(at: .seconds(40))
        // The first content of a probe says nothing then.
        breaker.receivedContent(isProbe: true, at: .seconds(41))
        breaker.report(.endless, ofCallFrom: .seconds(40), isProbe: true, at: .seconds(60))
        #expect(breaker.state == .open(until: .seconds(120)))
    }

    @Test func answersWithoutAnEndBesideOthersThatEndDoNotOpenIt() {
        var breaker = CircuitBreaker()
        for second in 0..<10 {
            breaker.report(.alive, ofCallFrom: .seconds(second), at: .seconds(second + 20))
            breaker.report(.endless, ofCallFrom: .seconds(second), at: .seconds(second + 21))
        }
        #expect(breaker.state == .closed)
    }

    @Test func aStallIsAFailureTooAndOpensItAsTheFifth() {
        #expect(breaker(after: .failed, .failed, .failed, .failed, .stalled(.gap)).state == .open(until: .seconds(34)))
    }

    @Test func stallsThatAnotherCallDisprovesDoNotOpenIt() {
        var breaker = CircuitBreaker()
        for second in 0..<10 {
            breaker.receivedContent(isProbe: false, at: .seconds(second + 20))
            breaker.report(.stalled(.firstByte), ofCallFrom: .seconds(second), at: .seconds(second + 30))
        }
        #expect(breaker.state == .closed)
    }

    @Test func contentWithoutAnEndDoesNotDisproveSilencesInTheMidst() {
        var breaker = CircuitBreaker()
        for second in 0..<2 {
            breaker.receivedContent(isProbe: false, at: .seconds(second + 20))
            breaker.report(
                .stalled(.gap), ofCallFrom: .seconds(second), silentSince: .seconds(second + 20),
                at: .seconds(second + 50))
        }
        #expect(breaker.state == .open(until: .seconds(81)))
        var other = CircuitBreaker()
        for second in 0..<5 {
            other.report(.alive, ofCallFrom: .seconds(second), at: .seconds(second + 30))
            other.report(
                .stalled(.gap), ofCallFrom: .seconds(second), silentSince: .seconds(second + 20),
                at: .seconds(second + 50))
        }
        #expect(other.state == .closed)
    }

    @Test func whileItIsOpenEveryCallRestsAndThenOneProbes() {
        var breaker = expired()
        #expect(breaker.admission(at: .seconds(4)) == .rest(.seconds(26)))
        #expect(breaker.admission(at: .seconds(30)) == .probe)
        breaker.beginProbe(at: .seconds(30))
        #expect(breaker.admission(at: .seconds(31)) == .rest(.seconds(3)))
        breaker.receivedContent(isProbe: true, at: .seconds(32))
        #expect(breaker.state == .closed && breaker.admission(at: .seconds(32)) == .call)
    }

    static let probeFailures: [CircuitBreaker.Finding] = [.failed, .unreachable, .stalled(.firstByte), .stalled(.gap)]

    @Test(arguments: probeFailures)
    func aProbeThatFailsDoublesTheTimeUpToFiveMinutes(finding: CircuitBreaker.Finding) {
        var breaker = expired()
        var now = Duration.seconds(30)
        for expected in [60, 120, 240, 300, 300] {
            breaker.beginProbe(at: now)
            breaker.report(finding, ofCallFrom: now, isProbe: true, at: now)
            #expect(breaker.admission(at: now) == .rest(.seconds(expected)))
            now += .seconds(expected)
        }
        breaker.beginProbe(at: now)
        breaker.report(.alive, ofCallFrom: now, isProbe: true, at: now)
        #expect(breaker.state == .closed)
        breaker.report(.alive, ofCallFrom: now, at: now)
        for _ in 0..<5 { breaker.report(.failed, ofCallFrom: now, at: now) }
        #expect(breaker.admission(at: now) == .rest(.seconds(30)), "a success makes the next opening short again")
    }

    @Test func anInconclusiveProbeLetsTheNextCallProbe() {
        var breaker = expired()
        breaker.beginProbe(at: .seconds(30))
        breaker.report(.nothing, ofCallFrom: .seconds(30), isProbe: true, at: .seconds(32))
        #expect(breaker.admission(at: .seconds(32)) == .probe)
    }

    @Test func aProbeWithoutAnyEndIsGivenUp() {
        var breaker = expired()
        breaker.beginProbe(at: .seconds(30))
        #expect(breaker.admission(at: .seconds(36)) == .rest(.seconds(6)))
        #expect(breaker.admission(at: .seconds(149)) == .rest(.seconds(10)))
        #expect(breaker.admission(at: .seconds(150)) == .probe)
    }

    @Test func lateResultsOfEarlierCallsChangeNothing() {
        var breaker = expired()
        for finding in [CircuitBreaker.Finding.alive, .failed, .stalled(.gap), .nothing, .unreachable] {
            breaker.report(finding, ofCallFrom: .zero, at: .seconds(1))
        }
        breaker.receivedContent(isProbe: false, at: .seconds(1))
        #expect(breaker.state == .open(until: .seconds(30)))
        breaker.beginProbe(at: .seconds(30))
        breaker.report(.alive, ofCallFrom: .zero, at: .seconds(31))
        #expect(breaker.admission(at: .seconds(31)) == .rest(.seconds(3)), "only the probe itself closes it")
    }

    @Test(arguments: [CallClock.gap, .pace])
    func afterSilencesMidwayOnlyTheEndOfAnAnswerClosesIt(clock: CallClock) {
        var breaker = breaker(after: .stalled(clock), .stalled(clock))
        breaker.beginProbe(at: .seconds(31))
        breaker.receivedContent(isProbe: true, at: .seconds(32))
        #expect(breaker.state != .closed)
        breaker.report(.alive, ofCallFrom: .seconds(31), isProbe: true, at: .seconds(33))
        #expect(breaker.state == .closed)
        // A short answer says little about long ones: the next opening is twice as long.
        for second in 40..<42 {
            breaker.report(.stalled(clock), ofCallFrom: .seconds(second), at: .seconds(second))
        }
        #expect(breaker.admission(at: .seconds(41)) == .rest(.seconds(60)))
    }

    @Test func anAnswerAfterAReportedSilenceClosesIt() {
        var breaker = breaker(after: .stalled(.firstByte), .stalled(.firstByte))
        breaker.report(.alive, ofCallFrom: .zero, wasOverdue: true, at: .seconds(5))
        #expect(breaker.state == .closed)
    }

    @Test func thePausesGrowWhileAnotherProcessProbes() {
        var breaker = expired()
        var now = Duration.seconds(30)
        for expected in [3, 6, 9, 10, 10] {
            breaker.beginProbe(at: now)
            breaker.postponeProbe(at: now)
            #expect(breaker.admission(at: now) == .rest(.seconds(expected)))
            now += .seconds(expected)
        }
    }

    // MARK: The fleet

    @Test func anOpeningOfAnotherProcessIsTakenOverAndSoIsItsEnd() {
        var breaker = CircuitBreaker()
        breaker.adopt((rest: .seconds(12), opening: .seconds(60)), askedAt: .seconds(1), at: .seconds(1))
        #expect(breaker.admission(at: .seconds(3)) == .rest(.seconds(10)))
        breaker.adopt((rest: .seconds(20), opening: .seconds(120)), askedAt: .seconds(4), at: .seconds(4))
        #expect(breaker.admission(at: .seconds(4)) == .rest(.seconds(20)))
        breaker.adopt(nil, askedAt: .seconds(5), at: .seconds(5))
        #expect(breaker.state == .closed)
    }

    @Test func anOwnOpeningIsNewerThanAReplyThatWasAskedForBefore() {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { breaker.report(.failed, ofCallFrom: .seconds(9), at: .seconds(10)) }
        breaker.adopt(nil, askedAt: .seconds(9), at: .seconds(11))
        breaker.adopt(nil, askedAt: .milliseconds(10_500), at: .seconds(11))
        #expect(breaker.state == .open(until: .seconds(40)))
    }

    // MARK: Random stalls

    /// Calls of a provider that never answers a share of them, with a number of calls under way at any time.
    ///
    /// - Returns: The share of time for which the breaker was open.
    private func openShare(
        stalls: Double, callsAtOnce: Int, calls: Int, longestCall: Double, limit: Duration, seed: UInt64
    ) -> Double {
        struct Call {
            var start: Duration
            var content: Duration?
            var end: Duration
        }
        var random = SeededRandom(seed: seed)
        func begin(at now: Duration) -> Call {
            if Double.random(in: 0..<1, using: &random) < stalls {
                return Call(start: now, content: nil, end: now + limit)
            }
            let length = longestCall * (0.2 + 0.8 * Double.random(in: 0..<1, using: &random))
            return Call(start: now, content: now + .seconds(length * 0.1), end: now + .seconds(length))
        }
        var breaker = CircuitBreaker()
        var now = Duration.zero
        var open = Duration.zero
        var last = Duration.zero
        var running = (0..<callsAtOnce).map { _ in begin(at: .zero) }
        for _ in 0..<calls {
            if case .rest(let pause) = breaker.admission(at: now) {
                open += pause
                now += pause
            }
            let isProbe = breaker.admission(at: now) == .probe
            if isProbe { breaker.beginProbe(at: now) }
            guard let place = running.indices.min(by: { running[$0].end < running[$1].end }) else { break }
            let call = running[place]
            now = max(now, call.end)
            for other in running {
                if let content = other.content, content > last, content <= now {
                    breaker.receivedContent(isProbe: isProbe, at: content)
                }
            }
            last = now
            breaker.report(
                call.content == nil ? .stalled(.firstByte) : .alive, ofCallFrom: call.start, isProbe: isProbe, at: now)
            running[place] = begin(at: now)
        }
        return open / max(now, .seconds(1))
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5], [3.0, 30, 120])
    func randomStallsOfTwoPercentDoNotOpenIt(seed: UInt64, longestCall: Double) {
        for limit in [8, 30, 60] {
            let share = openShare(
                stalls: 0.02, callsAtOnce: 64, calls: 10_000, longestCall: longestCall, limit: .seconds(limit),
                seed: seed)
            #expect(share < 0.01, "limit \(limit) s")
        }
    }

    @Test func aProviderThatStallsEveryCallIsOpenNearlyAllTheTime() {
        let share = openShare(
            stalls: 1, callsAtOnce: 64, calls: 200, longestCall: 10, limit: .seconds(8), seed: 1)
        #expect(share > 0.9)
    }
}

@Suite struct RetryBudgetTests {
    @Test(arguments: [(false, 50), (true, 25)])
    func aFullBudgetHoldsFiftyRetriesOrHalfAsManyAfterStalls(afterStall: Bool, retries: Int) {
        var budget = RetryBudget()
        var taken = 0
        for _ in 0..<60 where budget.take(afterStall: afterStall) { taken += 1 }
        #expect(taken == retries)
        #expect(!budget.covers(afterStall: false))
    }

    @Test func tenSuccessesPayForOneRetryAndNoneFillItBeyondItsSize() {
        var budget = RetryBudget()
        for _ in 0..<50 { _ = budget.take(afterStall: false) }
        for _ in 0..<9 { budget.succeeded() }
        #expect(!budget.covers(afterStall: false))
        for _ in 0..<2 { budget.succeeded() }
        #expect(budget.covers(afterStall: false))
        for _ in 0..<1000 { budget.succeeded() }
        #expect(budget.level == RetryBudget.size)
    }

    @Test func retriesAreAtMostATenthOfTheSuccessesAndTheFirstFifty() {
        var budget = RetryBudget()
        var random = SeededRandom(seed: 7)
        var (retries, successes) = (0.0, 0.0)
        for _ in 0..<10_000 {
            if Double.random(in: 0..<1, using: &random) < 0.3 {
                budget.succeeded()
                successes += 1
            } else {
                let afterStall = Double.random(in: 0..<1, using: &random) < 0.5
                if budget.take(afterStall: afterStall) { retries += RetryBudget.cost(afterStall: afterStall) }
            }
            #expect(retries <= 50 + successes * 0.1 + 0.001)
        }
    }
}
