import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Choices of plans, and the credits that come with each month.
    package static let months: [ConformanceCase] = [
        ConformanceCase("a month begins once, however many processes begin it") { harness in
            let other = try await harness.fixture.open()
            let changes = try await withThrowingTaskGroup(of: MonthlyChange.self) { group in
                for number in 0..<20 {
                    let store = number % 2 == 0 ? harness.store : other
                    group.addTask { try await store.begin(.month("2026-11", 30)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(changes.map(\.granted).sorted() == Array(repeating: 0, count: 19) + [30])
            #expect(try await harness.balance() == CreditBalance(granted: 40, held: 0, used: 0))
            let entries = try await other.ledger(of: 1, LedgerFilter(), before: nil, limit: 9)
            #expect(entries.map(\.source) == [.plan, .start] && entries.map(\.month) == ["2026-11", nil])
            #expect(try await harness.store.begin(.month("2026-10", 99)) == MonthlyChange())
        },
        ConformanceCase("plan credits are used first, and what is left beyond the carry-over goes") { harness in
            let store = harness.store
            #expect(try await store.begin(.month("2026-11", 8)) == MonthlyChange(granted: 8))
            let worker = try await harness.worker()
            try await harness.submit(cost: 3)
            try await store.complete(try await harness.claimOne(worker).lease, with: 1, effects: [])
            #expect(
                try await store.monthlyCredits(of: 1)
                    == MonthlyCredits(month: "2026-11", granted: 8, spent: 3, pool: 5, used: 3))
            let next = try await store.begin(.month("2026-12", 8, carryOver: 2))
            #expect(next == MonthlyChange(granted: 8, expired: 3))
            #expect(try await harness.balance() == CreditBalance(granted: 23, held: 0, used: 3))
            let entries = try await store.ledger(of: 1, LedgerFilter(movement: .grant), before: nil, limit: 9)
            #expect(entries.map(\.amount) == [8, -3, 8, 10])
            #expect(entries.map(\.source) == [.plan, .expiry, .plan, .start])
            #expect(entries.map(\.month) == ["2026-12", "2026-11", "2026-11", nil])
            // Without a plan's credits the rest goes, and the credits of the start stay for ever.
            #expect(try await store.begin(.month("2027-01", 0)) == MonthlyChange(expired: 10))
            #expect(try await store.begin(.month("2027-02", 0)) == MonthlyChange())
            #expect(try await harness.balance().remaining == 10)
        },
        ConformanceCase("credits that a job holds at the end of a month go on, and go later when they come back") {
            harness in
            let store = harness.store
            _ = try await store.begin(.month("2026-11", 5))
            let held = try await harness.submit(cost: 4).id
            #expect(try await store.begin(.month("2026-12", 5)) == MonthlyChange(granted: 5, expired: 1))
            #expect(try await harness.balance() == CreditBalance(granted: 19, held: 4, used: 0))
            _ = try await store.cancel(held, of: nil)
            #expect(try await store.begin(.month("2027-01", 5)) == MonthlyChange(granted: 5, expired: 9))
            #expect(try await harness.balance() == CreditBalance(granted: 15, held: 0, used: 0))
        },
        ConformanceCase("an upgrade adds what is missing, and a downgrade takes nothing") { harness in
            let store = harness.store
            _ = try await store.begin(.month("2026-11", 5))
            let worker = try await harness.worker()
            try await harness.submit(cost: 2)
            try await store.complete(try await harness.claimOne(worker).lease, with: 1, effects: [])
            #expect(try await store.begin(.month("2026-11", 12)) == MonthlyChange(granted: 7))
            #expect(try await store.begin(.month("2026-11", 5)) == MonthlyChange())
            #expect(try await store.begin(.month("2026-11", 12)) == MonthlyChange())
            #expect(
                try await store.monthlyCredits(of: 1)
                    == MonthlyCredits(month: "2026-11", granted: 12, spent: 2, pool: 10, used: 2))
            #expect(try await harness.balance() == CreditBalance(granted: 22, held: 0, used: 2))
        },
        ConformanceCase("a refund takes plan credits, too, and no more of them go than are there") { harness in
            let store = harness.store
            _ = try await store.begin(.month("2026-11", 5))
            _ = try await store.grant(-12, to: 1, note: "refund", startingCredits: 10)
            #expect(try await store.begin(.month("2026-12", 5)) == MonthlyChange(granted: 5, expired: 3))
            #expect(try await harness.balance() == CreditBalance(granted: 5, held: 0, used: 0))
        },
        ConformanceCase("a choice goes before a tier, and is audited with the choice") { harness in
            let store = harness.store
            let user = try await store.account(for: "anna").id
            #expect(try await store.planChoice(of: user) == PlanChoice())
            try await store.noteTier("gold", of: user)
            #expect(try await store.choosePlan("team", for: user, audit: harness.entry("users.plan")))
            try await store.noteTier(nil, of: user)
            try await store.noteTier("silver", of: user)
            #expect(try await store.planChoice(of: user) == PlanChoice(chosen: "team", tier: "silver"))
            #expect(try await store.choosePlan(nil, for: user, audit: harness.entry("users.plan")))
            #expect(try await store.planChoice(of: user) == PlanChoice(tier: "silver"))
            #expect(try await !store.choosePlan("team", for: 99, audit: harness.entry("users.plan")))
            #expect(try await store.planChoice(of: 99) == PlanChoice())
            #expect(try await harness.audit(AuditFilter()).count == 2)
        },
        ConformanceCase("a sweep begins the month of every user once, by the user's own plan") { harness in
            let store = harness.store
            var gold = Plan()
            gold.monthlyCredits = 20
            var small = Plan()
            small.monthlyCredits = 3
            let plans = try #require(
                Plans(["standard": Plan(), "gold": gold, "small": small], default: "standard", service: .init()))
            let month = CalendarMonth(of: harness.clock.now)
            var users: [UserID] = []
            for name in ["a", "b", "c"] { users.append(try await store.account(for: name).id) }
            #expect(try await !store.hasMonthlyCredits())
            try await store.noteTier("gold", of: users[0])
            try await store.noteTier("gold", of: users[1])
            _ = try await store.choosePlan("small", for: users[1], audit: harness.entry("users.plan"))
            let other = try await harness.fixture.open()
            let changes = try await withThrowingTaskGroup(of: MonthlyChange.self) { group in
                for number in 0..<8 {
                    let store = number % 2 == 0 ? store : other
                    group.addTask { try await MonthlySweep(store, plans: plans).begin(month) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(changes.reduce(0) { $0 + $1.granted } == 23 && changes.allSatisfy { $0.expired == 0 })
            #expect(try await store.hasMonthlyCredits())
            #expect(try await MonthlySweep(store, plans: plans).begin(month) == MonthlyChange())
            for (user, granted) in zip(users, [30, 13, 10]) {
                #expect(try await store.balance(of: user, startingCredits: 10).granted == granted)
            }
            let next = CalendarMonth(of: month.end)
            #expect(try await MonthlySweep(store, plans: plans).begin(next) == MonthlyChange(granted: 23, expired: 23))
            // Without any plan with credits, what is left of them goes all the same.
            let after = CalendarMonth(of: next.end)
            #expect(try await MonthlySweep(store, plans: Plans()).begin(after) == MonthlyChange(expired: 23))
        },
    ]
}

extension MonthlyGrant {
    fileprivate static func month(_ month: String, _ amount: Int, carryOver: Int = 0) -> MonthlyGrant {
        MonthlyGrant(user: 1, month: month, amount: amount, carryOver: carryOver, startingCredits: 10)
    }
}
