import DataSources
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SingleFlightTests {
    private typealias Flights = SingleFlight<String, Int, SourceFailure>

    @Test func aValueReturnedEarlyEndsTheWaitAndNotTheWork() async throws {
        let flights = Flights(endsWhenAbandoned: false)
        let gate = Gate()
        let early = try await flights.value(for: "a") { handOut async throws(SourceFailure) in
            handOut(1)
            await gate.pass()
            return 2
        }
        #expect(early == 1)
        await gate.waitForArrivals(1)
        let late = Task {
            try await flights.value(for: "a") { _ async throws(SourceFailure) in 3 }
        }
        await gate.open()
        // It came while the first flight was under way, or after it.
        #expect([2, 3].contains(try await late.value))
    }

    @Test func anAbandonedFlightIsCancelledWhenTheCacheSaysSo() async throws {
        let flights = Flights(endsWhenAbandoned: true)
        let gate = Gate()
        let ended = Gate()
        let caller = Task {
            try await flights.value(for: "a") { _ async throws(SourceFailure) in
                await gate.pass()
                while !Task.isCancelled { await Task.yield() }
                await ended.pass()
                return 1
            }
        }
        await gate.waitForArrivals(1)
        await gate.open()
        caller.cancel()
        await #expect(throws: SourceFailure.cancelled) { try await caller.value }
        await ended.waitForArrivals(1)
        #expect(try await flights.value(for: "a") { _ async throws(SourceFailure) in 2 } == 2)
        await ended.open()
    }

    @Test func aCancelledCallerStartsNoFlight() async throws {
        let flights = Flights(endsWhenAbandoned: false)
        let caller = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await flights.value(for: "a") { _ async throws(SourceFailure) in
                Issue.record("a cancelled caller started a flight")
                return 1
            }
        }
        caller.cancel()
        await #expect(throws: SourceFailure.cancelled) { try await caller.value }
    }
}
