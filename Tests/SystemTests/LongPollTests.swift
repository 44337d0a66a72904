import DossierAPI
import DossierClient
import HTTP
import JSON
import Testing

extension SystemTests.Surface {
    /// Nothing happens in these fleets but what the test does: no other job's change wakes a waiter by luck.
    @Suite(.serialized) struct LongPollTests {
        @Test(.timeLimit(.minutes(10)))
        func aPollThatWaitsNeverMissesTheEnd() async throws {
            try await Fleet.with(variables: ["DOSSIER_STARTING_CREDITS": "1000"]) { fleet in
                try await fleet.startBroker()
                var random = SeededRandom()
                print("polls and cancels race by seed \(random.seed)")
                for _ in 0..<60 {
                    let id = try await fleet.submit().id
                    let pause = Int.random(in: 0...3000, using: &random)
                    let start = ContinuousClock.now
                    async let waiting = fleet.client().job(id, wait: 60)
                    // The end shall fall before, into and after the moment in which the poll settles down to wait.
                    try await Task.sleep(for: .microseconds(pause))
                    _ = try await fleet.client().cancel(id)
                    #expect(try await waiting.status == "cancelled")
                    #expect(ContinuousClock.now - start < .seconds(50), "the poll slept through the end")
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func theEventsOfJobsThatHaveEndedEnd() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let ids = [try await fleet.submit().id, try await fleet.submit().id]
                for id in ids { _ = try await fleet.client().cancel(id) }
                for path in ["/api/v1/jobs/\(ids[0])/events", "/api/v1/events?jobs=\(ids[0]),\(ids[1])"] {
                    let text = try await fleet.text(path)
                    #expect(text.contains("event: cancelled") && text.contains(ids[0]), "\(text)")
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aPollThatWaitsIsToldOfAChangeAndOfTheTime() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let id = try await fleet.submit().id
                let path = "/api/v1/jobs/\(id)"
                let tag = try #require(try await fleet.send(.get, path).headers["ETag"])
                #expect(try await fleet.send(.get, path, headers: ["If-None-Match": tag]).status == 304)
                // Time itself is what is tested.
                let start = ContinuousClock.now
                #expect(try await fleet.send(.get, path + "?wait=1", headers: ["If-None-Match": tag]).status == 304)
                #expect(ContinuousClock.now - start >= .seconds(1))
                async let change = fleet.send(.get, path + "?wait=30", headers: ["If-None-Match": tag])
                _ = try await fleet.client().cancel(id)
                let answer = try await change
                #expect(answer.status == 200 && answer.data["status"] == "cancelled")
                #expect(try await fleet.send(.get, path + "?wait=61").status == 422)
            }
        }
    }
}
