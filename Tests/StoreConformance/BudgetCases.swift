import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Budgets of providers.
    package static let budgets: [ConformanceCase] = [
        ConformanceCase("what one process borrowed, another cannot have") { harness in
            let other = try await harness.fixture.open()
            let first = try await harness.borrow(10, of: 10)
            #expect(first.granted?.requests == 10)
            let second = try await harness.borrow(1, of: 10, at: other)
            #expect(second.granted == nil && second.wait > .seconds(5))
            harness.clock.advance(by: .seconds(66))
            #expect(try await harness.borrow(1, of: 10, at: other).granted?.requests == 1)
        },
        ConformanceCase("what is given back can be lent again") { harness in
            let loan = try await harness.borrow(600, of: 600)
            #expect(loan.granted?.requests == 600)
            #expect(try await harness.borrow(1, of: 600).granted == nil)
            let back = BudgetCorrection(grantedAt: loan.timestamp, amount: BudgetAmount(requests: -590))
            #expect(try await harness.borrow(1, of: 600, corrections: [back]).granted?.requests == 1)
        },
        ConformanceCase("a block reaches every process with its next question, and ends") { harness in
            let other = try await harness.fixture.open()
            var order = BudgetRequest(budget: "claude/sonnet", limits: BudgetLimits())
            order.blockedFor = .seconds(20)
            _ = try await harness.store.exchange([order])
            let blocked = try await harness.borrow(1, of: nil, at: other)
            #expect(blocked.granted == nil && blocked.blockedFor == .seconds(20))
            #expect(try await harness.borrow(1, of: nil, budget: "claude/haiku", at: other).granted?.requests == 1)
            harness.clock.advance(by: .seconds(20))
            #expect(try await harness.borrow(1, of: nil, at: other).granted?.requests == 1)
        },
        ConformanceCase("several budgets are asked at once, and answered in order") { harness in
            let orders = ["b", "a", "c"].map { name in
                BudgetRequest(
                    budget: name, limits: BudgetLimits(requestsPerMinute: name == "a" ? 1 : 60),
                    need: BudgetAmount(requests: name == "a" ? 1 : 2), isInteractive: true)
            }
            _ = try await harness.store.exchange([orders[1]])
            let replies = try await harness.store.exchange(orders)
            #expect(replies.map { $0.granted?.requests } == [2, nil, 2])
        },
        ConformanceCase("many processes at once get no more than there is") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            let granted = try await withThrowingTaskGroup(of: Int64.self) { group in
                for place in 0..<200 {
                    group.addTask {
                        try await harness.borrow(1, of: 660, at: handles[place % 2]).granted?.requests ?? 0
                    }
                }
                return try await group.reduce(into: Int64(0)) { $0 += $1 }
            }
            // Five seconds' worth at once.
            #expect(granted == 50)
        },
    ]
}

extension StoreHarness {
    func borrow(
        _ requests: Int64, of limit: Int64?, budget: String = "claude/sonnet", corrections: [BudgetCorrection] = [],
        at store: (any DossierStore)? = nil
    ) async throws -> BudgetReply {
        let order = BudgetRequest(
            budget: budget, limits: BudgetLimits(requestsPerMinute: limit), need: BudgetAmount(requests: requests),
            isInteractive: true, corrections: corrections)
        let reply = try await (store ?? self.store).exchange([order]).first
        return try #require(reply)
    }
}
