import Basics
import JobQueue
import TestSupport
import Testing

@testable import LanguageModels

@Suite struct CallTimeoutTests {
    private func history(_ values: [Double], of series: LatencyHistory.Series, at now: Duration = .zero)
        -> LatencyHistory
    {
        var history = LatencyHistory()
        for value in values { history.add(.seconds(value), to: series, at: now) }
        return history
    }

    @Test func aModelsClocksAreThoseOfTheFleetsLatestCalls() throws {
        let model = try Fixture.sonnet()
        func latency(_ seconds: Int) -> ModelLatency {
            ModelLatency(
                provider: "claude", model: model.id, firstByte: .seconds(seconds), firstContent: .seconds(2 * seconds),
                longestGap: .seconds(seconds))
        }
        var other = latency(50)
        other.model = "another"
        let few = model.clocks(of: [latency(1), latency(3), other])
        #expect(few.map(\.clock) == [.firstByte, .firstContent, .gap])
        #expect(
            few.map(\.median) == [1, 2, 1].map { Duration.seconds($0) }
                && few.map(\.p95) == [3, 6, 3].map { Duration.seconds($0) })
        #expect(few.map(\.limit) == [30, 90, 30].map { Duration.seconds($0) }, "the start values")
        let many = model.clocks(of: Array(repeating: latency(4), count: 20))
        #expect(many.map(\.limit) == [16, 32, 32].map { Duration.seconds($0) })
        #expect(many.map(\.interactiveLimit) == [8, 32, 32].map { Duration.seconds($0) })
        #expect(model.clocks(of: []).allSatisfy { $0.median == nil && $0.p95 == nil })
    }

    @Test func withFewerThanFiveCallsTheStartValuesApply() {
        let few = history(Array(repeating: 1, count: 4), of: .clock(.firstByte))
        let background = CallTimeouts(few, isInteractive: false, at: .zero)
        #expect(background == CallTimeouts(firstByte: .seconds(30), firstContent: .seconds(90), gap: .seconds(30)))
        let interactive = CallTimeouts(few, isInteractive: true, at: .zero)
        #expect(interactive == CallTimeouts(firstByte: .seconds(10), firstContent: .seconds(20), gap: .seconds(30)))
    }

    @Test(arguments: [(0.1, 8.0, 3.0), (1.5, 12, 6), (2.5, 20, 10), (40, 30, 10)])
    func fromFiveCallsOnTheSlowestCountsTwice(slowest: Double, background: Double, interactive: Double) {
        let history = history([0.1, 0.1, slowest, 0.1, 0.1], of: .clock(.firstByte))
        #expect(CallTimeouts(history, isInteractive: false, at: .zero).firstByte == .seconds(background))
        #expect(CallTimeouts(history, isInteractive: true, at: .zero).firstByte == .seconds(interactive))
    }

    @Test(arguments: [(0.1, 8.0, 3.0), (3, 12, 6), (40, 60, 20)])
    func theFirstByteHasFourOrTwoTimesTheQuantileWithinBounds(latency: Double, background: Double, interactive: Double)
    {
        let history = history(Array(repeating: latency, count: 20), of: .clock(.firstByte))
        #expect(CallTimeouts(history, isInteractive: false, at: .zero).firstByte == .seconds(background))
        #expect(CallTimeouts(history, isInteractive: true, at: .zero).firstByte == .seconds(interactive))
    }

    @Test(arguments: [(1.0, 20.0), (10, 40), (100, 180)])
    func theFirstContentHasFourTimesTheQuantileWithinBounds(latency: Double, limit: Double) {
        let history = history(Array(repeating: latency, count: 20), of: .clock(.firstContent))
        #expect(CallTimeouts(history, isInteractive: false, at: .zero).firstContent == .seconds(limit))
        #expect(CallTimeouts(history, isInteractive: true, at: .zero).firstContent == .seconds(limit))
    }

    @Test(arguments: [(0.1, 10.0), (3, 24), (30, 60)])
    func aGapHasEightTimesTheQuantileWithinBounds(latency: Double, limit: Double) {
        let history = history(Array(repeating: latency, count: 20), of: .clock(.gap))
        #expect(CallTimeouts(history, isInteractive: false, at: .zero).gap == .seconds(limit))
    }

    @Test func aModelsOwnStartValuesScaleTheBounds() {
        let start = CallTimeouts(firstByte: .seconds(120), firstContent: .seconds(90), gap: .seconds(3))
        let unknown = CallTimeouts(LatencyHistory(), start: start, isInteractive: true, at: .zero)
        #expect(unknown == CallTimeouts(firstByte: .seconds(40), firstContent: .seconds(20), gap: .seconds(3)))
        let slow = history(Array(repeating: 50, count: 20), of: .clock(.firstByte))
        #expect(CallTimeouts(slow, start: start, isInteractive: false, at: .zero).firstByte == .seconds(200))
    }

    @Test func onlyTheLastTwoHundredSamplesOfAnHourCount() {
        var history = history(Array(repeating: 100, count: 300), of: .wholeCall)
        #expect(history.quantile(0.95, of: .wholeCall, at: .zero) == .seconds(100))
        for _ in 0..<191 { history.add(.seconds(1), to: .wholeCall, at: .seconds(10)) }
        #expect(history.quantile(0.95, of: .wholeCall, at: .seconds(10)) == .seconds(1))
        #expect(history.quantile(1, of: .wholeCall, at: .seconds(10)) == .seconds(100))
        #expect(history.quantile(1, of: .wholeCall, at: .seconds(3601)) == .seconds(1))
        #expect(history.quantile(1, of: .wholeCall, at: .seconds(3611)) == nil)
    }

    @Test func stallsRaiseTheLimitOfAProviderThatBecameSlower() {
        var history = history(Array(repeating: 1, count: 100), of: .clock(.firstByte))
        for _ in 0..<10 { history.add(Stall(.firstByte, silence: .seconds(8)), at: .zero) }
        #expect(CallTimeouts(history, isInteractive: false, at: .zero).firstByte == .seconds(32))
    }

    // MARK: Time that is left

    /// The time after which a silent candidate is given up.
    private func timeout(
        limit: Duration, left: Duration, candidates: Int, nextCall: Duration?, isKnown: Bool = true
    ) -> Duration {
        let clock = ManualClock()
        let watch = StallWatch(
            CallTimeouts(firstByte: limit, firstContent: limit, gap: limit), isKnown: isKnown, at: .zero,
            deadline: left, candidates: candidates, next: .other(wholeCall: nextCall))
        let call = CallActivity(clock.source) { _ in }
        var now = Duration.zero
        while case .wait(let next) = watch.verdict(call.snapshot, at: now) { now = next }
        return now
    }

    @Test func theNextCandidateKeepsTheTimeOfAWholeCall() {
        func timeout(_ limit: Double, left: Double, candidates: Int = 1, next: Double? = nil) -> Duration {
            self.timeout(
                limit: .seconds(limit), left: .seconds(left), candidates: candidates,
                nextCall: next.map { Duration.seconds($0) })
        }
        #expect(timeout(30, left: 170, next: 50) == .seconds(30))
        #expect(timeout(90, left: 100, next: 50) == .seconds(49), "an equal share, as 1.2 × 50 s leave only 40")
        #expect(timeout(90, left: 170, next: 100) == .seconds(84))
        #expect(timeout(90, left: 170, next: 60) == .seconds(85), "at most half of the time")
        #expect(timeout(30, left: 30, next: 1) == .seconds(15), "a fast next candidate does not delay the hand-over")
        #expect(timeout(30, left: 30, candidates: 2) == .seconds(28) / 3)
        #expect(timeout(30, left: 170, candidates: 0) == .seconds(168))
        #expect(timeout(30, left: 1, candidates: 0) == .zero)
    }

    @Test func aModelOfWhichLittleIsKnownGetsThreeTenthsOfTheTime() {
        func timeout(_ limit: Double, left: Double, candidates: Int = 1) -> Duration {
            self.timeout(
                limit: .seconds(limit), left: .seconds(left), candidates: candidates, nextCall: nil, isKnown: false)
        }
        #expect(timeout(90, left: 170) == .seconds(51))
        #expect(timeout(30, left: 170) == .seconds(30))
        #expect(timeout(30, left: 28) == .seconds(28) * 0.3)
        #expect(timeout(90, left: 170, candidates: 0) == .seconds(168), "the last one is never ended early")
    }

    @Test func withAnyTimesTheNextCandidateKeepsItsCallOrItsShare() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5_000 {
            let count = 1 + Int(Double.random(in: 0..<1, using: &random) * 4)
            let left = Duration.seconds(4 + Double.random(in: 0..<1, using: &random) * 600)
            let next = Duration.seconds(Double.random(in: 0..<1, using: &random) * 300)
            var rest = left
            for later in stride(from: count - 1, through: 0, by: -1) {
                let limit = Duration.seconds(1 + Double.random(in: 0..<1, using: &random) * 180)
                let timeout = timeout(limit: limit, left: rest, candidates: later, nextCall: next)
                #expect(timeout >= .zero && timeout <= rest)
                if later == 0 {
                    #expect(timeout == max(.zero, rest - .seconds(2)))
                } else {
                    let share = rest * Double(later) / Double(later + 1)
                    #expect(rest - timeout >= min(next * 1.2, share) - .milliseconds(1))
                    #expect(timeout <= rest / 2 + .milliseconds(1))
                }
                rest -= timeout
            }
        }
    }
}
