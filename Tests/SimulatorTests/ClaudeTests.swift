import HTTP
import JSON
import Testing

@Suite struct ClaudeTests {
    @Test func aMessageCarriesEveryFieldOfTheFormat() async throws {
        try await Harness.run { harness async throws in
            let response = try await harness.send(.claude(["output_config": Sample.claudeFormat]))
            #expect(response.status == 200)
            #expect(response.headers["request-id"]?.hasPrefix("req_") == true)
            #expect(response.headers["anthropic-ratelimit-requests-limit"] == "20000")
            let message = response.json
            #expect(message["type"] == "message" && message["role"] == "assistant")
            #expect(message["model"] == "claude-sonnet-5-5")
            #expect(message["stop_reason"] == "end_turn")
            let text = message["content"]?.array?.first { $0["type"] == "text" }?["text"]?.string ?? ""
            let answer = try JSON(parsing: text)
            #expect(Sample.problems(of: answer) == [])
            let usage = message["usage"]
            #expect(usage?["cache_creation"]?["ephemeral_5m_input_tokens"] == 0)
            #expect(
                (usage?["output_tokens"]?.integer ?? 0)
                    > (usage?["output_tokens_details"]?["thinking_tokens"]?.integer ?? 0))
        }
    }

    @Test func aStreamAddsUpToTheMessage() async throws {
        try await Harness.run { harness async throws in
            let format: JSON = ["output_config": Sample.claudeFormat]
            let whole = try await harness.send(.claude(format)).json
            let stream = try await harness.events(.claude(format, stream: true))
            let events = try stream.events.map { (name: $0.name, data: try JSON(parsing: $0.data)) }
            #expect(events.allSatisfy { $0.name == $0.data["type"]?.string })
            #expect(events.first?.name == "message_start" && events.last?.name == "message_stop")
            let text = events.compactMap { $0.data["delta"]?["text"]?.string }.joined()
            let blocks = whole["content"]?.array ?? []
            #expect(text == blocks.first { $0["type"] == "text" }?["text"]?.string)
            #expect(events.filter { $0.name == "content_block_delta" }.count > 10)
            let final = events.first { $0.name == "message_delta" }?.data
            #expect(final?["usage"] == whole["usage"])
            #expect(final?["delta"]?["stop_reason"] == "end_turn")
            let opened = events.compactMap { $0.name == "content_block_start" ? $0.data["index"]?.integer : nil }
            #expect(opened == Array(0..<Int64(blocks.count)))
        }
    }

    @Test(arguments: [true, false]) func aToolIsCalledOnceAndThenAnswered(streams: Bool) async throws {
        try await Harness.run { harness async throws in
            let tools: JSON = [["name": "get_quote", "input_schema": Sample.quoteSchema]]
            let call = Call.claude(["model": "claude-opus-5", "tools": tools])
            let message = try await harness.send(call).json
            #expect(message["stop_reason"] == "tool_use")
            let use = try #require(message["content"]?.array?.first { $0["type"] == "tool_use" })
            #expect(use["input"] == ["symbol": "AAPL"])
            if streams {
                let events = try await harness.events(call.with("stream", true)).events
                let pieces = try events.compactMap { try JSON(parsing: $0.data)["delta"]?["partial_json"]?.string }
                #expect(try JSON(parsing: pieces.joined()) == use["input"])
            }
            let result: JSON = [
                "type": "tool_result", "tool_use_id": use["id"] ?? .null, "content": "[price] Price: 270 USD (today)",
            ]
            let turns: JSON = [
                ["role": "user", "content": JSON(Sample.prompt)],
                ["role": "assistant", "content": message["content"] ?? .null],
                ["role": "user", "content": [result]],
            ]
            #expect(try await harness.send(call.with("messages", turns)).json["stop_reason"] == "end_turn")
            let unanswered = try await harness.send(
                call.with(
                    "messages", .array(Array(turns.array?.prefix(2) ?? []) + [["role": "user", "content": "Well?"]])))
            #expect(unanswered.status == 400)
        }
    }

    @Test func aMarkedPrefixIsWrittenOnceAndThenRead() async throws {
        try await Harness.run { harness async throws in
            let long = String(repeating: "A rule for the analyst. ", count: 400)
            let call = Call.claude([
                "system": [["type": "text", "text": JSON(long), "cache_control": ["type": "ephemeral", "ttl": "1h"]]]
            ])
            let first = try await harness.send(call).json["usage"]
            let second = try await harness.send(call).json["usage"]
            let written = first?["cache_creation_input_tokens"]?.integer ?? 0
            #expect(written > 2_000)
            #expect(first?["cache_creation"]?["ephemeral_1h_input_tokens"]?.integer == written)
            #expect(second?["cache_read_input_tokens"]?.integer == written)
            #expect(second?["cache_creation_input_tokens"] == 0)
            #expect(second?["input_tokens"] == first?["input_tokens"])
        }
    }

    @Test func tokensAreCountedAndModelsListedInPages() async throws {
        try await Harness.run { harness async throws in
            var count = Call.claude().with("max_tokens", nil)
            count.path = "/anthropic/v1/messages/count_tokens"
            let counted = try await harness.send(count).json["input_tokens"]
            #expect(try await harness.send(.claude()).json["usage"]?["input_tokens"] == counted)
            var list = Call.claude()
            (list.method, list.body, list.path) = (.get, nil, "/v1/models?limit=2")
            let page = try await harness.send(list).json
            #expect(page["data"]?.array?.count == 2 && page["has_more"] == true)
            list.path = "/v1/models?limit=2&after_id=\(page["last_id"]?.string ?? "")"
            #expect(try await harness.send(list).json["data"]?[0]?["id"] != page["first_id"])
            list.path = "/v1/models/claude-opus-5"
            #expect(try await harness.send(list).json["max_tokens"] == 128_000)
        }
    }
}
