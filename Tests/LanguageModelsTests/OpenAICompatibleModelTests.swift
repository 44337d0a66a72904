import TestSupport
import HTTP
import JSON
import Testing

@testable import LanguageModels

@Suite struct OpenAICompatibleModelTests {
    private let answer = #"""
        {"id":"c1","object":"chat.completion","created":1,"model":"llama3.3:70b","choices":[{"index":0,
          "message":{"role":"assistant","content":"{\"summary\":\"fine\",\"score\":7}","reasoning_content":"hm"},
          "finish_reason":"stop"}],
         "usage":{"prompt_tokens":310,"completion_tokens":122,"total_tokens":432,
          "prompt_tokens_details":{"cached_tokens":10},"completion_tokens_details":{"reasoning_tokens":80}}}
        """#

    @Test func theRequestIsWrittenInFull() async throws {
        let transport = ScriptedTransport(.answer(body: answer))
        _ = try await Fixture.openai(transport).respond(to: Fixture.full, onText: nil)
        let request = try #require(transport.requests.first)
        #expect(request.url == "http://localhost:11434/v1/chat/completions")
        #expect(request.headers == ["authorization": "Bearer none", "content-type": "application/json"])
        let expected = try json(
            #"""
            {"model":"llama3.3","max_tokens":4096,"stop":["END"],"user":"opaque-hash",
             "messages":[
               {"role":"system","content":"You are an analyst.\n\nToday is Saturday."},
               {"role":"user","content":[{"type":"text","text":"Summarise this."},
                 {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}]},
               {"role":"assistant","content":"Which part?"},
               {"role":"user","content":"All of it."}],
             "response_format":{"type":"json_schema","json_schema":{"name":"the_report","strict":true,"schema":
               {"type":"object","properties":{"summary":{"type":"string"},"score":{"type":"integer","minimum":1}},
                "required":["summary","score"],"additionalProperties":false}}},
             "stream":true,"stream_options":{"include_usage":true}}
            """#)
        #expect(transport.bodies == [expected])
    }

    @Test func aStreamAsksForItsUsage() async throws {
        let transport = ScriptedTransport(.stream(stream))
        _ = try await Fixture.openai(transport).respond(to: Fixture.plain) { _ in }
        #expect(
            transport.bodies == [
                [
                    "model": "llama3.3", "max_tokens": 100, "messages": [["role": "user", "content": "Hello"]],
                    "stream": true, "stream_options": ["include_usage": true],
                ]
            ])
    }

    @Test func theAnswerIsReadWithoutReasoning() async throws {
        let response = try await Fixture.openai(
            ScriptedTransport(.answer(headers: ["x-request-id": "q"], body: answer))
        )
        .respond(to: Fixture.full, onText: nil)
        #expect(response.json == ["summary": "fine", "score": 7])
        #expect(response.usage == TokenUsage(input: 300, output: 122, cacheRead: 10, thinking: 80))
        #expect(response.cost == .zero)
        #expect(response.model == "llama3.3:70b")
        #expect(response.requestID == "q")
    }

    private let stream = #"""
        data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning":"hm"},"finish_reason":null}]}

        data: {"choices":[{"index":0,"delta":{"content":"Grüße, "},"finish_reason":null}]}

        data: {"choices":[{"index":0,"delta":{"content":"😀"},"finish_reason":null}]}

        data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"get_quote","arguments":""}}]}}]}

        data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"symbol\":"}},{"index":1,"id":"c2","function":{"name":"get_quote","arguments":"{}"}}]}}]}

        data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"AAPL\"}"}}]}}]}

        data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

        data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21}}

        data: [DONE]


        """#

    @Test func aStreamIsParsedTheSameWithAnyChunks() async throws {
        for place in 0...stream.utf8.count {
            let pieces = Collector<String>()
            let response = try await Fixture.openai(ScriptedTransport(.stream(stream, cutAt: place))).respond(
                to: Fixture.plain
            ) { pieces.add($0) }
            let calls = [
                ToolCall(id: "c1", name: "get_quote", input: ["symbol": "AAPL"]),
                ToolCall(id: "c2", name: "get_quote", input: [:]),
            ]
            guard pieces.values == ["Grüße, ", "😀"], response.text == "Grüße, 😀", response.toolCalls == calls,
                response.usage == TokenUsage(input: 9, output: 12)
            else {
                Issue.record("cut at \(place): \(pieces.values), \(response)")
                return
            }
        }
    }

    @Test func aLongRunOfMarksOverManyPartsIsCapped() async throws {
        let marks = String(repeating: "\u{301}\u{316}", count: 10)
        let parts = (["a"] + Array(repeating: marks, count: 5) + ["b\u{202E}\u{9B}c"]).map { text -> String in
            let chunk: JSON = ["choices": [["index": 0, "delta": ["content": JSON(text)]]]]
            return "data: \(chunk.compact)\n\n"
        }
        let end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
        let response = try await Fixture.openai(ScriptedTransport(.stream(parts.joined() + end))).respond(
            to: Fixture.plain
        ) { _ in }
        let expected = "a" + String(repeating: "\u{301}\u{316}", count: 15) + "bc"
        #expect(Array(response.text.utf8) == Array(expected.utf8))
    }

    @Test func escapesInAnAnswersJSONAreSanitizedToo() async throws {
        let marks = String(repeating: #"\u0301\u0316"#, count: 1000)
        let content = #"{"summary":"a\#(marks)\u202e\u009b\u2028b","score":1}"#
        let body: JSON = ["choices": [["message": ["content": JSON(content)], "finish_reason": "stop"]]]
        let response = try await Fixture.openai(ScriptedTransport(.answer(body: body.compact))).respond(
            to: Fixture.full, onText: nil)
        let expected = "a" + String(repeating: "\u{301}\u{316}", count: 15) + "\nb"
        #expect(response.json?["summary"]?.string.map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test func aToolLoopIsEchoed() async throws {
        let first = try await Fixture.openai(ScriptedTransport(.stream(stream))).respond(to: Fixture.plain) { _ in }
        let transport = ScriptedTransport(.answer(body: answer))
        _ = try await Fixture.openai(transport).respond(
            to: Fixture.toolLoop(first.message.original, id: "c1"), onText: nil)
        let body = try #require(transport.bodies.first)
        #expect(
            body["messages"]
                == (try json(
                    #"""
                    [{"role":"user","content":"What is Apple worth?"},
                     {"role":"assistant","content":"Grüße, 😀","tool_calls":[
                       {"id":"c1","type":"function","function":{"name":"get_quote","arguments":"{\"symbol\":\"AAPL\"}"}},
                       {"id":"c2","type":"function","function":{"name":"get_quote","arguments":"{}"}}]},
                     {"role":"tool","tool_call_id":"c1","content":"{\"price\":271.5}"}]
                    """#)))
        #expect(body["tool_choice"] == ["type": "function", "function": ["name": "get_quote"]])
        #expect(body["tools"]?[0]?["type"] == "function")
    }

    @Test func missingUsageIsEstimatedAndBilled() async throws {
        var paid = try Fixture.local()
        paid.prices = try price("1", "1")
        let body = #"{"choices":[{"message":{"content":"twelve bytes"},"finish_reason":"stop"}]}"#
        let model = OpenAICompatibleModel(
            paid, at: ProviderEndpoint(baseURL: "http://h/v1", key: nil), over: ScriptedTransport(.answer(body: body)),
            clock: ManualClock().source)
        let response = try await model.respond(to: Fixture.plain, onText: nil)
        #expect(response.usage == TokenUsage(input: 2, output: 5, isEstimated: true))
        #expect(response.cost == MicroDollars(rawValue: 7))
    }

    @Test func jsonInAMarkdownFenceIsParsed() async throws {
        let body: JSON = [
            "choices": [
                ["message": ["content": "```json\n{\"summary\":\"s\",\"score\":1}\n```\n"], "finish_reason": "stop"]
            ]
        ]
        let response = try await Fixture.openai(ScriptedTransport(.answer(body: body.compact))).respond(
            to: Fixture.full, onText: nil)
        #expect(response.json == ["summary": "s", "score": 1])
    }

    @Test(arguments: [
        (#"{"message":{"content":"begi"},"finish_reason":"length"}"#, "truncated"),
        (#"{"message":{"content":null},"finish_reason":"content_filter"}"#, "refused"),
        (#"{"message":{"content":null,"refusal":"I cannot"},"finish_reason":"stop"}"#, "refused"),
        (#"{"message":{"content":""},"finish_reason":"stop"}"#, "unusable"),
        (
            #"{"message":{"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{"}}]},"finish_reason":"tool_calls"}"#,
            "unusable"
        ),
    ])
    func unusableAnswersAreErrors(choice: String, name: String) async throws {
        let error = try await failure {
            try await Fixture.openai(ScriptedTransport(.answer(body: #"{"choices":[\#(choice)]}"#))).respond(
                to: Fixture.plain, onText: nil)
        }
        #expect(error.kind.name == name)
        #expect(!error.isTransient)
    }

    @Test(arguments: [
        #"data: {"error":{"message":"m","type":"server_error","code":503}}"#,
        #"error: {"code":503,"message":"m","type":"unavailable_error"}"#,
        #"{"error":{"message":"m","code":503}}"#,
    ])
    func anErrorWithinAStreamIsFound(record: String) async throws {
        let start = #"data: {"choices":[{"delta":{"content":"a"}}]}"#
        let error = try await failure {
            try await Fixture.openai(ScriptedTransport(.stream("\(start)\n\n\(record)\n\n"))).respond(to: Fixture.plain)
            { _ in }
        }
        #expect(error.kind == .overloaded)
    }

    @Test func aStreamWithoutAnEndIsIncomplete() async throws {
        let error = try await failure {
            try await Fixture.openai(
                ScriptedTransport(.stream(#"data: {"choices":[{"delta":{"content":"a"}}]}"# + "\n\n"))
            )
            .respond(to: Fixture.plain) { _ in }
        }
        #expect(error.kind.name == "connection")
        #expect(error.isTransient)
    }
}
