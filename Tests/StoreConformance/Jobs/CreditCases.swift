import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Credits, the audit and the costs of model calls.
    package static let money: [ConformanceCase] = [
        ConformanceCase("a user without any record has the starting credits") { harness in
            let user = UserID(rawValue: 77)
            let four = try await harness.store.balance(of: user, startingCredits: 4)
            #expect(four == CreditBalance(granted: 4, held: 0, used: 0))
            let five = try await harness.store.balance(of: user, startingCredits: 5)
            #expect(five.remaining == 5)
        },
        ConformanceCase("a grant adds to the starting credits") { harness in
            let user = UserID(rawValue: 1)
            let balance = try await harness.store.grant(5, to: user, note: "welcome", startingCredits: 10)
            #expect(balance == CreditBalance(granted: 15, held: 0, used: 0))
            #expect(try await harness.balance() == balance)
        },
        ConformanceCase("a negative grant takes remaining credits, and no more") { harness in
            let user = UserID(rawValue: 1)
            try await harness.submit(cost: 4)
            #expect(try await harness.store.grant(-7, to: user, note: "", startingCredits: 10) == nil)
            #expect(try await harness.balance().granted == 10)
            #expect(try await harness.store.grant(-6, to: user, note: "", startingCredits: 10)?.remaining == 0)
            let newcomer = UserID(rawValue: 2)
            #expect(try await harness.store.grant(-11, to: newcomer, note: "", startingCredits: 10) == nil)
            #expect(try await harness.store.grant(.max - 4, to: user, note: "", startingCredits: 10) != nil)
            #expect(try await harness.store.grant(1, to: user, note: "", startingCredits: 10) == nil)
        },
        ConformanceCase("the audit finds a balance that differs from the ledger") { harness in
            harness.expectsDiscrepancies = true
            try await harness.submit(1, cost: 1)
            try await harness.submit(2, cost: 1)
            #expect(try await harness.store.auditCredits() == [])
            try await harness.fixture.tamperWithBalance(of: UserID(rawValue: 1), addingToGranted: 5)
            let found = try await harness.store.auditCredits()
            #expect(found.map(\.user.rawValue) == [1])
            #expect(found.first?.stored == CreditBalance(granted: 15, held: 1, used: 0))
            #expect(found.first?.recomputed == CreditBalance(granted: 10, held: 1, used: 0))
        },
        ConformanceCase("the ledger balances after every kind of ending") { harness in
            let worker = try await harness.worker()
            let ends: [@Sendable (StoreHarness, Lease) async throws -> Void] = [
                { try await $0.store.complete($1, with: 1, effects: []) },
                { try await $0.store.fail($1, with: StoreHarness.giveUp) },
                { try await $0.store.fail($1, with: StoreHarness.retry(after: .seconds(1))) },
                { try await $0.store.snooze([$1], after: .zero) },
                { _ = try await $0.store.cancel($1.job, of: nil) },
                { harness, lease in
                    _ = try await harness.store.cancel(lease.job, of: nil)
                    _ = try await harness.store.retry(lease.job, of: nil)
                },
            ]
            for end in ends {
                try await harness.submit(cost: 1)
                try await end(harness, try await harness.claimOne(worker).lease)
                #expect(try await harness.store.auditCredits() == [])
            }
            let balance = try await harness.balance()
            #expect(balance.used == 1 && balance.granted == balance.remaining + balance.held + balance.used)
        },
        ConformanceCase("a model call counts once, however often it is recorded") { harness in
            let job = try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let call = Effect.recordModelCall(.of(120))
            let start = harness.clock.now
            _ = try await harness.store.append(
                StoreHarness.step("a"), replacingFrom: nil, effects: [call], under: lease)
            _ = try await harness.store.append(
                StoreHarness.step("a"), replacingFrom: nil, effects: [call], under: lease)
            try await harness.store.complete(lease, with: 1, effects: [call, .recordModelCall(.of(7))])
            #expect(try await harness.store.modelSpend(of: job.user, since: start) == 127)
            #expect(try await harness.store.modelSpend(of: job.user, since: start + .milliseconds(1)) == 0)
            #expect(try await harness.store.modelSpend(of: UserID(rawValue: 9), since: start) == 0)
        },
        ConformanceCase("a failed attempt keeps its paid model calls") { harness in
            let job = try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            var failure = StoreHarness.giveUp
            failure.effects = [.recordModelCall(.of(3))]
            try await harness.store.fail(lease, with: failure)
            #expect(try await harness.store.modelSpend(of: job.user, since: job.createdAt) == 3)
        },
        ConformanceCase("costs are summed by day, kind, model and user") { harness in
            let worker = try await harness.worker()
            let start = harness.clock.now
            for (user, cost) in [(1, 10), (2, 20), (2, 30)] {
                try await harness.submit(Int64(user)) { $0.kind = "kind\(cost)" }
                let lease = try await harness.claimOne(worker).lease
                try await harness.store.complete(lease, with: 1, effects: [.recordModelCall(.of(Int64(cost)))])
                harness.clock.advance(by: .seconds(24 * 3600))
            }
            let byUser = try await harness.store.modelCosts(by: .user, since: start)
            #expect(byUser.map(\.group) == ["2", "1"] && byUser.map(\.microDollars) == [50, 10])
            #expect(byUser.map(\.calls) == [2, 1] && byUser.map(\.inputTokens) == [32, 16])
            #expect(byUser.map(\.outputTokens) == [4, 2])
            let byDay = try await harness.store.modelCosts(by: .day, since: start)
            #expect(byDay.map(\.group) == ["2027-01-15", "2027-01-16", "2027-01-17"])
            let byKind = try await harness.store.modelCosts(by: .kind, since: start)
            #expect(byKind.map(\.group) == ["kind30", "kind20", "kind10"])
            let byModel = try await harness.store.modelCosts(by: .model, since: start + .milliseconds(1))
            #expect(byModel.map(\.group) == ["claude/m"] && byModel.map(\.microDollars) == [50])
        },
    ]
}

extension ModelCall {
    /// A model call with a cost, which is also its id.
    static func of(_ cost: Int64) -> ModelCall {
        ModelCall(
            id: "call-\(cost)", provider: "claude", model: "m", inputTokens: 1, outputTokens: 2, cacheReadTokens: 5,
            cacheWriteTokens: 10, costMicroDollars: cost)
    }
}
