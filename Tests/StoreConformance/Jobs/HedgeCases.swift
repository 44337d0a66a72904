import JobQueue
import Testing

extension ConformanceSuite {
    /// Calls made beside others for the same answer, and their budget.
    package static let hedges: [ConformanceCase] = [
        ConformanceCase("a hedge and the call beside it are counted by the way in which they ended") { harness in
            let lease = try await harness.running()
            _ = try await harness.store.begin(.running("a", 500), under: lease, limits: SpendLimits())
            _ = try await harness.store.begin(.hedge("b", 300, of: "a"), under: lease, limits: SpendLimits())
            try await harness.expectSums(800, 800)
            #expect(try await harness.outcomes() == [])
            try await harness.store.settle([.ended("a", 200, .hedgeLost), .ended("b", 250)], of: lease)
            try await harness.expectSums(450, 450)
            #expect(
                try await harness.outcomes() == [
                    EndedCalls(state: .hedgeLost, isHedge: false, calls: 1, microDollars: 200),
                    EndedCalls(state: .ok, isHedge: true, calls: 1, microDollars: 250),
                ])
        },
        ConformanceCase("a hedge whose booking was lost is one after its end, too") { harness in
            let lease = try await harness.running()
            var end = ModelCall.ended("b", 40, .hedgeLost)
            end.hedgeOf = "a"
            try await harness.store.settle([end], of: lease)
            #expect(try await harness.outcomes().map(\.isHedge) == [true])
        },
        ConformanceCase("the calls of the last hour are those that began in it and have ended") { harness in
            let lease = try await harness.running()
            try await harness.store.settle([.ended("old", 10)], of: lease)
            harness.clock.advance(by: .seconds(1))
            try await harness.store.settle([.ended("new", 20), .ended("failed", 3, .failed)], of: lease)
            _ = try await harness.store.begin(.running("running", 500), under: lease, limits: SpendLimits())
            harness.clock.advance(by: .seconds(3599))
            #expect(try await harness.store.callsOfLastHour() == CallSum(calls: 2, microDollars: 23))
        },
        ConformanceCase("the first hedge of an hour is booked, and further ones as far as their budget holds them") {
            harness in
            let lease = try await harness.running()
            func hedge(_ id: String, _ cost: Int64, _ hour: CallSum) async throws -> Bool {
                var limits = SpendLimits()
                limits.hedges = HedgeBudget(hour)
                _ = try await harness.store.begin(.running("first-\(id)", 100), under: lease, limits: SpendLimits())
                let call = ModelCall.hedge(id, cost, of: "first-\(id)")
                return try await harness.store.begin(call, under: lease, limits: limits) != .hedgeRefused
            }
            let nothing = CallSum(calls: 0, microDollars: 0)
            #expect(try await hedge("a", 900, nothing))
            #expect(try await !hedge("b", 1, nothing))
            // While the first one runs, the dearer of both may be lost; after its end the loser counts.
            #expect(try await !hedge("c", 100, CallSum(calls: 100, microDollars: 49_999)))
            try await harness.store.settle([.ended("a", 900), .ended("first-a", 60, .hedgeLost)], of: lease)
            #expect(try await !hedge("d", 100, CallSum(calls: 39, microDollars: 8000)))
            #expect(try await !hedge("e", 100, CallSum(calls: 100, microDollars: 7999)))
            #expect(try await hedge("f", 10, CallSum(calls: 40, microDollars: 8000)))
            let begun = try await harness.outcomes()
            #expect(begun.filter(\.isHedge).map(\.microDollars) == [900])
            harness.clock.advance(by: .seconds(3600))
            #expect(try await hedge("g", 900, nothing))
        },
        ConformanceCase("hedges that begin together do not pass their budget together") { harness in
            let lease = try await harness.running()
            let store = harness.store
            var limits = SpendLimits()
            limits.hedges = HedgeBudget(CallSum(calls: 1000, microDollars: 25_000))
            let given = limits
            let booked = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await store.begin(.hedge("h-\(number)", 100, of: "f"), under: lease, limits: given)
                            != .hedgeRefused
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(booked == 5)
            try await harness.expectSums(500, 500)
        },
    ]
}

extension ModelCall {
    fileprivate static func hedge(_ id: String, _ cost: Int64, of first: String) -> ModelCall {
        var call = running(id, cost)
        call.hedgeOf = first
        return call
    }
}

/// The part of a sum that tells hedges from others.
private struct EndedCalls: Hashable {
    var state: ModelCall.State
    var isHedge: Bool
    var calls: Int64
    var microDollars: Int64
}

extension StoreHarness {
    fileprivate func outcomes() async throws -> Set<EndedCalls> {
        Set(
            try await store.modelCallSums(since: Timestamp(milliseconds: 0)).map {
                EndedCalls(state: $0.state, isHedge: $0.isHedge, calls: $0.calls, microDollars: $0.microDollars)
            })
    }
}
