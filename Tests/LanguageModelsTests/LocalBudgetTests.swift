import JobQueue
import Testing

@testable import LanguageModels

@Suite struct LocalBudgetTests {
    private let budget = ModelBudget(
        name: "claude/sonnet", limits: BudgetLimits(requestsPerMinute: 600, tokensPerMinute: 100_000))
    private let need = BudgetAmount(requests: 1, tokens: 100)

    /// The time of the grants in these tests.
    private let seven = Timestamp(milliseconds: 7)
    private let eight = Timestamp(milliseconds: 8)

    private func reply(_ requests: Int64, _ tokens: Int64, blockedFor: Duration? = nil) -> BudgetReply {
        BudgetReply(
            granted: BudgetAmount(requests: requests, tokens: tokens), wait: .zero, blockedFor: blockedFor,
            timestamp: seven)
    }

    @Test func aGrantServesSeveralCallsWithOneRequest() {
        var local = LocalBudget(budget)
        #expect(local.take(need, at: .seconds(1)).isAsk)
        for _ in 0..<5 { local.enqueue(need) }
        let request = local.request(for: need, isInteractive: false, at: .seconds(1))
        #expect(request.need == need && request.wanted == BudgetAmount(requests: 6, tokens: 600))
        local.receive(reply(6, 600), askedAt: .seconds(1), at: .seconds(1))
        for _ in 0..<6 { #expect(local.take(need, at: .seconds(1)).permit?.grantedAt == seven) }
        #expect(local.take(need, at: .seconds(1)).isAsk)
    }

    @Test func afterASecondTheStoreIsAskedAgainAndTheRemainderIsKept() {
        var local = LocalBudget(budget)
        local.receive(reply(6, 600), askedAt: .seconds(1), at: .seconds(1))
        #expect(local.take(need, at: .milliseconds(1999)).permit != nil)
        #expect(local.take(need, at: .seconds(2)).isAsk)
        let request = local.request(for: need, isInteractive: false, at: .seconds(2))
        #expect(request.need == nil && request.corrections.isEmpty)
        local.receive(
            BudgetReply(granted: nil, wait: .zero, blockedFor: nil, timestamp: eight), askedAt: .seconds(2),
            at: .seconds(2))
        #expect(local.take(need, at: .seconds(2)).permit?.grantedAt == seven)
    }

    @Test func theRemainderOfAnExpiredGrantIsReturned() {
        var local = LocalBudget(budget)
        local.receive(reply(6, 600), askedAt: .seconds(1), at: .seconds(1))
        _ = local.take(need, at: .seconds(1))
        let request = local.request(for: need, isInteractive: false, at: .seconds(6))
        #expect(request.need == need)
        #expect(request.corrections == [.init(grantedAt: seven, amount: BudgetAmount(requests: -5, tokens: -500))])
    }

    @Test func aBlockByAnotherProcessStopsCallsUntilItEnds() {
        var local = LocalBudget(budget)
        local.receive(reply(6, 600, blockedFor: .milliseconds(400)), askedAt: .seconds(1), at: .seconds(1))
        guard case .blocked(let pause) = local.take(need, at: .milliseconds(1100)) else {
            Issue.record("it is not blocked")
            return
        }
        #expect(pause == .milliseconds(300))
        #expect(local.take(need, at: .milliseconds(1400)).permit != nil)
    }

    @Test func correctionsAreReportedWithinASecondAndNoneIsLost() {
        var local = LocalBudget(budget)
        local.receive(reply(2, 200), askedAt: .seconds(1), at: .seconds(1))
        local.correct(BudgetAmount(tokens: -60), grantedAt: seven)
        local.correct(BudgetAmount(tokens: -30), grantedAt: seven)
        #expect(local.settlement(at: .milliseconds(1500)) == nil)
        let settlement = local.settlement(at: .seconds(2))
        #expect(settlement?.corrections == [.init(grantedAt: seven, amount: BudgetAmount(tokens: -90))])
        if let settlement { local.restore(settlement) }
        #expect(local.settlement(at: .seconds(2))?.corrections == settlement?.corrections)
        #expect(local.settlement(at: .seconds(3)) == nil)
    }

    @Test func theBacklogIsTheTimeThatTheQueueNeeds() {
        var local = LocalBudget(budget)
        #expect(local.backlog == .zero)
        for _ in 0..<100 { local.enqueue(need) }
        // 100 calls at 600 a minute; their tokens would take six seconds.
        #expect(local.backlog == .seconds(10))
        for _ in 0..<100 { local.dequeue(need) }
        #expect(local.backlog == .zero)
    }

    @Test func aBudgetWithoutLimitsAsksOnlyForBlocks() {
        var local = LocalBudget(ModelBudget(name: "claude/a"))
        let request = local.request(for: need, isInteractive: true, at: .seconds(1))
        #expect(request.need == nil)
        local.receive(
            BudgetReply(granted: nil, wait: .zero, blockedFor: nil, timestamp: eight), askedAt: .seconds(1),
            at: .seconds(1))
        for _ in 0..<100 { #expect(local.take(need, at: .milliseconds(1500)).permit?.amount.isZero == true) }
        local.correct(BudgetAmount(tokens: -60), grantedAt: eight)
        #expect(local.settlement(at: .seconds(9)) == nil)
    }

    @Test func withoutLimitsOneCallAsksForBlocksWhileTheOthersGoOn() {
        var local = LocalBudget(ModelBudget(name: "claude/a"))
        let reply = BudgetReply(granted: nil, wait: .zero, blockedFor: nil, timestamp: eight)
        #expect(local.takeUnlimited(at: .seconds(1)) == nil, "there is no reply yet")
        local.receive(reply, askedAt: .seconds(1), at: .seconds(1))
        #expect(local.takeUnlimited(at: .milliseconds(1900)) != nil)
        #expect(local.takeUnlimited(at: .seconds(2)) == nil, "the first call asks")
        #expect(local.takeUnlimited(at: .milliseconds(2100)) != nil)
        #expect(local.takeUnlimited(at: .seconds(3)) == nil, "its reply did not come")
        #expect(local.takeUnlimited(at: .seconds(6)) == nil, "the last reply is too old")
        local.receive(
            BudgetReply(granted: nil, wait: .zero, blockedFor: .seconds(5), timestamp: Timestamp(milliseconds: 9)),
            askedAt: .seconds(6),
            at: .seconds(6))
        #expect(local.takeUnlimited(at: .milliseconds(6100)) == nil, "the provider is blocked")
    }

    @Test func aReplyIsCurrentFromItsArrivalOn() {
        var local = LocalBudget(ModelBudget(name: "claude/a"))
        local.receive(
            BudgetReply(granted: nil, wait: .zero, blockedFor: nil, timestamp: eight), askedAt: .seconds(1),
            at: .seconds(4))
        #expect(local.take(need, at: .seconds(4)).permit != nil)
    }
}

extension LocalBudget.Decision {
    fileprivate var permit: LocalBudget.Permit? {
        if case .permit(let permit) = self { permit } else { nil }
    }

    fileprivate var isAsk: Bool {
        if case .ask = self { true } else { false }
    }
}
