import HTTP
import JobQueue
import JSON
import Testing
import TestSupport

@testable import LanguageModels

@Suite struct GeminiModelTests {
    private let answer = #"""
        {"candidates":[{"index":0,"content":{"role":"model","parts":[
           {"text":"thinking aloud","thought":true},{"text":"{\"summary\":\"fine\",\"score\":7}"}]},
           "finishReason":"STOP","safetyRatings":[]}],
         "usageMetadata":{"promptTokenCount":310,"cachedContentTokenCount":110,"candidatesTokenCount":42,
           "thoughtsTokenCount":80,"toolUsePromptTokenCount":5,"totalTokenCount":437},
         "modelVersion":"gemini-3.8-flash-001","responseId":"abc"}
        """#

    @Test func theRequestIsWrittenInFull() async throws {
        let transport = ScriptedTransport(.answer(body: answer))
        _ = try await Fixture.gemini(transport).respond(to: Fixture.full, onText: nil)
        let request = try #require(transport.requests.first)
        #expect(
            request.url
                == "https://generativelanguage.googleapis.com/v1/models/gemini-3.8-flash:streamGenerateContent?alt=sse")
        #expect(
            request.headers == ["x-goog-api-key": "sk-test-0123456789", "content-type": "application/json"])
        let expected = try json(
            #"""
            {"systemInstruction":{"parts":[{"text":"You are an analyst."},{"text":"Today is Saturday."}]},
             "contents":[
               {"role":"user","parts":[{"text":"Summarise this."},
                 {"inlineData":{"mimeType":"image/png","data":"iVBORw=="}}]},
               {"role":"model","parts":[{"text":"Which part?"}]},
               {"role":"user","parts":[{"text":"All of it."}]}],
             "generationConfig":{"maxOutputTokens":4096,"stopSequences":["END"],
               "responseMimeType":"application/json",
               "responseJsonSchema":{"type":"object","properties":{"summary":{"type":"string"},
                 "score":{"type":"integer","minimum":1}},"required":["summary","score"],"additionalProperties":false},
               "thinkingConfig":{"thinkingLevel":"MEDIUM","includeThoughts":false}}}
            """#)
        #expect(transport.bodies == [expected])
    }

    @Test(arguments: [
        ("http://127.0.0.1:9", "http://127.0.0.1:9/v1/models/"),
        ("http://127.0.0.1:9/", "http://127.0.0.1:9/v1/models/"),
        ("http://127.0.0.1:9/v1beta", "http://127.0.0.1:9/v1beta/models/"),
        ("http://127.0.0.1:9/gemini", "http://127.0.0.1:9/gemini/v1/models/"),
    ])
    func theVersionIsThatOfTheBaseURLOrV1(base: String, start: String) async throws {
        let transport = ScriptedTransport(.stream("data: \(answer.filter { $0 != "\n" })\n\n"))
        _ = try await Fixture.gemini(transport, base: base).respond(to: Fixture.plain) { _ in }
        #expect(transport.requests.first?.url == start + "gemini-3.8-flash:streamGenerateContent?alt=sse")
    }

    @Test func theAnswerIsReadWithItsExactCostAndWithoutThoughts() async throws {
        let response = try await Fixture.gemini(ScriptedTransport(.answer(body: answer))).respond(
            to: Fixture.full, onText: nil)
        #expect(response.json == ["summary": "fine", "score": 7])
        #expect(response.id == "abc")
        #expect(response.model == "gemini-3.8-flash-001")
        #expect(response.usage == TokenUsage(input: 205, output: 122, cacheRead: 110, thinking: 80))
        // 205·0.75 + 110·0.075 + 122·3.75 = 619.5, rounded half up
        #expect(response.cost == MicroDollars(rawValue: 620))
    }

    private let stream = #"""
        data: {"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true}]}}],"usageMetadata":{"promptTokenCount":10,"thoughtsTokenCount":3},"modelVersion":"m","responseId":"r"}

        data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Grüße, "}]}}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2,"thoughtsTokenCount":3}}

        data: {"candidates":[{"content":{"role":"model","parts":[{"text":"😀"},{"functionCall":{"name":"get_quote","args":{"symbol":"AAPL"}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"f7","name":"get_quote","args":{"symbol":"MSFT"}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4,"thoughtsTokenCount":3}}


        """#

    @Test func aStreamIsParsedTheSameWithAnyChunks() async throws {
        for place in 0...stream.utf8.count {
            let pieces = Collector<String>()
            let response = try await Fixture.gemini(ScriptedTransport(.stream(stream, cutAt: place))).respond(
                to: Fixture.plain
            ) { pieces.add($0) }
            guard pieces.values == ["Grüße, ", "😀"], response.text == "Grüße, 😀", response.toolCalls.count == 2,
                response.stopReason == .toolCalls,
                response.usage == TokenUsage(input: 10, output: 7, thinking: 3)
            else {
                Issue.record("cut at \(place): \(pieces.values), \(response)")
                return
            }
        }
    }

    @Test func callsKeepTheirSignatureAndTheirIDs() async throws {
        let first = try await Fixture.gemini(ScriptedTransport(.stream(stream))).respond(to: Fixture.plain) { _ in }
        var request = Fixture.plain
        request.tools = [Fixture.quoteTool]
        request.messages += [
            first.message,
            .toolResults([
                ToolResult(callID: first.toolCalls[0].id, name: "get_quote", content: "271.5"),
                ToolResult(callID: first.toolCalls[1].id, name: "get_quote", content: "closed", isError: true),
            ]),
        ]
        let transport = ScriptedTransport(.answer(body: answer))
        _ = try await Fixture.gemini(transport).respond(to: request, onText: nil)
        let body = try #require(transport.bodies.first)
        #expect(
            body["contents"]
                == (try json(
                    #"""
                    [{"role":"user","parts":[{"text":"Hello"}]},
                     {"role":"model","parts":[{"text":"hm","thought":true},{"text":"Grüße, 😀"},
                       {"functionCall":{"name":"get_quote","args":{"symbol":"AAPL"}},"thoughtSignature":"c2ln"},
                       {"functionCall":{"id":"f7","name":"get_quote","args":{"symbol":"MSFT"}}}]},
                     {"role":"user","parts":[
                       {"functionResponse":{"name":"get_quote","response":{"output":"271.5"}}},
                       {"functionResponse":{"id":"f7","name":"get_quote","response":{"error":"closed"}}}]}]
                    """#)))
        #expect(
            body["tools"]
                == (try json(
                    #"""
                    [{"functionDeclarations":[{"name":"get_quote","description":"The price of a stock.",
                      "parametersJsonSchema":{"type":"object","properties":{"symbol":{"type":"string"}},
                      "required":["symbol"]}}]}]
                    """#)))
        #expect(body["toolConfig"] == ["functionCallingConfig": ["mode": "AUTO"]])
    }

    @Test func callsOfAnotherProviderAreSentAsText() async throws {
        let transport = ScriptedTransport(.answer(body: answer))
        let original = ProviderContent(provider: .claude, content: [["type": "tool_use", "id": "toolu_1"]])
        _ = try await Fixture.gemini(transport).respond(to: Fixture.toolLoop(original, id: "toolu_1"), onText: nil)
        let body = try #require(transport.bodies.first)
        #expect(
            body["contents"]?[1]?["parts"] == [
                ["text": "Let me see."], ["text": #"[called get_quote with {"symbol":"AAPL"}]"#],
            ])
        #expect(body["contents"]?[2]?["parts"] == [["text": #"[get_quote answered: {"price":271.5}]"#]])
        #expect(
            body["toolConfig"] == [
                "functionCallingConfig": ["mode": "ANY", "allowedFunctionNames": ["get_quote"]]
            ])
    }

    @Test func aPausedAnswerIsContinuedAndEveryRequestIsBilled() async throws {
        let hop = #"""
            {"candidates":[{"content":{"parts":[{"text":"Begin "}]},"finishReason":"CONTINUATION","continuationToken":"dG9r"}],
             "usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":10}}
            """#
        let last = #"""
            {"candidates":[{"content":{"parts":[{"text":"end"}]},"finishReason":"STOP"}],
             "usageMetadata":{"promptTokenCount":101,"candidatesTokenCount":1}}
            """#
        let transport = ScriptedTransport(.answer(body: hop), .answer(body: last))
        let response = try await Fixture.gemini(transport).respond(to: Fixture.plain, onText: nil)
        #expect(response.text == "Begin end")
        #expect(response.usage == TokenUsage(input: 201, output: 11))
        // 201·0.75 + 11·3.75 = 192: rounded once, not once for each request
        #expect(response.cost == MicroDollars(rawValue: 192))
        #expect(transport.bodies[0]["continuationToken"] == nil)
        #expect(transport.bodies[1]["continuationToken"] == "dG9r")
        #expect(transport.bodies[1]["contents"] == transport.bodies[0]["contents"])
    }

    static let reasons: [(String, String, Bool)] =
        [
            "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "ESCALATION",
            "PUP_LIMITED_DISABLED", "IMAGE_SAFETY", "IMAGE_OTHER", "NO_IMAGE", "MODEL_ARMOR",
        ].map { ($0, "refused", true) } + [
            ("MAX_TOKENS", "truncated", false), ("CONTINUATION", "truncated", false),
            ("MALFORMED_FUNCTION_CALL", "unusable", true), ("UNEXPECTED_TOOL_CALL", "unusable", true),
            ("TOO_MANY_TOOL_CALLS", "unusable", true), ("MALFORMED_RESPONSE", "unusable", true),
            ("OTHER", "unusable", true), ("FINISH_REASON_UNSPECIFIED", "unusable", true),
            ("MISSING_THOUGHT_SIGNATURE", "invalid_request", false),
        ]

    @Test(arguments: reasons)
    func everyStopReasonIsMapped(reason: String, name: String, isNamed: Bool) async throws {
        // Blocked answers have neither content nor parts.
        let body = #"{"candidates":[{"finishReason":"\#(reason)"}],"usageMetadata":{"promptTokenCount":100}}"#
        let error = try await failure {
            try await Fixture.gemini(ScriptedTransport(.answer(body: body))).respond(to: Fixture.plain, onText: nil)
        }
        #expect(error.kind.name == name)
        #expect(error.description.contains(reason) == isNamed)
        #expect(error.cost == MicroDollars(rawValue: 75))
        #expect(!error.allowsFallback)
    }

    @Test func anUnknownStopReasonIsNotAnError() async throws {
        let body = #"{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"TIRED"}]}"#
        let response = try await Fixture.gemini(ScriptedTransport(.answer(body: body))).respond(
            to: Fixture.plain, onText: nil)
        #expect(response.stopReason == .other("TIRED"))
        #expect(response.usage.isEstimated)
    }

    @Test func aBlockedPromptIsARefusal() async throws {
        let body = #"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":4}}"#
        for isStreamed in [false, true] {
            let transport = ScriptedTransport(isStreamed ? .stream("data: \(body)\n\n") : .answer(body: body))
            let onText: (@Sendable (String) -> Void)? = isStreamed ? ignoreText : nil
            let error = try await failure {
                try await Fixture.gemini(transport).respond(to: Fixture.plain, onText: onText)
            }
            #expect(error.kind == .refused(category: "PROHIBITED_CONTENT"))
            #expect(error.cost == MicroDollars(rawValue: 3))
        }
    }

    @Test func aBareErrorWithinAStreamIsFoundWithAnyChunks() async throws {
        let first =
            #"data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":100}}"#
        let error =
            "[{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"a } in \\\" it\",\n\n    \"status\": \"UNAVAILABLE\"\n  }\n}]\n"
        let body = "\(first)\r\n\r\n\(error)"
        for place in 0...body.utf8.count {
            let thrown = try await failure {
                try await Fixture.gemini(ScriptedTransport(.stream(body, cutAt: place))).respond(to: Fixture.plain) {
                    _ in
                }
            }
            guard thrown.kind == .overloaded, thrown.cost == MicroDollars(rawValue: 75) else {
                Issue.record("cut at \(place): \(thrown)")
                return
            }
        }
    }

    @Test func aStreamWithoutAStopReasonIsIncomplete() async throws {
        let body = #"data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"# + "\n\n"
        let error = try await failure {
            try await Fixture.gemini(ScriptedTransport(.stream(body))).respond(to: Fixture.plain) { _ in }
        }
        #expect(error.kind.name == "connection")
    }
}

@Suite struct EmbeddingModelTests {
    private static let catalogue = """
        embedding: gemini-embedding-001
        models:
          gemini-embedding-001:
            provider: gemini
            context: 2048
            max_output: 1
            prices: [{ input: 1000, output: 0 }]
        tiers: {}
        """

    private func model(_ transport: ScriptedTransport) throws -> EmbeddingModel {
        try #require(
            EmbeddingModel(
                ModelCatalogue(parsing: Self.catalogue),
                configuration: ModelsConfiguration(gemini: .init(key: Fixture.key, baseURL: "https://gemini.example")),
                over: transport, clock: ManualClock().source, limit: .seconds(8)))
    }

    @Test func theRequestNamesThePurposeOfEachVector() async throws {
        let transport = ScriptedTransport(
            .answer(body: #"{"embeddings":[{"values":[1,0]},{"values":[0,1]},{"values":[0.5,-0.5]}]}"#))
        let answer = try await model(transport).vectors(of: [
            EmbeddingText("Why?", for: .question), EmbeddingText("Rates", for: .clustering),
            EmbeddingText("Moats\nThey last.", for: .document),
        ])
        #expect(answer.vectors == [[1, 0], [0, 1], [0.5, -0.5]])
        let request = try #require(transport.requests.first)
        #expect(
            request.url == "https://gemini.example/v1beta/models/gemini-embedding-001:batchEmbedContents")
        #expect(request.headers["x-goog-api-key"] == "sk-test-0123456789" && request.limits.total == .seconds(4))
        func one(_ text: String, _ type: String) -> JSON {
            [
                "model": "models/gemini-embedding-001", "content": ["parts": [["text": JSON(text)]]],
                "taskType": JSON(type), "outputDimensionality": 256,
            ]
        }
        let expected: JSON = [
            "requests": [
                one("Why?", "RETRIEVAL_QUERY"), one("Rates", "CLUSTERING"),
                one("Moats\nThey last.", "RETRIEVAL_DOCUMENT"),
            ]
        ]
        #expect(transport.bodies == [expected])
    }

    @Test func aSilentModelIsNotWaitedForAndASmallCallTestsIt() async throws {
        let clock = ManualClock()
        let answer = ScriptedTransport.Reply.answer(body: #"{"embeddings":[{"values":[1,0]}]}"#)
        let transport = ScriptedTransport([
            .failure(.timedOut(host: "gemini.example")), .failure(.timedOut(host: "gemini.example")), answer, answer,
        ])
        let changes = Collector<BreakerChange>()
        let configured = try EmbeddingModel(
            ModelCatalogue(parsing: Self.catalogue),
            configuration: ModelsConfiguration(gemini: .init(key: Fixture.key, baseURL: "https://gemini.example")),
            over: transport, clock: clock.source, limit: .seconds(8), onBreaker: { changes.add($0) })
        let model = try #require(configured)
        let text = [EmbeddingText(String(repeating: "long ", count: 500), for: .document)]
        func fail() async throws -> ModelError { try await failure { try await model.vectors(of: text) } }
        for _ in 0..<2 { #expect(try await fail().kind == .timeout) }
        #expect(changes.values.map(\.isOpen) == [true])
        for _ in 0..<20 { #expect(try await fail().postponement == .breakerOpen) }
        #expect(transport.requests.count == 2, "a stopped model is not asked and not booked")
        clock.advance(by: .seconds(30))
        #expect(try await fail().postponement == .breakerOpen, "nobody waits for the small call")
        for _ in 0..<200_000 where changes.values.count < 2 { await Task.yield() }
        #expect(changes.values.map(\.isOpen) == [true, false])
        #expect((transport.requests.last?.body.count ?? .max) < 300)
        #expect(try await model.vectors(of: text).vectors == [[1, 0]])
    }

    @Test func uncountedTokensGetAHighEstimate() async throws {
        let answer = try await model(ScriptedTransport(.answer(body: #"{"embeddings":[{"values":[1]}]}"#)))
            .vectors(of: [EmbeddingText("123456", for: .question)])
        #expect(answer.tokens == 3 && answer.cost == MicroDollars(rawValue: 3000))
    }

    @Test func aLongTextIsShortenedAndAnAnswerNeedsAVectorForEachText() async throws {
        let transport = ScriptedTransport(.answer(body: #"{"embeddings":[]}"#))
        let error = await #expect(throws: ModelError.self) {
            _ = try await model(transport).vectors(of: [
                EmbeddingText(String(repeating: "word ", count: 9000), for: .document)
            ])
        }
        guard case .malformedAnswer? = error?.kind else {
            Issue.record("\(error as Any)")
            return
        }
        let sent = transport.bodies[0]["requests"]?[0]?["content"]?["parts"]?[0]?["text"]?.string
        #expect(sent?.utf8.count == 1500)
    }

    /// A count that stays at one until the last chunk would leave a cancelled call almost without a price.
    @Test func aCountThatIsTooSmallForTheTextCountsAsNoneUntilTheEnd() {
        func chunk(_ text: String, tokens: Int, _ reason: String? = nil) -> JSON {
            var candidate: JSONObject = ["content": ["parts": [["text": JSON(text)]]]]
            if let reason { candidate["finishReason"] = JSON(reason) }
            return [
                "candidates": [.object(candidate)],
                "usageMetadata": ["promptTokenCount": 10, "candidatesTokenCount": JSON(tokens)],
            ]
        }
        var parser = GeminiAnswerParser()
        _ = parser.receive(chunk("A sentence of some length, ", tokens: 1))
        #expect(!parser.progress.isOutputTold && parser.progress.outputBytes == 27)
        _ = parser.receive(chunk("and its end.", tokens: 9))
        #expect(parser.progress.isOutputTold)
        var short = GeminiAnswerParser()
        _ = short.receive(chunk("A sentence of some length, and its end.", tokens: 1, "STOP"))
        #expect(short.progress.isOutputTold)
    }
}
