import HTTP
import JSON
import Testing

@testable import Simulator

@Suite struct BillTests {
    private func bill(_ harness: Harness, prices: JSON? = nil, _ query: String = "") async throws -> JSON {
        try await harness.send(
            Call(
                method: prices == nil ? .get : .post, path: "/simulator/bill" + query,
                headers: ["content-type": "application/json"], body: prices)
        ).json
    }

    @Test func everyCallIsBilledByItsClasses() async throws {
        try await Harness.run { harness async throws in
            let text = String(repeating: "A rule for the analyst. ", count: 400)
            let call = Call.claude([
                "system": [["type": "text", "text": JSON(text), "cache_control": ["type": "ephemeral", "ttl": "1h"]]],
                "metadata": ["user_id": "ada"],
            ])
            var usages: [JSON] = []
            for _ in 0..<3 { usages.append(try await harness.send(call).json["usage"] ?? .null) }
            _ = try await harness.send(call.header("x-simulate", "529"))
            _ = try await harness.send(call.with("foo", 1))
            func total(_ name: String) -> Int64 { usages.reduce(0) { $0 + ($1[name]?.integer ?? 0) } }
            let body = try await bill(
                harness,
                prices: [
                    "claude-sonnet-5-5": [
                        "input": 2, "output": 10, "cache_read": 0.1, "cache_write_5m": 2.5, "cache_write_1h": 4,
                    ]
                ], "?lines=true")
            let sum = body["sums"]?[0]
            #expect(body["lines"] == 3 && sum?["calls"] == 3 && sum?["user"] == "ada")
            #expect(sum?["input"]?.integer == total("input_tokens"))
            #expect(sum?["output"]?.integer == total("output_tokens"))
            #expect(sum?["cache_read"]?.integer == total("cache_read_input_tokens"))
            #expect(sum?["cache_write_1h"]?.integer == total("cache_creation_input_tokens"))
            var expected = 0.0
            for usage in usages {
                func count(_ name: String) -> Double { usage[name]?.double ?? 0 }
                let cost =
                    count("input_tokens") * 2 + count("output_tokens") * 10 + count("cache_read_input_tokens") * 0.1
                    + count("cache_creation_input_tokens") * 4
                expected += (cost - 1e-6).rounded(.up)
            }
            #expect(body["micro_dollars"]?.double == expected)
            #expect(body["bill"]?.array?.count == 3)
            #expect(body["bill"]?[0]?["state"] == "whole")
        }
    }

    @Test func aCancelledStreamBillsItsPromptAndWhatWasWritten() async throws {
        try await Harness.run { harness async throws in
            let whole = try await harness.events(.claude(stream: true))
            #expect(whole.isWhole)
            _ = try await harness.events(.claude(stream: true).header("x-simulate", "cut"))
            let lines = harness.simulator.bill()
            try #require(lines.count == 2)
            #expect(lines.map(\.state) == [.whole, .brokenOff])
            #expect(lines[1].tokens.allInput == lines[0].tokens.allInput)
            #expect(lines[1].tokens.output > 0 && lines[1].tokens.output < lines[0].tokens.output)
            #expect(harness.simulator.requests().compactMap(\.billed).map(\.output) == lines.map(\.tokens.output))
        }
    }

    @Test func aBodyThatIsCutWasGeneratedWhole() async throws {
        try await Harness.run { harness async throws in
            await #expect(throws: HTTPClientError.self) {
                try await harness.send(.claude().header("x-simulate", "cut"))
            }
            let whole = try await harness.send(.claude()).json["usage"]?["output_tokens"]?.integer ?? 0
            #expect(harness.simulator.bill().map { Int64($0.tokens.output) } == [whole, whole])
            #expect(harness.simulator.bill().map(\.state) == [.brokenOff, .whole])
        }
    }

    @Test func aLostAnswerIsBilledWhole() async throws {
        try await Harness.run { harness async throws in
            await #expect(throws: HTTPClientError.self) {
                try await harness.send(.claude().header("x-simulate", "lost_answer"))
            }
            let whole = try await harness.send(.claude()).json["usage"]?["output_tokens"]?.integer ?? 0
            #expect(harness.simulator.bill().map { Int64($0.tokens.output) } == [whole, whole])
        }
    }

    @Test func wrongPricesAreRefused() async throws {
        try await Harness.run { harness async throws in
            for wrong: JSON in [["m": ["input": 1]], ["m": ["input": -1, "output": 1]], ["m": ["x": 1]], [1]] {
                #expect(try await bill(harness, prices: wrong)["error"] != nil)
            }
        }
    }
}
