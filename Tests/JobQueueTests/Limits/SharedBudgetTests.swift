import TestSupport
import Testing

@testable import JobQueue

@Suite struct SharedBudgetTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func request(
        _ count: Int, input: Int64 = 100, output: Int64 = 10, of limits: BudgetLimits = BudgetLimits(),
        holder: String = "a", isInteractive: Bool = true
    ) -> BudgetRequest {
        BudgetRequest(
            budget: "b", limits: limits, holder: BudgetHolder(id: holder),
            calls: Array(repeating: CallNeed(input: input, output: output, isInteractive: isInteractive), count: count))
    }

    /// A budget whose provider has told its limits with full buckets.
    private func known(
        _ limits: [LimitKind: Int64], at now: Timestamp, seconds: Int64 = 60
    ) throws -> SharedBudget {
        var budget = SharedBudget()
        let mark = try #require(budget.apply(request(1), at: now - .seconds(20)).mark)
        var report = request(0)
        let reading = LimitReading(
            limits.mapValues { .init(limit: $0, remaining: max(1, $0 * seconds / 60), fullIn: .zero) })
        report.reports = [.head(reading, mark)]
        _ = budget.apply(report, at: now - .seconds(20))
        _ = budget.apply(request(0), at: now)
        return budget
    }

    @Test func beforeTheFirstHeadSixteenCallsBeginInTheWholeFleet() {
        var budget = SharedBudget()
        #expect(budget.apply(request(10, holder: "a"), at: start).granted == 10)
        #expect(budget.apply(request(10, holder: "b"), at: start).granted == 6)
        var end = request(3, holder: "b")
        end.holder?.calls = 4
        #expect(budget.apply(end, at: start + .seconds(1)).granted == 2)
    }

    @Test func theFirstBackgroundCallGoesAloneUntilItsHeadOrForTwoSeconds() throws {
        var budget = SharedBudget()
        #expect(budget.apply(request(3, holder: "a", isInteractive: false), at: start).granted == 1)
        let other = budget.apply(request(1, holder: "b", isInteractive: false), at: start + .seconds(1))
        #expect(other.granted == 0 && other.wait <= .milliseconds(50))
        #expect(budget.apply(request(1, holder: "b"), at: start + .seconds(1)).granted == 1, "a person does not wait")
        #expect(SharedBudget(encoded: budget.encoded) == budget)
        var silent = request(3, holder: "a", isInteractive: false)
        silent.holder?.calls = 1
        #expect(budget.apply(silent, at: start + .milliseconds(2100)).granted == 3)

        var told = SharedBudget()
        let mark = try #require(told.apply(request(1, isInteractive: false), at: start).mark)
        var report = request(3, isInteractive: false)
        report.holder?.calls = 1
        report.reports = [.head(LimitReading([.requests: .init(limit: 600, remaining: 50, fullIn: .zero)]), mark)]
        #expect(told.apply(report, at: start + .milliseconds(300)).granted == 3)

        var failed = SharedBudget()
        _ = failed.apply(request(1, isInteractive: false), at: start)
        #expect(failed.apply(request(1, isInteractive: false), at: start + .milliseconds(300)).granted == 1)
    }

    @Test func aHeadThatTellsNothingEndsTheRuleOfTheFirstCalls() throws {
        var budget = SharedBudget()
        let mark = try #require(budget.apply(request(16), at: start).mark)
        var report = request(100)
        report.reports = [.head(LimitReading(), mark)]
        let reply = budget.apply(report, at: start)
        #expect(reply.granted == 100 && reply.tellsLimits == false && reply.startable == nil)
    }

    @Test func theRefusalsOfTheLastHourAreCountedAndKept() throws {
        var budget = SharedBudget()
        for minute in [0, 10, 55] {
            var refused = request(0)
            refused.reports = [.refused(after: .seconds(1), LimitReading()), .refused(after: nil, LimitReading())]
            _ = budget.apply(refused, at: start + .seconds(minute * 60))
        }
        var kept = try #require(SharedBudget(encoded: budget.encoded))
        #expect(kept == budget)
        #expect(kept.apply(BudgetRequest(budget: "b"), at: start + .seconds(3300)).refusals == 6)
        #expect(kept.apply(BudgetRequest(budget: "b"), at: start + .seconds(3600)).refusals == 4)
        #expect(kept.apply(BudgetRequest(budget: "b"), at: start + .seconds(7200)).refusals == 0)
    }

    @Test func theLowestRetryBudgetOfTheProcessesIsKnownWhileTheyAreHeardOf() throws {
        var budget = SharedBudget()
        for (holder, retries) in [("a", 50), ("b", 7), ("c", nil)] as [(String, Int64?)] {
            var report = request(0, holder: holder)
            report.holder?.retries = retries
            _ = budget.apply(report, at: start)
        }
        var kept = try #require(SharedBudget(encoded: budget.encoded))
        #expect(kept.apply(BudgetRequest(budget: "b"), at: start + .seconds(1)).retries == 7)
        #expect(kept.apply(BudgetRequest(budget: "b"), at: start + .seconds(60)).retries == nil)
    }

    @Test func theWaitEndsWhenTheCallCanBegin() throws {
        var budget = try known([.requests: 600, .input: 60_000], at: start, seconds: 5)
        var now = start
        for round in 0..<200 {
            var one = request(1, input: Int64(100 + round * 7))
            one.holder?.calls = 1
            let reply = budget.apply(one, at: now)
            if reply.granted == 1 { continue }
            #expect(reply.wait > .zero)
            #expect(budget.apply(one, at: now + reply.wait - .milliseconds(1)).granted == 0)
            now = now + reply.wait
            #expect(budget.apply(one, at: now).granted == 1)
        }
    }

    @Test func aCallLargerThanTheBucketBeginsWhenItIsFull() throws {
        var budget = try known([.input: 60_000], at: start, seconds: 10)
        #expect(budget.apply(request(2, input: 50_000), at: start).granted == 1)
        let wait = budget.apply(request(1, input: 50_000), at: start).wait
        #expect(wait > .seconds(45))
        #expect(budget.apply(request(1, input: 50_000), at: start + wait).granted == 1)
    }

    /// A head that was read near the end of its second tells less than a bucket's size.
    @Test func aLoneBackgroundCallBeginsWhateverSizesAreKnown() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            var limits: [LimitKind: LimitReading.Line] = [:]
            for kind in LimitKind.allCases where Bool.random(using: &random) {
                let limit = Int64(1) << Int64.random(in: 0..<30, using: &random)
                limits[kind] = .init(
                    limit: limit, remaining: Int64.random(in: 0...limit, using: &random) / 1000,
                    fullIn: .milliseconds(Int64.random(in: 0...1000, using: &random)))
            }
            var budget = SharedBudget()
            var request = request(1, input: 15_000, output: 1000, isInteractive: false)
            let mark = try #require(budget.apply(request, at: start).mark)
            request.reports = [.refused(after: .seconds(4), LimitReading(limits)), .head(LimitReading(limits), mark)]
            var now = start + .seconds(1)
            var reply = budget.apply(request, at: now)
            request.reports = []
            for _ in 0..<60 where reply.granted == 0 {
                now = now + max(reply.wait, .milliseconds(1))
                reply = budget.apply(request, at: now)
            }
            #expect(reply.granted == 1, "\(limits) \(reply.wait)")
        }
    }

    @Test func answersCountWhenTheyAreWritten() throws {
        var budget = try known([.output: 60_000], at: start, seconds: 10)
        // 10,000 tokens of room, less a quarter of a second.
        #expect(budget.apply(request(30, output: 1000), at: start).granted == 10)
        var end = request(5, output: 1000)
        end.holder = BudgetHolder(id: "a", calls: 8, expectedOutput: 8000)
        end.reports = [.written(100), .written(300)]
        #expect(budget.apply(end, at: start).granted == 2)
    }

    @Test func theDebtOfABucketIsNotItsSize() throws {
        var budget = SharedBudget()
        func head(_ remaining: Int64, fullIn: Duration, after time: Duration) throws -> BucketLevel {
            let now = start + time
            var report = request(1)
            let mark = try #require(budget.apply(report, at: now).mark)
            report = request(0)
            report.reports = [
                .head(LimitReading([.output: .init(limit: 60_000, remaining: remaining, fullIn: fullIn)]), mark)
            ]
            return try #require(budget.apply(report, at: now).buckets.first)
        }
        // 2,000 tokens at most, 3,000 in debt.
        #expect(try head(0, fullIn: .seconds(5), after: .zero).size == 5000)
        #expect(try head(500, fullIn: .milliseconds(1500), after: .seconds(4)).size == 2000)
        let inDebt = try head(0, fullIn: .seconds(5), after: .seconds(8))
        #expect(inDebt.size == 2000)
        #expect((-4000 ... -2900).contains(inDebt.level), "\(inDebt.level)")
        #expect(SharedBudget(encoded: budget.encoded) == budget)
    }

    @Test func theOutputThatWasWrittenReplacesWhatWasExpected() throws {
        var budget = try known([.output: 60_000], at: start, seconds: 10)
        func level(after time: Duration, written: Int64? = nil) throws -> Int64 {
            var ask = request(0)
            ask.holder = BudgetHolder(id: "a", calls: 1, expectedOutput: 4000, usualTime: .seconds(2))
            if let written { ask.reports = [.written(written)] }
            return try #require(budget.apply(ask, at: start + time).buckets.first).level
        }
        #expect(try level(after: .zero) == 10_000)
        #expect(try level(after: .seconds(1), written: 3000) == 7000)
        // In a second 1,000 refill and 2,000 are expected; it was a hundred.
        #expect(try level(after: .seconds(2), written: 100) == 7900)
        #expect(SharedBudget(encoded: budget.encoded) == budget)
    }

    @Test func whilePersonsWaitElsewhereNoBackgroundCallTakesTheirPlace() throws {
        var budget = try known([.requests: 60], at: start, seconds: 1)
        #expect(budget.apply(request(1, holder: "a"), at: start).granted == 1)
        #expect(budget.apply(request(1, holder: "a"), at: start).granted == 0)
        let soon = start + .milliseconds(1300)
        // It asks what else could begin while the person waits.
        var look = request(0, holder: "a")
        look.waitsAsBefore = true
        _ = budget.apply(look, at: soon)
        let background = budget.apply(request(1, holder: "b", isInteractive: false), at: soon)
        #expect(background.granted == 0 && background.wait <= .milliseconds(100))
        #expect(SharedBudget(encoded: budget.encoded) == budget)
        #expect(budget.apply(request(1, holder: "a"), at: soon).granted == 1)
        let later = start + .milliseconds(2700)
        #expect(budget.apply(request(1, holder: "b", isInteractive: false), at: later).granted == 1)
    }

    /// Each process has one call that waits: a job is claimed when its first call can begin.
    @Test func theWayOfCallsIsLearnedWhereEachProcessHasOneCallThatWaits() throws {
        var budget = try known([.requests: 60], at: start, seconds: 1)
        var now = start
        for _ in 0..<100 {
            now = now + .milliseconds(100)
            for holder in ["a", "b"] { _ = budget.apply(request(1, holder: holder, isInteractive: false), at: now) }
        }
        #expect(budget.spread.milliseconds < 100)
    }

    @Test func theWayOfCallsIsLearnedByOneProcessThatHasOneCallThatWaits() throws {
        var budget = try known([.requests: 60], at: start, seconds: 1)
        var now = start
        for _ in 0..<100 {
            now = now + .milliseconds(100)
            _ = budget.apply(request(1, isInteractive: false), at: now)
        }
        #expect(budget.spread.milliseconds < 100)
    }

    @Test func aBucketOfOneCallRefillsAsMuchLaterAsThatCallIsSent() throws {
        func next(after late: Duration?, seconds: Int64) throws -> Duration {
            var budget = try known([.requests: 60], at: start, seconds: seconds)
            while budget.apply(request(1, isInteractive: false), at: start).granted > 0 {}
            var ask = request(1, isInteractive: false)
            ask.reports = late.map { [.late($0)] } ?? []
            return budget.apply(ask, at: start).wait
        }
        let usual = try next(after: nil, seconds: 1)
        #expect(try next(after: .milliseconds(60), seconds: 1) == usual + .milliseconds(60))
        #expect(try next(after: .seconds(10), seconds: 1) == usual + .milliseconds(250), "it is bounded")
        #expect(try next(after: .milliseconds(60), seconds: 10) == next(after: nil, seconds: 10))
    }

    @Test func oneProcessClaimsTheNextJobWhileACallWaitsForABucketOfOne() throws {
        var budget = try known([.requests: 60], at: start, seconds: 1)
        _ = budget.apply(request(1, isInteractive: false), at: start)
        var ask = request(1, isInteractive: false)
        ask.usual = CallNeed(input: 100, output: 10)
        // One waits for a second, so another one begins within two.
        #expect(budget.apply(ask, at: start + .milliseconds(300)).startable == 2)
    }

    @Test func aPartOfTheLevelIsReservedForInteractiveCalls() throws {
        var budget = try known([.input: 60_000], at: start, seconds: 10)
        let background = budget.apply(request(30, input: 400, isInteractive: false), at: start).granted
        // Of 9,750 tokens about 3,000 remain.
        #expect((15...17).contains(background), "\(background)")
        #expect(budget.apply(request(1, input: 3000), at: start).granted == 1)
    }

    @Test func aPromptOfMostOfASmallBucketDoesNotWaitUntilItIsFull() throws {
        var budget = try known([.input: 60_000], at: start, seconds: 2)
        #expect(budget.apply(request(1, input: 1500, isInteractive: false), at: start).granted == 1)
        // Of 2,000 tokens 1,750 can be relied on. 250 are left, and 1,600 refill; with the whole reserve beside it the call
        // would wait until all are there, and the bucket would be full for a while.
        let later = start + .milliseconds(1600)
        #expect(budget.apply(request(1, input: 1500, isInteractive: false), at: later).granted == 1)
    }

    @Test func aShareUsesAPartOfWhatTheProviderTells() throws {
        var budget = try known([.requests: 1200], at: start)
        let half = BudgetLimits(share: 50)
        var granted = 0
        for second in 0..<60 {
            granted += budget.apply(request(100, of: half), at: start + .seconds(second)).granted
        }
        // 600 in a minute, and what five seconds allow at once.
        #expect((590...660).contains(granted), "\(granted)")
    }

    @Test func theSmallerOfToldAndSetLimitsCounts() throws {
        for (told, set) in [(Int64(600), Int64(120)), (120, 600)] {
            var budget = try known([.requests: told], at: start, seconds: 5)
            var granted = 0
            for second in 0..<60 {
                granted +=
                    budget.apply(
                        request(100, of: BudgetLimits(requestsPerMinute: set)), at: start + .seconds(second)
                    ).granted
            }
            #expect((110...135).contains(granted), "\(granted)")
        }
    }

    @Test func aLoanOfADeadProcessReturnsAfterFiveSeconds() throws {
        var budget = try known([.input: 60_000], at: start)
        #expect(budget.apply(request(16, input: 3000, holder: "dead"), at: start).granted == 16)
        // Of 60,000 tokens there are fewer than 12,000 left, and 5,000 refill.
        #expect(budget.apply(request(1, input: 20_000), at: start).granted == 0)
        #expect(budget.apply(request(1, input: 20_000), at: start + .milliseconds(4900)).granted == 0)
        #expect(budget.apply(request(1, input: 20_000), at: start + .seconds(5)).granted == 1)
    }

    @Test func aLoanOfALivingProcessIsUsed() throws {
        var budget = try known([.input: 60_000], at: start)
        #expect(budget.apply(request(16, input: 3000, holder: "other"), at: start).granted == 16)
        _ = budget.apply(request(0, holder: "other"), at: start + .seconds(2))
        #expect(budget.apply(request(1, input: 20_000), at: start + .seconds(6)).granted == 0)
    }

    @Test func aCorrectionCountsOnceAlsoWhenALaterHeadIncludesIt() throws {
        var budget = try known([.input: 600_000], at: start, seconds: 10)
        let first = try #require(budget.apply(request(1, input: 20_000), at: start).mark)
        let second = try #require(budget.apply(request(1, input: 20_000), at: start + .seconds(1)).mark)
        var report = request(0)
        // The provider counted 10,000 of each, and both before the second head.
        report.reports = [
            .head(LimitReading([.input: .init(limit: 600_000, remaining: 80_000)]), second),
            .corrected(BudgetAmount(input: -10_000), first), .corrected(BudgetAmount(input: -10_000), second),
        ]
        let level = budget.apply(report, at: start + .seconds(1)).buckets.first { $0.kind == .input }?.level
        #expect(level == 80_000)
    }

    @Test func aHeadTellsTheLevelAtAnyTimeSinceItsCall() throws {
        func level(after calls: [(count: Int, at: Duration)]) throws -> Int64? {
            var budget = try known([.requests: 600], at: start)
            let mark = try #require(budget.apply(request(1), at: start).mark)
            for (count, time) in calls { #expect(budget.apply(request(count), at: start + time).granted == count) }
            var report = request(0)
            report.reports = [.head(LimitReading([.requests: .init(limit: 600, remaining: 300)]), mark)]
            return budget.apply(report, at: start + .seconds(2)).buckets.first?.level
        }
        // Of the 20 that refill in two seconds none is certain.
        #expect(try level(after: []) == 300)
        // The head may have been made just before these calls: ten refill after them.
        #expect(try level(after: [(20, .seconds(1))]) == 290)
        // The last calls may still be on their way to the provider.
        #expect(try level(after: [(20, .milliseconds(1900))]) == 280)
    }

    @Test func aRefusalStopsAllProcessesAndDoublesWithoutAHint() throws {
        var budget = try known([.requests: 600], at: start)
        var now = start
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            var refusal = request(0, holder: "b")
            refusal.reports = [.refused(after: nil, LimitReading()), .refused(after: nil, LimitReading())]
            _ = budget.apply(refusal, at: now)
            let reply = budget.apply(request(1), at: now)
            #expect(reply.granted == 0 && reply.blockedFor == .seconds(pause))
            now = now + .seconds(pause)
            #expect(budget.apply(request(1), at: now + .milliseconds(200)).granted == 1)
            now = now + .milliseconds(200)
        }
        var long = request(0)
        long.reports = [.refused(after: .seconds(100_000), LimitReading())]
        #expect(budget.apply(long, at: now).blockedFor == SharedBudget.longestBlock)
        long.reports = [.refused(after: .seconds(1), LimitReading())]
        #expect(budget.apply(long, at: now).blockedFor == SharedBudget.longestBlock, "it is never shortened")
    }

    @Test func anInteractiveCallDoesNotWaitForTheAnswersOfBackgroundCalls() throws {
        var budget = try known([.output: 150_000], at: start, seconds: 10)
        func ask(isInteractive: Bool) -> Int {
            var ask = request(1, output: 1000, isInteractive: isInteractive)
            // Twice what the level of 25,000 and the refill in a usual call's time hold.
            ask.holder = BudgetHolder(id: "a", calls: 120, expectedOutput: 120_000, usualTime: .seconds(18))
            return budget.apply(ask, at: start).granted
        }
        #expect(ask(isInteractive: false) == 0)
        #expect(ask(isInteractive: true) == 1)
        // The expected output of interactive calls counts, so that these do not take more than there is.
        var count = 1
        while count < 100, ask(isInteractive: true) == 1 { count += 1 }
        #expect((10...30).contains(count), "\(count) calls of 1,000 tokens at a level of 25,000")
    }

    @Test func fewJobsAreClaimedAtOnceBeforeTheFirstHead() {
        var budget = SharedBudget()
        var ask = request(0)
        ask.usual = CallNeed(input: 100, output: 10)
        #expect(budget.apply(ask, at: start).startable == 2)
        #expect(budget.apply(request(2), at: start).granted == 2)
        let full = budget.apply(ask, at: start)
        #expect(full.startable == 0 && full.startableIn == .milliseconds(250))
        #expect(budget.apply(ask, at: start + .milliseconds(300)).startable == 2)
    }

    @Test func theCallsThatMayBeginSoonAreSharedByTheProcesses() throws {
        var budget = try known([.input: 60_000], at: start, seconds: 10)
        while budget.apply(request(5, input: 1000, isInteractive: false), at: start).granted > 0 {}
        var ask = request(0, holder: "a")
        ask.usual = CallNeed(input: 100, output: 10)
        let alone = try #require(budget.apply(ask, at: start).startable)
        #expect((18...28).contains(alone), "two seconds at ten a second, and a rest: \(alone)")
        for id in ["b", "c", "d"] { _ = budget.apply(request(0, holder: id), at: start) }
        #expect(budget.apply(ask, at: start).startable == alone / 4)
        ask.reports = [.refused(after: .seconds(10), LimitReading())]
        let blocked = budget.apply(ask, at: start)
        #expect(blocked.startable == 0 && blocked.startableIn == .seconds(8))
    }

    @Test func aProcessWithoutACallLeavesRoomForOthersThatAreNotHeardOf() throws {
        var budget = try known([.input: 60_000], at: start, seconds: 10)
        while budget.apply(request(5, input: 1000, isInteractive: false), at: start).granted > 0 {}
        var ask = request(0)
        ask.usual = CallNeed(input: 100, output: 10)
        let busy = try #require(budget.apply(ask, at: start).startable)
        ask.holder = nil
        #expect(budget.apply(ask, at: start).startable == busy / 4)
        for id in ["b", "c", "d", "e", "f", "g", "h"] { _ = budget.apply(request(0, holder: id), at: start) }
        #expect(budget.apply(ask, at: start).startable == busy / 8)
    }

    @Test func aSharpRiseIsSpreadOverTenSeconds() throws {
        var budget = try known([.requests: 600_000], at: start)
        var perSecond: [Int] = []
        for step in 0..<200 {
            let granted = budget.apply(request(200), at: start + .milliseconds(100 * step)).granted
            if step % 10 == 0 { perSecond.append(0) }
            perSecond[perSecond.count - 1] += granted
        }
        #expect(perSecond[1] <= 48 && perSecond[10] <= 6 * 48, "\(perSecond)")
        #expect(perSecond[19] > 3 * perSecond[1], "\(perSecond)")
    }

    @Test func aRequestThatOnlyReadsChangesNothing() throws {
        var budget = try known([.requests: 600], at: start)
        let before = budget
        _ = budget.apply(BudgetRequest(budget: "b", usual: CallNeed(input: 1, output: 1)), at: start + .seconds(1))
        #expect(budget == before)
        #expect(BudgetRequest(budget: "b").isReadOnly && !request(0).isReadOnly)
    }

    @Test func aClockThatIsSetBackNeitherFillsNorBlocksTheBudget() throws {
        var budget = try known([.requests: 60], at: start)
        while budget.apply(request(50), at: start).granted > 0 {}
        var refusal = request(0)
        refusal.reports = [.refused(after: .seconds(30), LimitReading())]
        _ = budget.apply(refusal, at: start)
        let earlier = start - .seconds(600)
        let reply = budget.apply(request(1), at: earlier)
        #expect(reply.granted == 0 && reply.blockedFor == .seconds(30))
        #expect(budget.apply(request(1), at: earlier + .seconds(29)).granted == 0)
        #expect(budget.apply(request(1), at: earlier + .seconds(40)).granted == 1)
    }

    @Test func theEncodedTextKeepsTheWholeState() throws {
        var budget = try known([.requests: 600, .input: 60_000, .output: 9000, .tokens: 70_000], at: start)
        for second in 0..<80 {
            var request = request(2, of: BudgetLimits(tokensPerMinute: 50_000, share: 80), holder: "p\(second % 5)")
            if second == 70 { request.reports = [.refused(after: .seconds(100), LimitReading())] }
            _ = budget.apply(request, at: start + .seconds(second))
        }
        #expect(SharedBudget(encoded: budget.encoded) == budget)
        #expect(budget.encoded.utf8.count < 4000)
        let old = #"{"version":1,"updated_at":1,"request_fill":0,"token_fill":0,"blocked_until":null,"lent":[]}"#
        for other in ["", "{}", "[]", "{\"version\":3}", old, budget.encoded.replacing("[", with: "{")] {
            #expect(SharedBudget(encoded: other) == nil)
        }
    }
}
