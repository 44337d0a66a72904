import HTTP
import JSON
import Simulator
import Testing

@Suite struct RecordTests {
    @Test func concurrentCallsAreCountedExactly() async throws {
        try await Harness.run(.init(keptRequests: 50)) { harness async throws in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let call: Call = number % 2 == 0 ? .claude(stream: number % 4 == 0) : .gemini()
                        return try await harness.send(call).status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(harness.simulator.count() == 200)
            #expect(harness.simulator.count(of: .claude) == 100)
            let kept = harness.simulator.requests()
            #expect(kept.map(\.sequence) == Array(151...200))
        }
    }

    @Test func aCallIsRecordedWithoutItsKey() async throws {
        try await Harness.run { harness async throws in
            _ = try await harness.send(.claude(["metadata": ["user_id": "u"]]))
            var keyInQuery = Call.gemini().header("x-goog-api-key", nil)
            keyInQuery.path += "?key=secret-key"
            _ = try await harness.send(keyInQuery)
            let listed = try await harness.send(Call(method: .get, path: "/simulator/requests", headers: [:]))
            #expect(!listed.text.contains("secret-key"))
            let calls = listed.json["requests"]?.array ?? []
            #expect(listed.json["count"] == 2 && calls.count == 2)
            #expect(calls[0]["service"] == "claude" && calls[0]["model"] == "claude-sonnet-5-5")
            #expect(calls[0]["headers"]?["x-api-key"] == "***" && calls[0]["body"]?["metadata"]?["user_id"] == "u")
            #expect(calls[0]["status"] == 200 && calls[0]["outcome"] == "answered")
            #expect(calls[1]["model"] == "gemini-3.8-flash")
            #expect(calls[1]["path"]?.string?.hasSuffix("?key=***") == true)
        }
    }

    @Test func equalBodiesHaveOneHash() async throws {
        try await Harness.run { harness async throws in
            for body: JSON in [["max_tokens": 100], ["max_tokens": 100.0], ["max_tokens": 101]] {
                _ = try await harness.send(.claude(body))
            }
            let hashes = harness.simulator.calls(to: .claude).map(\.bodyHash)
            #expect(hashes[0] != nil && hashes[0] == hashes[1] && hashes[1] != hashes[2])
        }
    }

    @Test func controlRequestsAreStrictAndNotCounted() async throws {
        try await Harness.run { harness async throws in
            func control(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> HTTPResponse {
                try await harness.send(
                    Call(method: method, path: path, headers: ["content-type": "application/json"], body: body))
            }
            let rules: JSON = [
                ["action": "429", "limit": "ramp", "retry_after": 0.5, "service": "claude", "times": 1],
                ["action": "slow", "first_byte": 0, "per_delta": 0],
            ]
            #expect(try await control(.post, "/simulator/faults", rules).status == 201)
            #expect(try await harness.send(.claude()).headers["retry-after"] == "0.5")
            #expect(try await control(.get, "/simulator/faults").json[0]?["applied"] == 1)
            for wrong: JSON in [
                ["action": "nap"], ["action": 418], ["service": "claude"], ["action": "stall", "rate": 2],
                ["action": "stall", "tims": 1], ["action": "429", "limit": "x"], "stall", "stall=2",
            ] {
                #expect(try await control(.post, "/simulator/faults", wrong).status == 400)
            }
            #expect(try await control(.post, "/simulator/faults", "stall=0.5,529=0.001x10").status == 201)
            #expect(try await control(.get, "/simulator/faults").json.array?.count == 4)
            #expect(try await control(.delete, "/simulator/faults").status == 204)
            #expect(try await control(.delete, "/simulator/requests").status == 204)
            #expect(harness.simulator.count() == 0)
            #expect(try await control(.get, "/simulator/nothing").status == 404)
            #expect(try await control(.get, "/").json["companies"]?.array?.count == 30)
        }
    }

    @Test func anUnknownFaultInAHeaderIsRefused() async throws {
        try await Harness.run { harness async throws in
            #expect(try await harness.send(.claude().header("x-simulate", "nap")).status == 400)
        }
    }
}
