import Testing

@testable import JobQueue

@Suite struct OpenBreakerTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)
    private let scope = BreakerScope.model("sonnet")

    /// Applies one report to a budget, and passes the budget through its text as a store does.
    private func report(
        _ event: BreakerReport.Event, _ scope: BreakerScope? = nil, to budget: inout SharedBudget, after seconds: Int
    ) throws -> BudgetReply {
        var request = BudgetRequest(budget: "claude/sonnet", limits: BudgetLimits())
        request.breakers = [BreakerReport(scope ?? self.scope, event)]
        let reply = budget.apply(request, at: start + .seconds(seconds))
        budget = try #require(SharedBudget(encoded: budget.encoded))
        return reply
    }

    @Test func anOpeningLastsThirtySecondsAndEachFurtherOneTwiceAsLongUpToFiveMinutes() throws {
        var budget = SharedBudget()
        var now = 0
        for length in [30, 60, 120, 240, 300, 300] {
            let reply = try report(.opened, to: &budget, after: now)
            #expect(reply.openings == [.init(scope: scope, rest: .seconds(length), length: .seconds(length))])
            now += length
            #expect(try report(.wantsProbe, to: &budget, after: now).probes == [scope])
        }
        #expect(try report(.closed, to: &budget, after: now).openings.isEmpty)
        #expect(try report(.opened, to: &budget, after: now).openings.map(\.length) == [.seconds(30)])
    }

    @Test func processesThatFindTheSameAtOnceOpenItOnce() throws {
        var budget = SharedBudget()
        _ = try report(.opened, to: &budget, after: 0)
        let second = try report(.opened, to: &budget, after: 5)
        #expect(second.openings == [.init(scope: scope, rest: .seconds(25), length: .seconds(30))])
    }

    @Test func oneProcessAtATimeMayProbeAndOnlyWhenTheTimeIsOver() throws {
        var budget = SharedBudget()
        #expect(try report(.wantsProbe, to: &budget, after: 0).probes.isEmpty, "nothing is open")
        _ = try report(.opened, to: &budget, after: 0)
        #expect(try report(.wantsProbe, to: &budget, after: 29).probes.isEmpty)
        #expect(try report(.wantsProbe, to: &budget, after: 30).probes == [scope])
        #expect(try report(.wantsProbe, to: &budget, after: 31).probes.isEmpty)
        #expect(try report(.wantsProbe, to: &budget, after: 150).probes == [scope], "the first process may be dead")
    }

    @Test func scopesAreApartAndAnOpeningThatNobodyProbesIsForgotten() throws {
        var budget = SharedBudget()
        _ = try report(.opened, to: &budget, after: 0)
        let both = try report(.opened, .provider, to: &budget, after: 10)
        #expect(Set(both.openings.map(\.scope)) == [.provider, scope])
        #expect(try report(.closed, to: &budget, after: 20).openings.map(\.scope) == [.provider])
        #expect(try report(.wantsProbe, to: &budget, after: 3700).openings.isEmpty)
    }

    @Test func aClockThatIsSetBackKeepsTheRest() throws {
        var budget = SharedBudget()
        _ = try report(.opened, to: &budget, after: 1000)
        let reply = try report(.wantsProbe, to: &budget, after: 10)
        #expect(reply.openings.map(\.rest) == [.seconds(30)])
    }

    @Test func aBudgetWithoutOpeningsStoresNone() {
        var budget = SharedBudget()
        let request = BudgetRequest(
            budget: "b", holder: BudgetHolder(id: "a"), calls: [CallNeed(input: 1, output: 1)])
        _ = budget.apply(request, at: start)
        #expect(!budget.encoded.contains("open_breakers"))
        #expect(SharedBudget(encoded: budget.encoded) == budget)
    }
}
