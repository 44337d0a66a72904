import HTTP
import JSON
import Simulator
import Testing

@Suite struct FaultTests {
    private static let calls: [@Sendable (Bool) -> Call] = [
        { .claude(stream: $0) }, { .gemini(stream: $0) }, { .openAI(stream: $0) },
    ]

    @Test func aRuleAppliesItsNumberOfTimesAndToItsServiceAlone() async throws {
        try await Harness.run { harness async throws in
            harness.simulator.faults.add(FaultRule(.status(529), service: .claude, skip: 1, times: 2))
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await harness.send(.claude()).status) }
            #expect(statuses == [200, 529, 529, 200, 200])
            #expect(try await harness.send(.gemini()).status == 200)
            #expect(harness.simulator.faults.rules().map(\.applied) == [2])
        }
    }

    @Test func rulesMatchModelPathAndText() async throws {
        try await Harness.run { harness async throws in
            harness.simulator.faults.add(
                FaultRule(.status(500), model: "claude-opus-5"), FaultRule(.status(503), path: "/v1beta/"),
                FaultRule(.status(504), contains: "Tesla"))
            #expect(try await harness.send(.claude()).status == 200)
            #expect(try await harness.send(.claude(["model": "claude-opus-5"])).status == 500)
            #expect(try await harness.send(.gemini()).status == 503)
            #expect(try await harness.send(.openAI(["user": "Tesla"])).status == 504)
        }
    }

    @Test func ratesAreDrawnFromASeed() async throws {
        var patterns: [[Int]] = []
        for _ in 0..<2 {
            try await Harness.run(.init(faults: try FaultRule.rates("529=0.3", seed: 7))) { harness async throws in
                var statuses: [Int] = []
                for _ in 0..<60 { statuses.append(try await harness.send(.claude()).status) }
                patterns.append(statuses)
            }
        }
        #expect(patterns[0] == patterns[1])
        #expect((8...30).contains(patterns[0].count { $0 == 529 }))
    }

    @Test(arguments: ["429=2", "nonsense=0.1", "429", "=", "529=x"]) func wrongRatesAreRefused(text: String) {
        #expect(throws: FaultSyntaxError.self) { try FaultRule.rates(text) }
    }

    @Test func rateLimitsHaveEachProvidersForm() async throws {
        try await Harness.run { harness async throws in
            func send(_ call: Call, _ fault: String) async throws -> HTTPResponse {
                try await harness.send(call.header("x-simulate", fault))
            }
            let ramp = try await send(.claude(), "429:ramp")
            #expect(ramp.status == 429 && ramp.headers["retry-after"] == "2")
            #expect(ramp.json["error"]?["details"]?["error_code"] == "ramp_limit_exceeded")
            #expect(ramp.headers["anthropic-ratelimit-requests-remaining"] == "0")
            let spent = try await send(.claude(), "429:spend_limit")
            #expect(spent.headers["retry-after"] == nil)
            #expect(spent.json["error"]?["details"]?["error_code"] == "contract_spend_limit_reached")
            let own = try await send(.claude(), "429:own_spend_limit")
            #expect(own.status == 400)
            #expect(
                own.json["error"]?["message"]?.string?.hasPrefix("You have reached your specified API usage limits")
                    == true)
            let daily = try await send(.gemini(), "429:per_day").json["error"]
            #expect(daily?["status"] == "RESOURCE_EXHAUSTED")
            #expect(daily?["details"]?[0]?["violations"]?[0]?["quotaId"]?.string?.contains("PerDay") == true)
            let minute = try await send(.gemini(), "429").json["error"]
            #expect(minute?["details"]?[1]?["retryDelay"] == "7s")
            #expect(try await send(.openAI(), "429").headers["retry-after"] == "7")
            #expect(try await send(.openAI(), "429:per_day").json["error"]?["code"] == "insufficient_quota")
        }
    }

    @Test func aRetryHintCanBeChosen() async throws {
        try await Harness.run { harness async throws in
            harness.simulator.faults.add(FaultRule(.rateLimit(.perMinute, retryAfter: .milliseconds(1_680))))
            #expect(try await harness.send(.claude()).headers["retry-after"] == "1.68")
            #expect(try await harness.send(.gemini()).json["error"]?["details"]?[1]?["retryDelay"] == "1.68s")
        }
    }

    @Test(arguments: 0..<3) func aCutBreaksTheConnectionOff(provider: Int) async throws {
        try await Harness.run { harness async throws in
            let call = Self.calls[provider]
            let stream = try await harness.events(call(true).header("x-simulate", "cut"))
            #expect(stream.status == 200 && !stream.isWhole)
            await #expect(throws: HTTPClientError.self) {
                try await harness.send(call(false).header("x-simulate", "cut"))
            }
            #expect(harness.simulator.requests().allSatisfy { $0.outcome == .brokenOff(status: 200) })
        }
    }

    @Test func anErrorComesAfterTheFirstDeltas() async throws {
        try await Harness.run { harness async throws in
            let claude = try await harness.events(.claude(stream: true).header("x-simulate", "error_mid_stream"))
            #expect(claude.status == 200 && claude.isWhole)
            #expect(claude.events.last?.name == "error")
            #expect(claude.events.contains { $0.data.contains("text_delta") })
            #expect(!claude.events.contains { $0.name == "message_stop" })
            let gemini = try await harness.client.send(
                Call.gemini(stream: true).header("x-simulate", "error_mid_stream").request(at: harness.url))
            let last = gemini.text.split(separator: "\n").last ?? ""
            #expect(try JSON(parsing: String(last))["error"]?["status"] == "UNAVAILABLE")
        }
    }

    @Test func refusalsHaveEachProvidersForm() async throws {
        try await Harness.run { harness async throws in
            func json(_ call: Call, _ fault: String) async throws -> JSON {
                try await harness.send(call.header("x-simulate", fault)).json
            }
            let claude = try await json(.claude(), "refusal")
            #expect(claude["stop_reason"] == "refusal" && claude["stop_details"]?["type"] == "refusal")
            let gemini = try await json(.gemini(), "refusal")
            #expect(
                gemini["candidates"]?[0]?["finishReason"] == "SAFETY" && gemini["candidates"]?[0]?["content"] == nil)
            let blocked = try await json(.gemini(), "blocked_prompt")
            #expect(blocked["candidates"] == nil && blocked["promptFeedback"]?["blockReason"] == "SAFETY")
            let openAI = try await json(.openAI(), "refusal")
            #expect(openAI["choices"]?[0]?["finish_reason"] == "content_filter")
        }
    }

    @Test func contentFaultsSpoilTheContent() async throws {
        try await Harness.run { harness async throws in
            let call = Call.claude(["output_config": Sample.claudeFormat])
            func text(_ fault: String) async throws -> (stop: JSON?, text: String) {
                let message = try await harness.send(call.header("x-simulate", fault)).json
                let block = message["content"]?.array?.first { $0["type"] == "text" }
                return (message["stop_reason"], block?["text"]?.string ?? "")
            }
            let truncated = try await text("truncation")
            #expect(truncated.stop == "max_tokens" && (try? JSON(parsing: truncated.text)) == nil)
            #expect(!Sample.problems(of: try JSON(parsing: try await text("broken_schema").text)).isEmpty)
            let invalid = try await text("invalid_json")
            #expect(invalid.stop == "end_turn" && (try? JSON(parsing: invalid.text)) == nil)
            #expect(try await text("empty_content").text.isEmpty)
            #expect(!Sample.strayNumbers(in: try await text("invented_figure").text).isEmpty)
        }
    }

    @Test func bodyFaultsSpoilTheBody() async throws {
        try await Harness.run { harness async throws in
            let page = try await harness.send(.claude().header("x-simulate", "wrong_content_type"))
            #expect(page.status == 200 && page.headers["content-type"] == "text/html")
            let malformed = try await harness.send(.claude(stream: true).header("x-simulate", "malformed_stream"))
            #expect(malformed.headers["content-type"]?.hasPrefix("text/event-stream") == true)
            harness.simulator.faults.add(FaultRule(.hugeBody(bytes: 3_000_001)))
            #expect(try await harness.send(.claude()).body.count == 3_000_001)
        }
    }

    @Test func aStalledRequestEndsWhenItsClientLeaves() async throws {
        try await Harness.run { harness async throws in
            var request = Call.claude().header("x-simulate", "stall").request(at: harness.url)
            request.limits.total = .milliseconds(300)
            await #expect(throws: HTTPClientError.self) { try await harness.client.send(request) }
            let stream = Call.claude(stream: true).header("x-simulate", "stall_mid_stream").request(at: harness.url)
            let response = try await harness.client.stream(stream)
            for try await _ in response.body { break }
            #expect(harness.simulator.count() == 2)
        }
    }

    @Test(arguments: ["drip", "pings"], [0, 1, 2])
    func aDripNeverCompletesItsAnswer(fault: String, service: Int) async throws {
        let paused = PauseLog()
        try await Harness.run(SimulatorConfiguration(sleep: { await paused.add($0) })) { harness async throws in
            let whole = try await harness.send(Self.calls[service](true)).body
            harness.simulator.faults.add(
                FaultRule(fault == "drip" ? .drip(after: 1, every: .seconds(7)) : .pings(every: .seconds(7))))
            let response = try await harness.client.stream(Self.calls[service](true).request(at: harness.url))
            #expect(response.status == 200)
            var received: [UInt8] = []
            for try await chunk in response.body {
                received += chunk
                let hasPaused = await paused.contains(.seconds(7))
                if received.count > 600, hasPaused || received.count > 2_000 { break }
            }
            #expect(await paused.contains(.seconds(7)))
            let text = String(decoding: received, as: UTF8.self)
            if fault == "drip" {
                #expect(whole.starts(with: received.prefix(whole.count)))
            } else {
                #expect(text.contains(": ping\n\n") && !text.contains("[DONE]") && !text.contains("message_stop"))
            }
        }
    }

    @Test func slowAnswersWaitByTheInjectedSleep() async throws {
        let clock = PauseLog()
        let configuration = SimulatorConfiguration(
            pacing: Pacing(firstByte: .seconds(3), tokensPerSecond: 10, deltaLength: 40),
            sleep: { await clock.add($0) })
        try await Harness.run(configuration) { harness async throws in
            _ = try await harness.events(.claude(stream: true))
            let paced = await clock.take()
            #expect(paced.first == .seconds(3))
            #expect(paced.dropFirst().first == .seconds(1))
            _ = try await harness.send(.claude())
            #expect(await clock.take().count == 2)
            harness.simulator.faults.add(FaultRule(.slow(firstByte: .seconds(9), perDelta: .seconds(2))))
            _ = try await harness.events(.claude(stream: true))
            let slow = await clock.take()
            #expect(slow.first == .seconds(9) && slow.dropFirst().first == .seconds(3))
            harness.simulator.faults.clear()
            harness.simulator.faults.add(FaultRule(.status(529)))
            _ = try await harness.send(.claude())
            #expect(await clock.take() == [])
        }
    }

    @Test func malformedRequestsUseUpNoFault() async throws {
        try await Harness.run { harness async throws in
            harness.simulator.faults.add(FaultRule(.status(529), times: 1))
            #expect(try await harness.send(.claude(["foo": 1])).status == 400)
            #expect(try await harness.send(.claude()).status == 529)
        }
    }

    @Test func faultsApplyToTheSEC() async throws {
        try await Harness.run { harness async throws in
            harness.simulator.faults.add(FaultRule(.rateLimit(.perMinute, retryAfter: nil), service: .sec, times: 1))
            harness.simulator.faults.add(FaultRule(.invalidJSON, service: .sec, times: 1))
            let call = Call.sec("/sec/files/company_tickers.json")
            #expect(try await harness.send(call).status == 429)
            #expect((try? JSON(parsing: try await harness.send(call).body)) == nil)
            #expect(try await harness.send(call).json["0"]?["ticker"] == "AAPL")
        }
    }
}

/// Records pauses and does not wait.
private actor PauseLog {
    private var pauses: [Duration] = []

    func add(_ pause: Duration) { pauses.append(pause) }

    func contains(_ pause: Duration) -> Bool { pauses.contains(pause) }

    func take() -> [Duration] {
        defer { pauses = [] }
        return pauses
    }
}
