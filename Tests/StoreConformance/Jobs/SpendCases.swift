import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// The books of model calls, and the limits of a day's spend.
    package static let spend: [ConformanceCase] = [
        ConformanceCase("a call is booked at its estimate and corrected by its end") { harness in
            let lease = try await harness.running(cost: 1)
            let begun = try await harness.store.begin(.running("a", 500), under: lease, limits: SpendLimits())
            #expect(begun.sums == [500, 500, 0])
            try await harness.expectSums(500, 500)
            try await harness.store.settle([.ended("a", 120)], of: lease)
            try await harness.expectSums(120, 120)
        },
        ConformanceCase("a repeated booking and a repeated end change nothing") { harness in
            let lease = try await harness.running(cost: 1)
            for _ in 1...2 {
                let begun = try await harness.store.begin(.running("a", 500), under: lease, limits: SpendLimits())
                #expect(begun.sums == [500, 500, 0])
            }
            for cost in [120, 130] as [Int64] {
                try await harness.store.settle([.ended("a", cost)], of: lease)
                _ = try await harness.store.append(
                    StoreHarness.step("a"), replacingFrom: nil, effects: [.recordModelCall(.ended("a", cost))],
                    under: lease)
            }
            let late = try await harness.store.begin(.running("a", 500), under: lease, limits: SpendLimits())
            #expect(late.sums == [120, 120, 0])
            try await harness.expectSums(120, 120)
            #expect(try await harness.store.modelCosts(by: .job, since: harness.start).map(\.calls) == [1])
        },
        ConformanceCase("a better knowledge replaces a worse one, and never the other way round") { harness in
            let lease = try await harness.running()
            _ = try await harness.store.begin(.running("a", 500), under: lease, limits: SpendLimits())
            try await harness.store.settle([.ended("a", 90, .cancelled, .counted)], of: lease)
            try await harness.store.settle([.ended("a", 70, .cancelled, .counted)], of: lease)
            try await harness.expectSums(90, 90)
            try await harness.store.settle([.ended("a", 0, .ok, .told)], of: lease)
            try await harness.expectSums(0, 0)
            try await harness.store.settle([.ended("a", 80, .cancelled, .counted)], of: lease)
            try await harness.expectSums(0, 0)
        },
        ConformanceCase("no call begins under a void lease") { harness in
            let lease = try await harness.running()
            try await harness.store.snooze([lease], after: .zero)
            await harness.expect(.leaseLost) {
                _ = try await harness.store.begin(.running("a", 500), under: lease, limits: SpendLimits())
            }
            try await harness.expectSums(0, 0)
        },
        ConformanceCase("a call under a void lease is booked and has no other effect") { harness in
            let lease = try await harness.running()
            _ = try await harness.store.begin(.running("a", 500), under: lease, limits: SpendLimits())
            let booked = Effect.recordModelCall(.ended("a", 3))
            let unknown = Effect.recordModelCall(.ended("b", 4))
            let document = Effect.record(.document(CachedDocument(key: "k", text: "{}", storedAt: 0, keptUntil: 1)))
            try await harness.store.snooze([lease], after: .zero)
            await harness.expect(.leaseLost) {
                try await harness.store.complete(lease, with: 1, effects: [booked, unknown, document])
            }
            await harness.expect(.leaseLost) {
                _ = try await harness.store.append(
                    StoreHarness.step("a"), replacingFrom: nil, effects: [booked, unknown, document], under: lease)
            }
            var failure = StoreHarness.giveUp
            failure.effects = [booked, unknown]
            let failed = failure
            await harness.expect(.leaseLost) { try await harness.store.fail(lease, with: failed) }
            try await harness.expectSums(7, 7)
            #expect(try await harness.store.journal(of: lease.job).isEmpty)
            #expect(try await harness.store.job(lease.job, of: nil)?.status == .pending)
        },
        ConformanceCase("running calls whose lease is void are closed at their estimate") { harness in
            let lease = try await harness.running()
            let other = try await harness.running()
            _ = try await harness.store.begin(.running("a", 500), under: lease, limits: SpendLimits())
            _ = try await harness.store.begin(.running("b", 40), under: other, limits: SpendLimits())
            #expect(try await harness.store.closeAbandonedCalls(limit: 10) == 0)
            _ = try await harness.store.cancel(lease.job, of: nil)
            #expect(try await harness.store.closeAbandonedCalls(limit: 10) == 1)
            #expect(try await harness.store.closeAbandonedCalls(limit: 10) == 0)
            try await harness.expectSums(540, 540)
            let costs = try await harness.store.modelCosts(by: .job, since: harness.start)
            #expect(costs.map(\.failedMicroDollars) == [500])
            try await harness.store.settle([.ended("a", 90, .cancelled, .counted)], of: lease)
            try await harness.expectSums(130, 130)
        },
        ConformanceCase("a running call is corrected, and ends at its last correction when its process dies") {
            harness in
            let lease = try await harness.running(cost: 1)
            let other = try await harness.running()
            for (id, lease) in [("a", lease), ("b", other)] {
                _ = try await harness.store.begin(.running(id, 500), under: lease, limits: SpendLimits())
            }
            try await harness.store.correct([
                .ended("a", 90, .running, .counted), .ended("b", 20, .running, .counted),
                .ended("unknown", 7, .running, .counted),
            ])
            try await harness.store.correct([.ended("a", 110, .running, .counted)])
            try await harness.expectSums(130, 130)
            #expect(try await harness.store.modelCosts(by: .job, since: harness.start).isEmpty)
            _ = try await harness.store.cancel(lease.job, of: nil)
            #expect(try await harness.store.closeAbandonedCalls(limit: 10) == 1)
            try await harness.expectSums(130, 130)
            // Its process lives after all, and knows more; a correction on its way is late.
            try await harness.store.correct([.ended("a", 115, .running, .counted)])
            try await harness.expectSums(130, 130)
            try await harness.store.settle([.ended("a", 120, .cancelled, .counted)], of: lease)
            try await harness.expectSums(140, 140)
            try await harness.store.correct([.ended("a", 5, .running, .counted)])
            try await harness.expectSums(140, 140)
        },
        ConformanceCase("a call of which nothing was known when its process died ends at its least use") { harness in
            let lease = try await harness.running(cost: 1)
            var call = ModelCall.running("a", 500)
            call.least = ModelCall.LeastUse(outputTokens: 1, costMicroDollars: 60)
            _ = try await harness.store.begin(call, under: lease, limits: SpendLimits())
            try await harness.expectSums(500, 500)
            _ = try await harness.store.cancel(lease.job, of: nil)
            #expect(try await harness.store.closeAbandonedCalls(limit: 10) == 1)
            try await harness.expectSums(60, 60)
            let costs = try await harness.store.modelCosts(by: .job, since: harness.start)
            #expect(costs.map(\.failedMicroDollars) == [60] && costs.map(\.outputTokens) == [1])
            try await harness.store.settle([.ended("a", 90, .cancelled, .counted)], of: lease)
            try await harness.expectSums(90, 90)
        },
        ConformanceCase("costs name the part of failed and of cancelled calls") { harness in
            let lease = try await harness.running()
            let ends: [(ModelCall.State, Int64)] = [
                (.ok, 1), (.failed, 10), (.stalled, 20), (.cut, 30), (.cancelled, 100),
                (.hedgeLost, 1000),
            ]
            try await harness.store.settle(ends.map { .ended("\($0.0)", $0.1, $0.0) }, of: lease)
            for grouping in CostGrouping.allCases {
                let line = try #require(try await harness.store.modelCosts(by: grouping, since: harness.start).first)
                #expect(line.microDollars == 1161 && line.failedMicroDollars == 60)
                #expect(line.cancelledMicroDollars == 1100 && line.calls == 6)
            }
        },
        ConformanceCase("the spend of a day begins anew at midnight UTC, and ends count for the day of the call") {
            harness in
            let lease = try await harness.running(cost: 1)
            let spend = try await harness.store.spend(of: UserID(rawValue: 1))
            harness.clock.advance(by: spend.dayEnd - harness.clock.now - .milliseconds(1))
            _ = try await harness.store.begin(.running("a", 500), under: lease, limits: SpendLimits())
            harness.clock.advance(by: .milliseconds(1))
            try await harness.expectSums(0, 0)
            let next = try await harness.store.begin(
                .running("b", 30), under: lease, limits: SpendLimits(user: 400, service: 400))
            #expect(next.sums == [30, 30, 0])
            try await harness.store.settle([.ended("a", 450)], of: lease)
            try await harness.expectSums(30, 30)
            let byDay = try await harness.store.modelCosts(by: .day, since: harness.start)
            #expect(byDay.map(\.microDollars) == [450])
        },
        ConformanceCase("a call beyond a limit of the day is refused by the name of the limit and not booked") {
            harness in
            let paid = try await harness.running(by: 1, cost: 1)
            let free = try await harness.running(by: 2)
            func begin(_ id: String, _ cost: Int64, _ lease: Lease, _ limits: SpendLimits) async throws -> SpendVerdict
            {
                try await harness.store.begin(.running(id, cost), under: lease, limits: limits)
            }
            #expect(try await begin("a", 100, free, SpendLimits(user: 99)).refusal == .user)
            #expect(try await begin("b", 100, free, SpendLimits(user: 100, service: 99)).refusal == .service)
            #expect(try await begin("c", 100, free, SpendLimits(user: 100, service: 100, free: 99)).refusal == .free)
            try await harness.expectSums(0, 0)
            let limits = SpendLimits(user: 100, service: 250, free: 100)
            #expect(try await begin("d", 100, free, limits).sums == [100, 100, 100])
            #expect(try await begin("e", 1, free, limits).refusal == .user)
            #expect(try await begin("f", 100, paid, limits).sums == [100, 200, 100])
            #expect(try await begin("g", 51, paid, SpendLimits(service: 250)).refusal == .service)
            #expect(try await begin("h", 50, paid, SpendLimits(service: 250)).sums == [150, 250, 100])
        },
        ConformanceCase("calls that begin together do not pass a user's limit together") { harness in
            let lease = try await harness.running()
            let store = harness.store
            let booked = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await store.begin(
                            .running("call-\(number)", 100), under: lease, limits: SpendLimits(user: 1000)
                        ).refusal == nil
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(booked == 10)
            try await harness.expectSums(1000, 1000)
        },
        ConformanceCase("what a job of the service costs counts for the user who set it off") { harness in
            try await harness.submit(UserID.system.rawValue) { $0.billedUser = 3 }
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let verdict = try await harness.store.begin(.running("a", 70), under: lease, limits: SpendLimits(user: 80))
            #expect(verdict.sums == [70, 70, 70])
            let second = try await harness.store.begin(.running("b", 70), under: lease, limits: SpendLimits(user: 80))
            #expect(second.refusal == .user)
            try await harness.expectSums(70, 70, of: 3)
            try await harness.expectSums(0, 70, of: UserID.system.rawValue)
            try await harness.store.settle([.ended("a", 70)], of: lease)
            #expect(try await harness.store.modelCosts(by: .user, since: harness.start).map(\.group) == ["3"])
        },
        ConformanceCase("the user whose submit begins shared work pays for it") { harness in
            let worker = try await harness.worker()
            for user in [5, 6] as [Int64] {
                let work = SharedWork(
                    id: harness.job(user).id, key: "work", input: 1, deadline: harness.clock.now + .seconds(900))
                try await harness.submit(user) { $0.source = .shared(work) }
            }
            let lease = try await harness.claimOne(worker).lease
            _ = try await harness.store.begin(.running("a", 70), under: lease, limits: SpendLimits())
            try await harness.expectSums(70, 70, of: 5)
            try await harness.expectSums(0, 70, of: 6)
        },
    ]
}

extension SpendVerdict {
    fileprivate var refusal: SpendLimit? {
        if case .refused(let limit, _) = self { limit } else { nil }
    }

    /// The sums of the user, the service and its free work after a booking.
    fileprivate var sums: [Int64]? {
        guard case .booked(let spend) = self else { return nil }
        return [spend.user, spend.service, spend.free]
    }
}

extension ModelCall {
    static func running(_ id: String, _ cost: Int64) -> ModelCall {
        ended(id, cost, .running, .estimated)
    }

    static func ended(
        _ id: String, _ cost: Int64, _ state: State = .ok, _ certainty: Certainty = .told
    ) -> ModelCall {
        ModelCall(
            id: id, provider: "claude", model: "m", state: state, certainty: certainty, inputTokens: 1,
            outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: cost)
    }
}

extension StoreHarness {
    /// The time before all calls.
    fileprivate var start: Timestamp { Timestamp(milliseconds: 0) }

    /// Checks the day's sums, and that they are those of the rows.
    func expectSums(
        _ user: Int64, _ service: Int64, of owner: Int64 = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let owner = UserID(rawValue: owner)
        let spend = try await store.spend(of: owner)
        #expect(spend.user == user && spend.service == service, sourceLocation: sourceLocation)
        let midnight = spend.dayEnd - .seconds(86_400)
        let rows = try await store.modelSpend(of: owner, since: midnight)
        #expect(spend.user == rows, sourceLocation: sourceLocation)
        var all: Int64 = 0
        for user in [1, 2, 3, 5, 6, UserID.system.rawValue] {
            all += try await store.modelSpend(of: UserID(rawValue: user), since: midnight)
        }
        #expect(spend.service == all, sourceLocation: sourceLocation)
    }
}
