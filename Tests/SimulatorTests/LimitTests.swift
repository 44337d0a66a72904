import Foundation
import HTTP
import JSON
import Testing

@testable import Simulator

@Suite struct LimitTests {
    private let time = TestTime()

    private func control(_ harness: Harness, _ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws
        -> HTTPResponse
    {
        try await harness.send(
            Call(method: method, path: path, headers: ["content-type": "application/json"], body: body))
    }

    @Test func requestsBeyondABucketAreRefusedUntilItHasFilledAgain() async throws {
        try await Harness.run(at: time, limits: "claude/sonnet: requests 60, burst 2") { harness async throws in
            for _ in 0..<2 { #expect(try await harness.send(.claude()).status == 200) }
            let refused = try await harness.send(.claude())
            #expect(refused.status == 429 && refused.headers["retry-after"] == "1")
            #expect(refused.json["error"]?["type"] == "rate_limit_error")
            #expect(refused.json["error"]?["message"]?.string?.contains("60 requests per minute") == true)
            #expect(refused.headers["anthropic-ratelimit-requests-remaining"] == "0")
            time.advance(0.5)
            #expect(try await harness.send(.claude()).status == 429)
            time.advance(0.5)
            #expect(try await harness.send(.claude()).status == 200)
            // Another class of models has limits of its own, here none.
            #expect(try await harness.send(.claude(["model": "claude-opus-5"])).status == 200)
        }
    }

    @Test func inputCountsWithoutWhatTheCacheReads() async throws {
        let text = String(repeating: "A rule for the analyst. ", count: 1_000)
        let call = Call.claude([
            "system": [["type": "text", "text": JSON(text), "cache_control": ["type": "ephemeral"]]]
        ])
        try await Harness.run(at: time, limits: "claude: input 60000, burst 12") { harness async throws in
            let first = try await harness.send(call)
            #expect((first.json["usage"]?["cache_creation_input_tokens"]?.integer ?? 0) > 5_000)
            // The first call counts with the whole prefix, and later ones with the rest alone.
            for _ in 0..<20 { #expect(try await harness.send(call).status == 200) }
            let other = call.with("system", JSON(text + "Another rule."))
            let refused = try await harness.send(other)
            #expect(refused.status == 429)
            #expect(refused.json["error"]?["message"]?.string?.contains("input tokens per minute") == true)
            time.advance(Double(refused.headers["retry-after"] ?? "") ?? 0)
            #expect(try await harness.send(other).status == 200)
        }
    }

    @Test func outputCountsAsItIsWrittenAndTheMostThatMayComeDoesNot() async throws {
        try await Harness.run(at: time, limits: "claude: output 600, burst 1") { harness async throws in
            let call = Call.claude(["max_tokens": 100_000])
            #expect(try await harness.send(call).status == 200)
            let refused = try await harness.send(call)
            #expect(refused.status == 429)
            #expect(refused.json["error"]?["message"]?.string?.contains("output tokens per minute") == true)
            time.advance(Double(refused.headers["retry-after"] ?? "") ?? 0)
            #expect(try await harness.send(call).status == 200)
        }
    }

    @Test func everyAnswerTellsTheLimitsAndThereforeTheSizeOfTheBuckets() async throws {
        let limits = "claude/sonnet: requests 600, input 3000000, output 600000, burst 30"
        try await Harness.run(at: time, limits: limits) { harness async throws in
            _ = try await harness.send(.claude())
            time.advance(0.25)
            let answers = [
                try await harness.send(.claude()), try await harness.send(.claude(stream: true)),
                try await harness.send(.claude(["foo": 1])),
                try await harness.send(.claude().header("x-simulate", "529")),
            ]
            #expect(answers.map(\.status) == [200, 200, 400, 529])
            for answer in answers {
                for (kind, limit) in [("requests", 600.0), ("input-tokens", 3_000_000), ("output-tokens", 600_000)] {
                    func header(_ name: String) -> String {
                        answer.headers["anthropic-ratelimit-\(kind)-\(name)"] ?? ""
                    }
                    #expect(Double(header("limit")) == limit)
                    let reset = try Date(header("reset"), strategy: .iso8601)
                    let ahead = reset.timeIntervalSince1970 - Double(time.now) / 1_000
                    let size = (Double(header("remaining")) ?? 0) + limit / 60 * ahead
                    // Times are rounded up to seconds and tokens to thousands.
                    #expect(size >= limit / 2 - 1_000 && size <= limit / 2 + limit / 60 + 1_000)
                }
                #expect(answer.headers["anthropic-ratelimit-tokens-limit"] == "3600000")
            }
        }
    }

    @Test func geminiTellsItsLimitsOnlyWhenTheyAreReached() async throws {
        try await Harness.run(at: time, limits: "gemini: requests 60, per_day 3, burst 2") { harness async throws in
            let first = try await harness.send(.gemini())
            #expect(!first.headers.fields.contains { $0.name.lowercased().contains("ratelimit") })
            _ = try await harness.send(.gemini())
            let minute = try await harness.send(.gemini())
            #expect(minute.status == 429 && minute.headers["retry-after"] == nil)
            let details = minute.json["error"]?["details"]
            #expect(details?[0]?["violations"]?[0]?["quotaId"]?.string?.contains("PerMinute") == true)
            #expect(details?[1]?["retryDelay"] == "1s")
            time.advance(1)
            #expect(try await harness.send(.gemini()).status == 200)
            let day = try await harness.send(.gemini()).json["error"]?["details"]
            #expect(day?[0]?["violations"]?[0]?["quotaId"]?.string?.contains("PerDay") == true)
            time.advance(86_400)
            #expect(try await harness.send(.gemini()).status == 200)
        }
    }

    @Test func openAIHasOneLimitOfTokensAndTellsIt() async throws {
        try await Harness.run(at: time, limits: "openai: requests 600, tokens 6000, burst 5") { harness async throws in
            let first = try await harness.send(.openAI())
            #expect(first.headers["x-ratelimit-limit-requests"] == "600")
            #expect(first.headers["x-ratelimit-remaining-requests"] == "49")
            #expect(first.headers["x-ratelimit-reset-requests"] == "100ms")
            #expect(first.headers["x-ratelimit-limit-tokens"] == "6000")
            var last = first
            for _ in 0..<10 where last.status == 200 { last = try await harness.send(.openAI()) }
            #expect(last.status == 429 && last.json["error"]?["type"] == "tokens")
            #expect(last.json["error"]?["code"] == "rate_limit_exceeded" && last.headers["retry-after"] != nil)
        }
    }

    @Test func aSharpRiseMeetsALimitOfItsOwn() async throws {
        try await Harness.run(at: time, limits: "claude: requests 6000, acceleration 2") { harness async throws in
            func letIn(_ asked: Int) async throws -> Int {
                var count = 0
                for _ in 0..<asked {
                    let answer = try await harness.send(.claude())
                    if answer.status == 200 {
                        count += 1
                    } else {
                        #expect(answer.json["error"]?["details"]?["error_code"] == "ramp_limit_exceeded")
                    }
                }
                return count
            }
            #expect(try await letIn(40) == 16)
            time.advance(10)
            #expect(try await letIn(40) == 32)
            time.advance(10)
            #expect(try await letIn(70) == 64)
            time.advance(60)
            #expect(try await letIn(20) == 16)
        }
    }

    @Test func aCallThatFailsBeforeItBeginsCountsTowardsNoLimit() async throws {
        let faults = [FaultRule(.status(529), times: 5)]
        try await Harness.run(at: time, limits: "claude: requests 60, burst 1", faults: faults) {
            harness async throws in
            for _ in 0..<5 { #expect(try await harness.send(.claude()).status == 529) }
            #expect(try await harness.send(.claude()).status == 200)
            #expect(try await harness.send(.claude()).status == 429)
        }
    }

    @Test func aLenientSimulatorCountsAndRefusesNothing() async throws {
        try await Harness.run(at: time, limits: "claude: requests 60, burst 1", isStrict: false) {
            harness async throws in
            for _ in 0..<5 { #expect(try await harness.send(.claude()).status == 200) }
            let record = try await control(harness, .get, "/simulator/limits").json
            #expect(record["strict"] == false && record["models"]?[0]?["let_in"] == 5)
        }
    }

    @Test func limitsAreSetAndTheirUseIsReadOverHTTP() async throws {
        try await Harness.run(at: time) { harness async throws in
            let text: JSON = "claude/sonnet: requests 60, input 600000, burst 3"
            #expect(try await control(harness, .post, "/simulator/limits", text).status == 201)
            let start = time.now
            for user in ["ada", "ada", "bob", "bob"] {
                _ = try await harness.send(.claude(["metadata": ["user_id": JSON(user)]]))
            }
            time.advance(10)
            let record = try await control(harness, .get, "/simulator/limits?from=\(start)&until=\(start + 10_000)")
                .json
            let model = record["models"]?[0]
            #expect(model?["model"] == "sonnet" && model?["let_in"] == 3)
            #expect(model?["refused"]?["requests"] == 1)
            #expect(model?["limits"]?["requests"]?["used"]?.double == 3)
            #expect(model?["limits"]?["requests"]?["share"]?.double == 0.3)
            #expect(model?["limits"]?["requests"]?["longest_full_ms"]?.double == 7_000)
            let users = model?["users"]?.array ?? []
            #expect(users.map { $0["user"] } == ["ada", "bob"] && users.map { $0["let_in"] } == [2, 1])
            #expect(users.map { $0["refused"] } == [0, 1])
            #expect(model?["seconds"]?.array?.count == 1)
            #expect(try await control(harness, .delete, "/simulator/limits").status == 204)
            #expect(try await control(harness, .get, "/simulator/limits").json["models"]?.array?.isEmpty == true)
            let list: JSON = [["service": "gemini", "requests": 5]]
            #expect(try await control(harness, .post, "/simulator/limits", list).json["rules"]?.array?.count == 1)
            for wrong: JSON in [
                "claude: requests", [["service": "sec", "requests": 5]], [["service": "claude", "x": 5]],
            ] {
                #expect(try await control(harness, .post, "/simulator/limits", wrong).status == 400)
            }
        }
    }

    @Test(arguments: ["claude", "mars: requests 5", "claude: requests x", "claude: requests -1", "claude: speed 5"])
    func wrongLimitsAreRefused(text: String) {
        #expect(throws: SettingSyntaxError.self) { try ModelLimit.list(text) }
    }

    /// Whatever comes when, no more is let in within any time than the bucket's size and its rate for that time.
    @Test(arguments: 1...20) func noMoreIsLetInThanTheBucketsAllow(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let burst = Double.random(in: 1...60, using: &random)
        let limit = ModelLimit(
            .claude, perMinute: [.requests: 600, .input: 600_000, .output: 120_000], burst: burst)
        let book = LimitBook([limit], isStrict: true, now: { [time] in time.now })
        let model = LimitBook.Model(service: .claude, id: "m", group: "m")
        var letIn: [(at: Int64, input: Double)] = []
        var refusals = 0
        for _ in 0..<3_000 {
            time.advance(Double.random(in: 0...0.1, using: &random))
            let input = Int.random(in: 1...9_000, using: &random)
            do {
                let ticket = try book.admit(model, input: input, cacheRead: 0, user: nil)
                letIn.append((time.now, Double(input)))
                book.wrote(Int.random(in: 1...500, using: &random), by: ticket)
            } catch {
                refusals += 1
            }
        }
        #expect(refusals > 0 && letIn.count > 100)
        for first in stride(from: 0, to: letIn.count, by: 37) {
            var (requests, input) = (0.0, 0.0)
            for call in letIn[first...] {
                requests += 1
                input += call.input
                let seconds = Double(call.at - letIn[first].at) / 1_000
                #expect(requests <= max(1, 10 * burst) + 10 * seconds + 0.01)
                // A call above the size needs a full bucket and may take more than it holds.
                #expect(input <= max(9_000, 10_000 * burst) + 10_000 * seconds + 1)
            }
        }
    }
}
