import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Grants under ids of other systems, and what users see of the ledger.
    package static let ledger: [ConformanceCase] = [
        ConformanceCase("operators see the entries of all users, each with what its user has after it") { harness in
            let store = harness.store
            let users = [try await store.account(for: "ann").id, try await store.account(for: "bob").id]
            for round in 0..<3 {
                for user in users {
                    let lease = try await harness.running(by: user.rawValue, cost: 1)
                    if round < 2 { try await store.complete(lease, with: 1, effects: []) }
                    harness.clock.advance(by: .seconds(1))
                }
            }
            _ = try await harness.grant(5, "shop:1", to: users[1].rawValue)
            var (found, place): ([UserLedgerEntry], Int64?) = ([], nil)
            while true {
                let page = try await store.ledgerOfAll(LedgerFilter(), of: nil, before: place, limit: 3)
                guard let last = page.last else { break }
                found += page
                place = last.entry.number
            }
            #expect(found.map(\.entry.number) == found.map(\.entry.number).sorted(by: >))
            #expect(found.count == 13 && Set(found.map(\.entry.number)).count == 13)
            for (user, subject) in zip(users, ["ann", "bob"]) {
                let own = try await store.ledger(of: user, LedgerFilter(), before: nil, limit: 99)
                let seen = found.filter { $0.user == user }
                #expect(Set(seen.map(\.entry)) == Set(own) && seen.allSatisfy { $0.subject == subject })
                let alone = try await store.ledgerOfAll(LedgerFilter(), of: user, before: nil, limit: 99)
                #expect(alone == seen)
            }
            let grants = try await store.ledgerOfAll(LedgerFilter(movement: .grant), of: nil, before: nil, limit: 99)
            #expect(grants == found.filter { $0.entry.movement == .grant } && grants.count == 3)
            let granted = try await store.ledger(of: users[1], LedgerFilter(movement: .grant), before: nil, limit: 1)
            #expect(granted.map(\.source) == [.purchase])
            let settled = try await store.ledgerOfAll(LedgerFilter(movement: .settle), of: nil, before: nil, limit: 99)
            #expect(settled.count == 4 && settled.allSatisfy { $0.entry.movement == .settle })
            let job = try #require(settled.first?.entry.job)
            let ofJob = try await store.ledgerOfAll(LedgerFilter(job: job), of: nil, before: nil, limit: 99)
            #expect(ofJob.map(\.entry.movement) == [.settle, .hold])
            // Far apart, so that a stretch of time is found by the numbers of its entries.
            harness.clock.advance(by: .seconds(1000))
            let last = try await store.ledgerOfAll(LedgerFilter(), of: nil, before: nil, limit: 1)
            _ = try await harness.grant(1, "shop:2", to: users[0].rawValue)
            let newest = try await store.ledgerOfAll(LedgerFilter(), of: nil, before: nil, limit: 1)
            let pause = LedgerFilter(from: try #require(last.first).entry.at + .seconds(100))
            #expect(try await store.ledgerOfAll(pause, of: nil, before: nil, limit: 99) == newest && newest != last)
            found = newest + found
            let time = try #require(found.last).entry.at + .seconds(1)
            let early = try await store.ledgerOfAll(LedgerFilter(to: time), of: nil, before: nil, limit: 99)
            let late = try await store.ledgerOfAll(LedgerFilter(from: time), of: nil, before: nil, limit: 99)
            #expect(late + early == found && !early.isEmpty && !late.isEmpty)
        },
        ConformanceCase("twenty equal grants at once are one grant") { harness in
            let other = try await harness.fixture.open()
            let outcomes = try await withThrowingTaskGroup(of: CreditGranting.self) { group in
                for number in 0..<20 {
                    let store = number % 2 == 0 ? harness.store : other
                    let (grant, entry) = (harness.newGrant(5, "shop:1"), harness.entry("credits.grant"))
                    group.addTask { try await store.grant(grant, audit: entry) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let granted = outcomes.compactMap { if case .granted(let grant) = $0 { grant } else { nil } }
            let first = try #require(granted.first)
            #expect(granted.count == 1 && first.applied == 5)
            #expect(first.balance == CreditBalance(granted: 15, held: 0, used: 0))
            #expect(outcomes.count { $0 == .existing(first) } == 19)
            #expect(try await harness.balance() == first.balance)
            #expect(try await other.creditGrant(externalID: "shop:1") == first)
            #expect(try await other.creditGrant(externalID: "shop:2") == nil)
            #expect(try await harness.audit(AuditFilter()).count == 1)
        },
        ConformanceCase("an external id belongs to one grant in the whole service") { harness in
            _ = try await harness.grant(5, "shop:1")
            for (user, amount, source) in [
                (Int64(2), 5, CreditSource.purchase), (1, 6, .purchase), (1, 5, .gift),
            ] {
                let outcome = try await harness.grant(amount, "shop:1", to: user, source: source)
                #expect(outcome == .conflict, "\(user) \(amount) \(source)")
            }
            #expect(try await harness.balance() == CreditBalance(granted: 15, held: 0, used: 0))
            #expect(try await harness.balance(2).granted == 10)
            #expect(try await harness.audit(AuditFilter()).count == 1)
        },
        ConformanceCase("a negative grant takes at most what remains") { harness in
            try await harness.submit(cost: 4)
            guard case .granted(let refund) = try await harness.grant(-7, "r1", source: .refund) else {
                Issue.record("no refund")
                return
            }
            #expect(refund.applied == -6 && refund.balance == CreditBalance(granted: 4, held: 4, used: 0))
            guard case .granted(let nothing) = try await harness.grant(-1, "r2", source: .refund) else {
                Issue.record("no refund")
                return
            }
            #expect(nothing.applied == 0 && nothing.balance.granted == 4)
            #expect(try await harness.grant(-1, "r2", source: .refund) == .existing(nothing))
            guard case .granted(let newcomer) = try await harness.grant(-11, "r3", to: 2, source: .refund) else {
                Issue.record("no refund")
                return
            }
            #expect(newcomer.applied == -10 && newcomer.balance.remaining == 0)
            _ = try await harness.store.grant(.max - 4, to: 1, note: "", startingCredits: 10)
            #expect(try await harness.grant(1, "r4") == .tooMany)
            #expect(try await harness.store.creditGrant(externalID: "r4") == nil)
        },
        ConformanceCase("all effects of the ledger add up to the balance") { harness in
            let worker = try await harness.worker()
            try await harness.submit(cost: 2)
            try await harness.store.complete(try await harness.claimOne(worker).lease, with: 1, effects: [])
            harness.clock.advance(by: .seconds(10))
            let cancelled = try await harness.submit(cost: 3).id
            _ = try await harness.store.cancel(cancelled, of: nil)
            _ = try await harness.grant(5, "shop:1")
            harness.clock.advance(by: .seconds(10))
            try await harness.submit(cost: 1)
            try await harness.submit(2, cost: 1)
            let entries = try await harness.store.ledger(of: 1, LedgerFilter(), before: nil, limit: 50)
            #expect(entries.map(\.movement) == [.hold, .grant, .release, .hold, .settle, .hold, .grant])
            #expect(entries.map(\.amount) == [1, 5, 3, 3, 2, 2, 10])
            #expect(entries.map(\.source) == [nil, .purchase, nil, nil, nil, nil, .start])
            #expect(entries[0].kind == "research" && entries[1].job == nil)
            let balance = try await harness.balance()
            let last = LedgerEntry.Credits(remaining: balance.remaining, held: balance.held, used: balance.used)
            #expect(entries[0].after == last)
            let sums = [\LedgerEntry.effect.remaining, \.effect.held, \.effect.used].map { part in
                entries.reduce(0) { $0 + $1[keyPath: part] }
            }
            #expect(sums == [balance.remaining, balance.held, balance.used])
            for (later, earlier) in zip(entries, entries.dropFirst()) {
                #expect(later.after.remaining == earlier.after.remaining + later.effect.remaining)
            }
            let store = harness.store
            let page = try await store.ledger(of: 1, LedgerFilter(), before: entries[2].number, limit: 2)
            #expect(page == Array(entries[3...4]))
            let holds = try await store.ledger(of: 1, LedgerFilter(movement: .hold), before: nil, limit: 9)
            #expect(holds.map(\.amount) == [1, 3, 2] && holds[0] == entries[0])
            let ofJob = try await store.ledger(of: 1, LedgerFilter(job: cancelled), before: nil, limit: 9)
            #expect(ofJob == Array(entries[2...3]))
            let start = entries[2].at
            let middle = try await store.ledger(
                of: 1, LedgerFilter(from: start, to: start + .seconds(10)), before: nil, limit: 9)
            #expect(middle == Array(entries[1...3]))
        },
        ConformanceCase("a statement balances, and names kinds of jobs that were deleted") { harness in
            let worker = try await harness.worker()
            try await harness.submit(cost: 2)
            try await harness.store.complete(try await harness.claimOne(worker).lease, with: 1, effects: [])
            harness.clock.advance(by: .seconds(100))
            let middle = harness.clock.now
            for kind in ["research", "analyze", "analyze"] {
                try await harness.submit(cost: 1) { $0.kind = kind }
                try await harness.store.complete(try await harness.claimOne(worker).lease, with: 1, effects: [])
            }
            _ = try await harness.grant(5, "shop:1")
            _ = try await harness.grant(2, "gift:1", source: .gift)
            _ = try await harness.grant(-1, "shop:1:refund", source: .refund)
            try await harness.submit(cost: 1)
            harness.clock.advance(by: .seconds(40 * 86_400))
            let end = harness.clock.now
            while try await harness.store.deleteFinished(before: end, limit: 100) > 0 {}
            #expect(try await harness.store.auditCredits() == [])
            let statement = try await harness.store.creditStatement(of: 1, from: middle, to: end)
            #expect(statement.opening == 8 && statement.closing == 11 && statement.jobs == 3)
            #expect(statement.used == ["research": 1, "analyze": 2])
            #expect(statement.granted == [.purchase: 5, .gift: 2, .refund: -1] && statement.expired == 0)
            let before = try await harness.store.creditStatement(of: 1, from: .init(milliseconds: 0), to: middle)
            #expect(before.opening == 0 && before.granted == [.start: 10] && before.used == ["research": 2])
            #expect(before.closing == statement.opening)
        },
        ConformanceCase("the starting credits are stored once") { harness in
            let other = try await harness.fixture.open()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    let store = number % 2 == 0 ? harness.store : other
                    group.addTask { try await store.openCredits(of: 1, startingCredits: 10) }
                }
                try await group.waitForAll()
            }
            try await other.openCredits(of: 1, startingCredits: 20)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 0))
            let entries = try await other.ledger(of: 1, LedgerFilter(), before: nil, limit: 9)
            #expect(entries.map(\.amount) == [10])
        },
    ]
}

extension StoreHarness {
    fileprivate func newGrant(
        _ amount: Int, _ externalID: String, to user: Int64 = 1, source: CreditSource = .purchase
    ) -> NewCreditGrant {
        NewCreditGrant(
            id: makeID(), user: UserID(rawValue: user), amount: amount, externalID: externalID, source: source,
            note: "a note", startingCredits: 10)
    }

    fileprivate func grant(
        _ amount: Int, _ externalID: String, to user: Int64 = 1, source: CreditSource = .purchase
    ) async throws -> CreditGranting {
        try await store.grant(
            newGrant(amount, externalID, to: user, source: source), audit: entry("credits.grant"))
    }
}
