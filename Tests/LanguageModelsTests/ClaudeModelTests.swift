import HTTP
import JSON
import Testing

@testable import LanguageModels

@Suite struct ClaudeModelTests {
    private let answer = #"""
        {"id":"msg_01","type":"message","role":"assistant","model":"claude-sonnet-5-5-20261001",
         "content":[{"type":"thinking","thinking":"","signature":"EqQ="},
                    {"type":"text","text":"{\"summary\":\"fine\",\"score\":7}"}],
         "stop_reason":"end_turn","stop_sequence":null,"stop_details":null,
         "usage":{"input_tokens":310,"output_tokens":122,"cache_creation_input_tokens":30,"cache_read_input_tokens":2048,
          "cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":20},
          "output_tokens_details":{"thinking_tokens":80},"service_tier":"standard"}}
        """#

    @Test func theRequestIsWrittenInFull() async throws {
        let transport = ScriptedTransport(.answer(headers: ["request-id": "req_7"], body: answer))
        _ = try await Fixture.claude(transport).respond(to: Fixture.full, onText: nil)
        let request = try #require(transport.requests.first)
        #expect(request.url == "https://api.anthropic.com/v1/messages")
        #expect(request.method == .post)
        #expect(
            request.headers == [
                "anthropic-version": "2026-10-21", "x-api-key": "sk-test-0123456789",
                "content-type": "application/json",
            ])
        let expected = try json(
            #"""
            {"model":"claude-sonnet-5-5","max_tokens":4096,
             "system":[
               {"type":"text","text":"You are an analyst."},
               {"type":"text","text":"Today is Saturday."}],
             "messages":[
               {"role":"user","content":[{"type":"text","text":"Summarise this."},
                 {"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}}]},
               {"role":"assistant","content":[{"type":"text","text":"Which part?"}]},
               {"role":"user","content":[{"type":"text","text":"All of it."}]}],
             "thinking":{"type":"adaptive"},
             "output_config":{"effort":"medium","format":{"type":"json_schema","schema":{
               "type":"object","properties":{"summary":{"type":"string"},
                 "score":{"type":"integer","description":"{minimum: 1}"}},
               "required":["summary","score"],"additionalProperties":false}}},
             "metadata":{"user_id":"opaque-hash"},"stop_sequences":["END"],"stream":true}
            """#)
        #expect(transport.bodies == [expected])
    }

    @Test func theAnswerIsReadWithItsExactCost() async throws {
        let transport = ScriptedTransport(.answer(headers: ["request-id": "req_7"], body: answer))
        let response = try await Fixture.claude(transport).respond(to: Fixture.full, onText: nil)
        #expect(response.json == ["summary": "fine", "score": 7])
        #expect(response.model == "claude-sonnet-5-5-20261001")
        #expect(response.requestedModel == "claude-sonnet-5-5")
        #expect(response.id == "msg_01")
        #expect(response.requestID == "req_7")
        #expect(response.stopReason == .endOfTurn)
        #expect(
            response.usage
                == TokenUsage(
                    input: 310, output: 122, cacheRead: 2048, cacheWrite5m: 10, cacheWrite1h: 20, thinking: 80))
        // 310·2 + 122·10 + 2048·0.1 + 10·2.5 + 20·4 = 2149.8
        #expect(response.cost == MicroDollars(rawValue: 2150))
        #expect(response.original.content[0]?["signature"] == "EqQ=")
    }

    @Test func aCallWithoutAReaderIsStreamedToo() async throws {
        let transport = ScriptedTransport(.stream(Self.stream))
        _ = try await Fixture.claude(transport).respond(to: Fixture.plain, onText: nil)
        #expect(transport.bodies.first?["stream"] == true)
    }

    static let stream = #"""
        event: message_start
        data: {"type":"message_start","message":{"id":"msg_02","type":"message","role":"assistant","model":"claude-sonnet-5-5","content":[],"stop_reason":null,"usage":{"input_tokens":25,"output_tokens":1,"cache_read_input_tokens":1000,"cache_creation_input_tokens":0}}}

        event: content_block_start
        data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

        event: ping
        data: {"type":"ping"}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQ="}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":0}

        event: content_block_start
        data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Grüße, "}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"😀"}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"news_of_2027","x":1}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":1}

        event: content_block_start
        data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"get_quote","input":{}}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"symbol\":"}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"AAPL\"}"}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":2}

        event: message_delta
        data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":25,"output_tokens":40}}

        event: message_delta
        data: {"type":"message_delta","delta":{},"usage":{"output_tokens":42,"output_tokens_details":{"thinking_tokens":9}}}

        event: message_stop
        data: {"type":"message_stop"}


        """#

    @Test func aStreamIsParsedTheSameWithAnyChunks() async throws {
        let length = Self.stream.utf8.count
        for place in 0...length {
            let transport = ScriptedTransport(.stream(Self.stream, cutAt: place))
            let pieces = Collector<String>()
            let response = try await Fixture.claude(transport).respond(to: Fixture.plain) { pieces.add($0) }
            guard pieces.values == ["Grüße, ", "😀"], response.text == "Grüße, 😀",
                response.toolCalls == [ToolCall(id: "toolu_1", name: "get_quote", input: ["symbol": "AAPL"])],
                response.usage == TokenUsage(input: 25, output: 42, cacheRead: 1000, thinking: 9)
            else {
                Issue.record("cut at \(place) of \(length): \(pieces.values), \(response)")
                return
            }
        }
    }

    @Test func aStreamMayUseAnyLineEnd() async throws {
        let text = Self.stream.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        let response = try await Fixture.claude(ScriptedTransport(.stream(text))).respond(to: Fixture.plain) { _ in }
        #expect(response.text == "Grüße, 😀")
        #expect(response.stopReason == .toolCalls)
    }

    @Test func aToolLoopEchoesTheWholeTurn() async throws {
        let first = ScriptedTransport(.stream(Self.stream))
        let response = try await Fixture.claude(first).respond(to: Fixture.plain) { _ in }
        let second = ScriptedTransport(.answer(body: answer))
        _ = try await Fixture.claude(second).respond(
            to: Fixture.toolLoop(response.message.original, id: "toolu_1"), onText: nil)
        let body = try #require(second.bodies.first)
        #expect(
            body["messages"]
                == (try json(
                    #"""
                    [{"role":"user","content":[{"type":"text","text":"What is Apple worth?"}]},
                     {"role":"assistant","content":[
                       {"type":"thinking","thinking":"hm","signature":"EqQ="},
                       {"type":"text","text":"Grüße, 😀"},
                       {"type":"tool_use","id":"toolu_1","name":"get_quote","input":{"symbol":"AAPL"}}]},
                     {"role":"user","content":[
                       {"type":"tool_result","tool_use_id":"toolu_1","content":"{\"price\":271.5}","is_error":false}]}]
                    """#)))
        // The model thinks before every answer, so it cannot be forced to call a tool.
        #expect(body["tool_choice"] == nil)
        #expect(body["system"]?[0]?["text"] == "Answer with a call of the tool get_quote.")
        #expect(
            body["tools"]
                == (try json(
                    #"""
                    [{"name":"get_quote","description":"The price of a stock.","input_schema":
                      {"type":"object","properties":{"symbol":{"type":"string"}},"required":["symbol"]}}]
                    """#)))
    }

    @Test func aForcibleModelIsForcedToCallAToolAndDoesNotThink() async throws {
        var haiku = try Fixture.sonnet()
        haiku.allowsForcedToolChoice = true
        let transport = ScriptedTransport(.answer(body: answer))
        _ = try await Fixture.claude(transport, haiku).respond(
            to: Fixture.toolLoop(nil, id: "call/1"), onText: nil)
        let body = try #require(transport.bodies.first)
        #expect(body["tool_choice"] == ["type": "tool", "name": "get_quote"])
        #expect(body["thinking"] == nil)
        #expect(body["messages"]?[1]?["content"]?[1]?["id"] == "call_1")
        #expect(body["messages"]?[2]?["content"]?[0]?["tool_use_id"] == "call_1")
    }

    @Test func aPausedTurnIsContinuedAndBilledInFull() async throws {
        let paused = #"""
            {"id":"m1","model":"m","content":[{"type":"text","text":"Begin "}],"stop_reason":"pause_turn",
             "usage":{"input_tokens":100,"output_tokens":10}}
            """#
        let ended = #"""
            {"id":"m2","model":"m","content":[{"type":"text","text":"end"}],"stop_reason":"end_turn",
             "usage":{"input_tokens":110,"output_tokens":5}}
            """#
        let transport = ScriptedTransport(.answer(body: paused), .answer(body: ended))
        let response = try await Fixture.claude(transport).respond(to: Fixture.plain, onText: nil)
        #expect(response.text == "Begin end")
        #expect(response.usage.input == 210)
        #expect(response.cost == MicroDollars(rawValue: 210 * 2 + 15 * 10))
        #expect(
            transport.bodies[1]["messages"]?.array?.last == [
                "role": "assistant", "content": [["type": "text", "text": "Begin "]],
            ])
    }

    @Test func aRefusalIsBilledAndFinal() async throws {
        let body = #"""
            {"id":"m","model":"m","content":[],"stop_reason":"refusal",
             "stop_details":{"type":"refusal","category":"cyber","explanation":"secret words"},
             "usage":{"input_tokens":100,"output_tokens":3}}
            """#
        let transport = ScriptedTransport(.answer(body: body))
        let error = try await failure {
            try await Fixture.claude(transport).respond(to: Fixture.full, onText: nil)
        }
        #expect(error.kind == .refused(category: "cyber"))
        #expect(error.cost == MicroDollars(rawValue: 230))
        #expect(!error.isTransient)
        #expect(!error.allowsFallback)
        #expect(!error.description.contains("secret"))
    }

    @Test(arguments: [
        ("max_tokens", ModelError.Truncation.maxOutputTokens), ("model_context_window_exceeded", .contextWindow),
    ])
    func aTruncatedAnswerIsKeptWithItsCost(reason: String, limit: ModelError.Truncation) async throws {
        let body = #"""
            {"id":"m","model":"m","content":[{"type":"text","text":"{\"summary\":\"begi"}],"stop_reason":"\#(reason)",
             "usage":{"input_tokens":1,"output_tokens":1}}
            """#
        let transport = ScriptedTransport(.answer(body: body))
        let error = try await failure {
            try await Fixture.claude(transport).respond(to: Fixture.full, onText: nil)
        }
        #expect(error.kind == .truncated(limit))
        #expect(error.answer?.text == #"{"summary":"begi"#)
        #expect(error.cost == MicroDollars(rawValue: 12))
    }

    @Test func anUnknownStopReasonIsNotAnError() async throws {
        let body =
            #"{"content":[{"type":"text","text":"x"},{"type":"news"}],"stop_reason":"tired","usage":{"input_tokens":1,"output_tokens":1,"cache_creation":null}}"#
        let response = try await Fixture.claude(ScriptedTransport(.answer(body: body))).respond(
            to: Fixture.plain, onText: nil)
        #expect(response.stopReason == .other("tired"))
        #expect(response.model == "claude-sonnet-5-5")
    }

    @Test func anErrorWithinAStreamHasItsTypeAndTheCost() async throws {
        let start =
            #"data: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":50,"output_tokens":1}}}"#
        let error = #"data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#
        let transport = ScriptedTransport(.stream("\(start)\n\nevent: error\n\(error)\n\n"))
        let thrown = try await failure {
            try await Fixture.claude(transport).respond(to: Fixture.plain) { _ in }
        }
        #expect(thrown.kind == .overloaded)
        #expect(thrown.isTransient)
        #expect(thrown.usage == TokenUsage(input: 50, output: 1))
        #expect(thrown.cost == MicroDollars(rawValue: 110))
    }

    @Test func anInterruptedStreamIsAConnectionError() async throws {
        let start =
            #"data: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":50,"output_tokens":1}}}"#
        for reply in [
            ScriptedTransport.Reply.stream(start + "\n\n"),
            .pieces([Array((start + "\n\n").utf8)], .connectionLost(host: "h", reason: "reset")),
        ] {
            let thrown = try await failure {
                try await Fixture.claude(ScriptedTransport(reply)).respond(to: Fixture.plain) { _ in }
            }
            #expect(thrown.kind.name == "connection")
            #expect(thrown.isTransient)
            #expect(thrown.cost == MicroDollars(rawValue: 110))
        }
    }

    @Test func theCaseOfEnumsIsCorrected() async throws {
        let schema: JSON = [
            "type": "object", "properties": ["mood": ["type": "string", "enum": ["BULLISH", "bearish"]]],
            "required": ["mood"],
        ]
        let body =
            #"{"content":[{"type":"text","text":"{\"mood\":\"Bullish\"}"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}"#
        var request = Fixture.plain
        request.output = .json(name: "mood", schema: schema)
        let response = try await Fixture.claude(ScriptedTransport(.answer(body: body))).respond(
            to: request, onText: nil)
        #expect(response.json == ["mood": "BULLISH"])
    }

    @Test(arguments: [
        (#"{"summary":"s","score":0}"#, "schema_violation", "'score'"),
        (#"{"summary":"s""#, "unparseable", "line 1"),
        (#"```json\n{\"summary\":\"s\",\"score\":1}\n```"#, "unparseable", "line 1"),
    ])
    func anInvalidAnswerCanBeRepaired(text: String, name: String, place: String) async throws {
        var block: JSON = ["type": "text"]
        block["text"] = JSON(text)
        let body: JSON = [
            "content": [block], "stop_reason": "end_turn", "usage": ["input_tokens": 1, "output_tokens": 1],
        ]
        let error = try await failure {
            try await Fixture.claude(ScriptedTransport(.answer(body: body.compact))).respond(
                to: Fixture.full, onText: nil)
        }
        #expect(error.kind.name == name)
        #expect(error.description.contains(place), "\(error)")
        #expect(error.isRepairable)
        #expect(error.answer?.message.original?.content == [block])
        #expect(error.cost == MicroDollars(rawValue: 12))
    }
}
