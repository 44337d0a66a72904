import HTTP
import JSON
import Simulator
import Testing

@Suite struct OpenAITests {
    @Test func aCompletionCarriesEveryFieldOfTheFormat() async throws {
        try await Harness.run { harness async throws in
            let body = try await harness.send(.openAI(["response_format": Sample.openAIFormat])).json
            #expect(body["object"] == "chat.completion" && body["choices"]?[0]?["finish_reason"] == "stop")
            let text = body["choices"]?[0]?["message"]?["content"]?.string ?? ""
            #expect(Sample.problems(of: try JSON(parsing: text)) == [])
            let usage = body["usage"]
            let sum = (usage?["prompt_tokens"]?.integer ?? 0) + (usage?["completion_tokens"]?.integer ?? 0)
            #expect(usage?["total_tokens"]?.integer == sum)
        }
    }

    @Test func aStreamAddsUpAndEndsWithUsageAndDone() async throws {
        try await Harness.run { harness async throws in
            let whole = try await harness.send(.openAI()).json
            let events = try await harness.events(.openAI(stream: true)).events.map(\.data)
            #expect(events.last == "[DONE]")
            let chunks = try events.dropLast().map { try JSON(parsing: $0) }
            let text = chunks.compactMap { $0["choices"]?[0]?["delta"]?["content"]?.string }.joined()
            #expect(text == whole["choices"]?[0]?["message"]?["content"]?.string)
            #expect(chunks.last?["choices"] == [] && chunks.last?["usage"] == whole["usage"])
            let plain = try await harness.events(.openAI(stream: true).with("stream_options", nil)).events
            #expect(!plain.contains { $0.data.contains("usage") })
        }
    }

    @Test func toolCallsAreStreamedInPieces() async throws {
        try await Harness.run { harness async throws in
            let tools: JSON = [
                ["type": "function", "function": ["name": "get_quote", "parameters": Sample.quoteSchema]]
            ]
            let call = Call.openAI(["tools": tools, "tool_choice": "required"], stream: true)
            let chunks = try await harness.events(call).events.dropLast().map { try JSON(parsing: $0.data) }
            let pieces = chunks.compactMap { $0["choices"]?[0]?["delta"]?["tool_calls"]?[0] }
            #expect(pieces.allSatisfy { $0["index"] == 0 })
            #expect(pieces.first?["function"]?["name"] == "get_quote")
            let arguments = pieces.compactMap { $0["function"]?["arguments"]?.string }.joined()
            #expect(try JSON(parsing: arguments) == ["symbol": "AAPL"])
            #expect(chunks.contains { $0["choices"]?[0]?["finish_reason"] == "tool_calls" })
        }
    }

    @Test func modelsOutsideTheListAreUnknown() async throws {
        try await Harness.run(.init(openAIModels: ["local"])) { harness async throws in
            #expect(try await harness.send(.openAI()).status == 200)
            #expect(try await harness.send(.openAI(["model": "other"])).status == 404)
        }
    }
}
