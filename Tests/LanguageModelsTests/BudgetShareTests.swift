import Testing

@testable import LanguageModels

@Suite struct BudgetShareTests {
    private let budget = ModelBudget(name: "claude/sonnet", requestsPerMinute: 600, tokensPerMinute: 100_000)
    private let need = BudgetUse(requests: 1, tokens: 100)

    private func answer(
        _ requests: Int64, _ tokens: Int64, timestamp: Int64 = 7, blockedFor: Duration? = nil
    ) -> BudgetAnswer {
        BudgetAnswer(
            granted: BudgetUse(requests: requests, tokens: tokens), wait: .zero, blockedFor: blockedFor, timestamp: timestamp)
    }

    @Test func aShareServesManyCallsWithOneQuestion() {
        var share = LocalBudget(budget)
        #expect(share.take(need, at: .seconds(1)).isAsk)
        for _ in 0..<5 { share.enqueue(need) }
        let request = share.request(for: need, isInteractive: false, at: .seconds(1))
        #expect(request.need == need && request.wanted == BudgetUse(requests: 6, tokens: 600))
        share.learn(answer(6, 600), askedAt: .seconds(1), at: .seconds(1))
        for _ in 0..<6 { #expect(share.take(need, at: .seconds(1)).permit?.timestamp == 7) }
        #expect(share.take(need, at: .seconds(1)).isAsk)
    }

    @Test func afterASecondTheBankIsAskedAgainAndWhatIsLeftIsKept() {
        var share = LocalBudget(budget)
        share.learn(answer(6, 600), askedAt: .seconds(1), at: .seconds(1))
        #expect(share.take(need, at: .milliseconds(1999)).permit != nil)
        #expect(share.take(need, at: .seconds(2)).isAsk)
        let question = share.request(for: need, isInteractive: false, at: .seconds(2))
        #expect(question.need == nil && question.corrections.isEmpty)
        share.learn(
            BudgetAnswer(granted: nil, wait: .zero, blockedFor: nil, timestamp: 8), askedAt: .seconds(2), at: .seconds(2))
        #expect(share.take(need, at: .seconds(2)).permit?.timestamp == 7)
    }

    @Test func whatIsLeftWhenALoanEndsGoesBack() {
        var share = LocalBudget(budget)
        share.learn(answer(6, 600), askedAt: .seconds(1), at: .seconds(1))
        _ = share.take(need, at: .seconds(1))
        let request = share.request(for: need, isInteractive: false, at: .seconds(6))
        #expect(request.need == need)
        #expect(request.corrections == [.init(timestamp: 7, amount: BudgetUse(requests: -5, tokens: -500))])
    }

    @Test func anotherProcessesBlockStopsCallsUntilItsTime() {
        var share = LocalBudget(budget)
        share.learn(answer(6, 600, blockedFor: .milliseconds(400)), askedAt: .seconds(1), at: .seconds(1))
        guard case .blocked(let pause) = share.take(need, at: .milliseconds(1100)) else {
            Issue.record("it is not blocked")
            return
        }
        #expect(pause == .milliseconds(300))
        #expect(share.take(need, at: .milliseconds(1400)).permit != nil)
    }

    @Test func correctionsAreToldWithinASecondAndNoneIsLost() {
        var share = LocalBudget(budget)
        share.learn(answer(2, 200), askedAt: .seconds(1), at: .seconds(1))
        share.correct(BudgetUse(tokens: -60), of: 7)
        share.correct(BudgetUse(tokens: -30), of: 7)
        #expect(share.settlement(at: .milliseconds(1500)) == nil)
        let settlement = share.settlement(at: .seconds(2))
        #expect(settlement?.corrections == [.init(timestamp: 7, amount: BudgetUse(tokens: -90))])
        if let settlement { share.restore(settlement) }
        #expect(share.settlement(at: .seconds(2))?.corrections == settlement?.corrections)
        #expect(share.settlement(at: .seconds(3)) == nil)
    }

    @Test func aLongLineIsToldWhenItWillBeServed() {
        var share = LocalBudget(budget)
        #expect(share.backlog == .zero)
        for _ in 0..<100 { share.enqueue(need) }
        // 100 calls at 600 a minute; their tokens would take six seconds.
        #expect(share.backlog == .seconds(10))
        for _ in 0..<100 { share.dequeue(need) }
        #expect(share.backlog == .zero)
    }

    @Test func aBudgetWithoutLimitsOnlyAsksForNews() {
        var share = LocalBudget(ModelBudget(name: "claude/a"))
        let request = share.request(for: need, isInteractive: true, at: .seconds(1))
        #expect(request.need == nil)
        share.learn(
            BudgetAnswer(granted: nil, wait: .zero, blockedFor: nil, timestamp: 8), askedAt: .seconds(1), at: .seconds(1))
        for _ in 0..<100 { #expect(share.take(need, at: .milliseconds(1500)).permit?.use.isZero == true) }
        share.correct(BudgetUse(tokens: -60), of: 8)
        #expect(share.settlement(at: .seconds(9)) == nil)
    }

    @Test func withoutLimitsOneAsksForNewsWhileTheOthersGoOn() {
        var share = LocalBudget(ModelBudget(name: "claude/a"))
        let news = BudgetAnswer(granted: nil, wait: .zero, blockedFor: nil, timestamp: 8)
        #expect(share.passWithoutLine(at: .seconds(1)) == nil, "nothing is known")
        share.learn(news, askedAt: .seconds(1), at: .seconds(1))
        #expect(share.passWithoutLine(at: .milliseconds(1900)) != nil)
        #expect(share.passWithoutLine(at: .seconds(2)) == nil, "the first one asks")
        #expect(share.passWithoutLine(at: .milliseconds(2100)) != nil)
        #expect(share.passWithoutLine(at: .seconds(3)) == nil, "its answer did not come")
        #expect(share.passWithoutLine(at: .seconds(6)) == nil, "what is known is too old")
        share.learn(
            BudgetAnswer(granted: nil, wait: .zero, blockedFor: .seconds(5), timestamp: 9), askedAt: .seconds(6),
            at: .seconds(6))
        #expect(share.passWithoutLine(at: .milliseconds(6100)) == nil, "the provider is left alone")
    }

    @Test func anAnswerIsFreshFromItsArrivalOn() {
        var share = LocalBudget(ModelBudget(name: "claude/a"))
        share.learn(
            BudgetAnswer(granted: nil, wait: .zero, blockedFor: nil, timestamp: 8), askedAt: .seconds(1), at: .seconds(4))
        #expect(share.take(need, at: .seconds(4)).permit != nil)
    }
}

extension LocalBudget.Decision {
    fileprivate var permit: LocalBudget.Permit? {
        if case .go(let permit) = self { permit } else { nil }
    }

    fileprivate var isAsk: Bool {
        if case .ask = self { true } else { false }
    }
}
