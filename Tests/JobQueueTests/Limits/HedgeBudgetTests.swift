import JobQueue
import TestSupport
import Testing

@Suite struct HedgeBudgetTests {
    private struct Call {
        var at: Int
        var cost: Int64
        /// Of a hedge: what its loser has cost.
        var lost: Int64?
    }

    @Test(arguments: 0..<60)
    func losersOfAnHourCostAtMostAFiftiethOfItsSpendAndOneCall(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var calls: [Call] = []
        var (now, hedges, dearest) = (0, 0, Int64(0))
        let pause = Int.random(in: 1...120, using: &random)
        for _ in 0..<1500 {
            now += Int.random(in: 0...pause, using: &random)
            calls.append(Call(at: now, cost: Int64.random(in: 0...40_000, using: &random)))
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            calls.removeAll { $0.at <= now - 3600 }
            let used = calls.filter { $0.lost != nil }
            let lost = used.reduce(0) { $0 + ($1.lost ?? 0) }
            let spend = calls.reduce(0) { $0 + $1.cost }
            let budget = HedgeBudget(CallSum(calls: Int64(calls.count), microDollars: spend))
            let most = Int64.random(in: 0...40_000, using: &random)
            guard budget.allows(most, after: CallSum(calls: Int64(used.count), microDollars: lost)) else { continue }
            // The loser costs no more than was expected of the dearer call.
            let cost = Int64.random(in: 0...most, using: &random)
            calls.append(Call(at: now, cost: cost, lost: cost))
            (hedges, dearest) = (hedges + 1, max(dearest, most))
            #expect(lost + cost <= spend / 50 + dearest)
            #expect(used.count + 1 <= max(1, calls.count / 20))
        }
        #expect(hedges > 1)
    }

    @Test func theFirstHedgeOfAnHourIsAlwaysAllowed() {
        let none = CallSum(calls: 0, microDollars: 0)
        #expect(HedgeBudget(none).allows(1_000_000, after: none))
        #expect(!HedgeBudget(none).allows(0, after: CallSum(calls: 1, microDollars: 0)))
    }

    @Test func furtherHedgesAreATwentiethOfTheCallsAndAFiftiethOfTheSpend() {
        let budget = HedgeBudget(CallSum(calls: 100, microDollars: 1_000_000))
        #expect(budget.allows(1000, after: CallSum(calls: 4, microDollars: 19_000)))
        #expect(!budget.allows(1001, after: CallSum(calls: 4, microDollars: 19_000)))
        #expect(!budget.allows(0, after: CallSum(calls: 5, microDollars: 0)))
    }
}
