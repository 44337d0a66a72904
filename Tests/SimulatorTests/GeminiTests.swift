import HTTP
import JSON
import Testing

@Suite struct GeminiTests {
    @Test func aResponseCarriesEveryFieldOfTheFormat() async throws {
        try await Harness.run { harness async throws in
            let response = try await harness.send(.gemini(["generationConfig": Sample.geminiFormat])).json
            let candidate = response["candidates"]?[0]
            #expect(candidate?["finishReason"] == "STOP" && candidate?["content"]?["role"] == "model")
            let text = candidate?["content"]?["parts"]?[0]?["text"]?.string ?? ""
            #expect(Sample.problems(of: try JSON(parsing: text)) == [])
            let usage = response["usageMetadata"]
            let parts = ["promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount"].map {
                usage?[$0]?.integer ?? 0
            }
            #expect(usage?["totalTokenCount"]?.integer == parts.reduce(0, +))
            #expect(response["modelVersion"] == "gemini-3.8-flash" && response["responseId"]?.string != nil)
        }
    }

    @Test func aStreamAddsUpToTheResponse() async throws {
        try await Harness.run { harness async throws in
            let whole = try await harness.send(.gemini()).json
            let events = try await harness.events(.gemini(stream: true)).events.map { try JSON(parsing: $0.data) }
            let text = events.compactMap { $0["candidates"]?[0]?["content"]?["parts"]?[0]?["text"]?.string }.joined()
            #expect(text == whole["candidates"]?[0]?["content"]?["parts"]?[0]?["text"]?.string)
            #expect(events.last?["usageMetadata"] == whole["usageMetadata"])
            #expect(events.dropLast().allSatisfy { $0["candidates"]?[0]?["finishReason"] == nil })
        }
    }

    @Test func aFunctionCallCarriesASignatureThatMustComeBack() async throws {
        try await Harness.run { harness async throws in
            let tools: JSON = [
                ["functionDeclarations": [["name": "get_quote", "parametersJsonSchema": Sample.quoteSchema]]]
            ]
            let call = Call.gemini(["tools": tools])
            let content = try #require(try await harness.send(call).json["candidates"]?[0]?["content"])
            let part = try #require(content["parts"]?[0])
            #expect(part["functionCall"]?["args"] == ["symbol": "AAPL"])
            func turns(_ echoed: JSON) -> JSON {
                [
                    ["role": "user", "parts": [["text": JSON(Sample.prompt)]]], ["role": "model", "parts": [echoed]],
                    [
                        "role": "user",
                        "parts": [["functionResponse": ["name": "get_quote", "response": ["output": "270"]]]],
                    ],
                ]
            }
            let answer = try await harness.send(call.with("contents", turns(part))).json
            #expect(answer["candidates"]?[0]?["content"]?["parts"]?[0]?["text"]?.string != nil)
            var unsigned = part
            unsigned["thoughtSignature"] = nil
            #expect(try await harness.send(call.with("contents", turns(unsigned))).status == 400)
        }
    }

    @Test func theServicesOwnSchemasAndSnakeCaseAreUnderstood() async throws {
        try await Harness.run { harness async throws in
            let config: JSON = [
                "response_mime_type": "application/json",
                "response_schema": [
                    "type": "OBJECT", "property_ordering": ["tags", "level"], "required": ["tags", "level"],
                    "properties": [
                        "tags": ["type": "ARRAY", "min_items": 4, "max_items": 4, "items": ["type": "STRING"]],
                        "level": ["type": "INTEGER", "minimum": 3, "maximum": 5],
                    ],
                ],
            ]
            let response = try await harness.send(.gemini(["generation_config": config])).json
            let text = response["candidates"]?[0]?["content"]?["parts"]?[0]?["text"]?.string ?? ""
            let answer = try JSON(parsing: text)
            #expect(answer["tags"]?.array?.count == 4)
            #expect((3...5).contains(answer["level"]?.integer ?? 0))
        }
    }

    @Test func tokensAreCountedAndModelsListed() async throws {
        try await Harness.run { harness async throws in
            var count = Call.gemini(["systemInstruction": .null])
            count.body?["systemInstruction"] = nil
            count.path = "/gemini/v1/models/gemini-3.8-flash:countTokens"
            #expect((try await harness.send(count).json["totalTokens"]?.integer ?? 0) > 50)
            count.body = nil
            count.method = .get
            count.path = "/v1beta/models?pageSize=2"
            let page = try await harness.send(count).json
            #expect(page["models"]?.array?.count == 2 && page["nextPageToken"]?.string == "2")
        }
    }

    @Test func textsWithCommonWordsHaveNearVectors() async throws {
        try await Harness.run { harness async throws in
            let texts = [
                "What is the margin of safety?", "Margins of safety are kept", "What is the capital of France?",
            ]
            let requests = texts.map { text -> JSON in
                [
                    "model": "models/gemini-embedding-001", "content": ["parts": [["text": JSON(text)]]],
                    "taskType": "RETRIEVAL_QUERY", "outputDimensionality": 256,
                ]
            }
            let response = try await harness.client.send(
                HTTPRequest(
                    .post, harness.url + "/v1beta/models/gemini-embedding-001:batchEmbedContents",
                    headers: ["x-goog-api-key": "k", "Content-Type": "application/json"],
                    body: (["requests": .array(requests)] as JSON).utf8))
            let vectors = (try JSON(parsing: response.body)["embeddings"]?.array ?? []).map { one in
                (one["values"]?.array ?? []).compactMap { $0.number?.double }
            }
            try #require(vectors.count == 3)
            func cosine(_ one: Int, _ other: Int) -> Double {
                zip(vectors[one], vectors[other]).reduce(0) { $0 + $1.0 * $1.1 }
            }
            #expect(cosine(0, 1) > 0.8 && cosine(0, 2) < 0.6 && cosine(1, 2) < 0.6)
        }
    }
}
