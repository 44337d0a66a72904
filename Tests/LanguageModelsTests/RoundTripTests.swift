import JSON
import Testing

@testable import LanguageModels

@Suite struct RoundTripTests {
    @Test func aRequestSurvivesTheJournal() throws {
        var request = Fixture.full
        request.tools = [Fixture.quoteTool]
        request.messages +=
            Fixture.toolLoop(ProviderContent(provider: .gemini, content: [["text": "x"]]), id: "1").messages
        request.messages.append(
            ModelMessage(
                role: .user, parts: [.media(Media(mimeType: "application/pdf", source: .url("https://e.com/a")))]))
        for choice in [ToolChoice.automatic, .any, .none, .tool("get_quote")] {
            request.toolChoice = choice
            let text = request.encoded.compact
            #expect(try ModelRequest(decoding: JSONField(JSON(parsing: text))) == request)
        }
    }

    @Test func equalRequestsHaveEqualHashesAndOthersDoNot() {
        var schemaInAnotherOrder = Fixture.full
        schemaInAnotherOrder.output = .json(
            name: "the report",
            schema: [
                "additionalProperties": false, "required": ["summary", "score"],
                "properties": ["score": ["minimum": 1.0, "type": "integer"], "summary": ["type": "string"]],
                "type": "object",
            ])
        #expect(schemaInAnotherOrder.encoded.canonical == Fixture.full.encoded.canonical)
        var other = Fixture.full
        other.effort = .high
        #expect(other.encoded.canonical != Fixture.full.encoded.canonical)
    }

    @Test func aResponseSurvivesTheJournal() throws {
        let response = ModelResponse(
            provider: .claude, requestedModel: "a", model: "a-1", id: "i", requestID: "r", text: "t", json: ["x": 1.50],
            toolCalls: [ToolCall(id: "1", name: "f", input: ["a": 1])], stopReason: .other("tired"),
            usage: TokenUsage(
                input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5, thinking: 6, isEstimated: true),
            cost: MicroDollars(rawValue: 7), timings: .init(firstText: .milliseconds(8), total: .milliseconds(9)),
            original: ProviderContent(provider: .claude, content: [["type": "text", "text": "t"]]))
        #expect(try ModelResponse(decoding: JSONField(JSON(parsing: response.encoded.compact))) == response)
        var bare = response
        bare.id = nil
        bare.requestID = nil
        bare.json = nil
        bare.timings.firstText = nil
        bare.toolCalls = []
        #expect(try ModelResponse(decoding: JSONField(JSON(parsing: bare.encoded.compact))) == bare)
    }

    @Test func aWrongFieldIsNamedInTheError() {
        var value = Fixture.full.encoded
        value["messages"] = [["role": "system", "parts": []]]
        #expect(throws: JSONFieldError(path: "messages[0].role", problem: "must be user or assistant")) {
            try ModelRequest(decoding: JSONField(value))
        }
    }

    @Test func dataURLsBecomeMedia() {
        #expect(
            Media(mimeType: "image/jpeg", url: "data:image/png;base64,iVBORw==")
                == Media(mimeType: "image/png", source: .base64("iVBORw==")))
        #expect(
            Media(mimeType: "image/jpeg", url: "https://e.com/a.jpg")
                == Media(mimeType: "image/jpeg", source: .url("https://e.com/a.jpg")))
    }

    @Test(
        arguments: [
            (Effort.minimal, [Effort.low, .medium, .high], Effort.low), (.max, [.low, .medium, .high], .high),
            (.xhigh, [.low, .medium, .high, .max], .high), (.medium, [], nil), (.low, [.high], .high),
        ] as [(Effort, [Effort], Effort?)])
    func anUnsupportedEffortBecomesTheNearest(effort: Effort, levels: [Effort], expected: Effort?) {
        #expect(effort.nearest(in: levels) == expected)
    }
}
